# shellcheck shell=bash
# Shared by the package tests, inside the bare system.

# expect TEXT COMMAND...: runs a command, reports whether it succeeds, and exits if it does not.
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

# Lists all files of the system, except those that package tools keep for themselves.
files() {
  find / -xdev \( -path /proc -o -path /sys -o -path /dev -o -path /tmp -o -path /root \
    -o -path /run -o -path /var/lib/dpkg -o -path /var/lib/apt -o -path /var/cache \
    -o -path /var/log \) -prune -o -print | LC_ALL=C sort
}

# Adds a user with sudo rights.
add_someone() {
  useradd -m -s /bin/bash someone
  echo 'someone ALL=(ALL) NOPASSWD: ALL' >/etc/sudoers.d/someone
}
as_user() { su - someone -c "$*"; }
