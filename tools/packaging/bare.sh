# shellcheck shell=bash
# What the trials of packages share: a bare Debian in a folder of its own, entered by root.

# in_bare ROOT.tar SCRIPT FILE...: runs a script of tools/packaging in the system of an archive, or in
# a new one of this release where the name is empty, with the files in /root and nothing else.
in_bare() (
  local archive=$1 script=$2 system
  shift 2
  ((EUID == 0)) || give_up "a bare system is made and entered by root only"
  system=$(mktemp -d "${TMPDIR:-/var/tmp}/trim-try-XXXXXX")
  # shellcheck disable=SC2317 # The trap calls it.
  cleanup() {
    umount "$system/dev/pts" "$system/dev" "$system/proc" 2>/dev/null || true
    # A system that is still in use must not be searched by rm.
    if ! grep -qs " $system/" /proc/mounts; then rm -rf -- "$system"; fi
  }
  trap cleanup EXIT
  if [[ $archive ]]; then
    tar -C "$system" -xf "$archive"
  else
    # shellcheck source=/dev/null
    mmdebstrap --quiet --variant=minbase "$(. /etc/os-release && printf %s "$VERSION_CODENAME")" "$system"
  fi
  cp /etc/resolv.conf "$system/etc/resolv.conf"
  mount --bind /proc "$system/proc"
  mount --bind /dev "$system/dev"
  mount --bind /dev/pts "$system/dev/pts"
  mkdir -p "$system/root/samples"
  cp -R -- "$@" "$system/root/"
  cp "$ROOT"/samples/{b-frames,late-start}.mp4 "$ROOT"/samples/vbr.mp3 "$system/root/samples/"
  cp "$ROOT/tools/packaging/inside.sh" "$ROOT/tools/packaging/$script" "$system/root/"
  env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM=xterm LC_ALL=C.UTF-8 \
    DEBIAN_FRONTEND=noninteractive chroot "$system" bash "/root/$script"
)
