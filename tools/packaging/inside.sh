# shellcheck shell=bash
# What the trials of packages share, inside the bare system.

# expect WORDS COMMAND...: says whether a command does what was promised, and ends where it does not.
expect() {
  local what=$1
  shift
  if "$@" >/root/expect.log 2>&1; then
    printf 'ok    %s\n' "$what"
  else
    printf 'WRONG %s\n' "$what"
    cat /root/expect.log
    exit 1
  fi
}

# Every file of the system, but those that packages' tools keep for themselves.
files() {
  find / -xdev \( -path /proc -o -path /sys -o -path /dev -o -path /tmp -o -path /root \
    -o -path /run -o -path /var/lib/dpkg -o -path /var/lib/apt -o -path /var/cache \
    -o -path /var/log \) -prune -o -print | LC_ALL=C sort
}

# A user who may use sudo.
add_someone() {
  useradd -m -s /bin/bash someone
  echo 'someone ALL=(ALL) NOPASSWD: ALL' >/etc/sudoers.d/someone
}
as_user() { su - someone -c "$*"; }
