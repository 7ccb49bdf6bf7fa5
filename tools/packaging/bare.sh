# shellcheck shell=bash
# Shared by the package tests: a bare Debian in its own folder, entered as root.

# in_bare ROOT.tar SCRIPT ARCHITECTURE FILE...: runs a script of tools/packaging in the system from an archive, or
# in a new one of this release if the name is empty, with the files and some samples in /root.
in_bare() (
  local archive=$1 script=$2 architecture=$3 system
  shift 3
  ((EUID == 0)) || give_up "only root can make and enter a bare system"
  emulate "$architecture"
  # What a new user waits for begins with the bare system.
  local began emulated=no
  if [[ $architecture != "$(dpkg --print-architecture)" ]]; then emulated=yes; fi
  system=$(mktemp -d "${TMPDIR:-/var/tmp}/trim-try-XXXXXX")
  # shellcheck disable=SC2317 # The trap calls it.
  cleanup() {
    umount "$system/dev/pts" "$system/dev" "$system/proc" 2>/dev/null || true
    # rm must not enter a system in which something is still mounted.
    if ! grep -qs " $system/" /proc/mounts; then rm -rf -- "$system"; fi
  }
  trap cleanup EXIT
  if [[ $archive ]]; then
    tar -C "$system" -xf "$archive"
  else
    # shellcheck source=/dev/null
    mmdebstrap --quiet --variant=minbase --architectures="$architecture" "$(. /etc/os-release && printf %s "$VERSION_CODENAME")" "$system"
  fi
  began=$(date +%s)
  cp /etc/resolv.conf "$system/etc/resolv.conf"
  mount --bind /proc "$system/proc"
  mount --bind /dev "$system/dev"
  mount --bind /dev/pts "$system/dev/pts"
  mkdir -p "$system/root/samples"
  cp -R -- "$@" "$system/root/"
  cp "$ROOT"/samples/{b-frames,late-start}.mp4 "$ROOT"/samples/vbr.mp3 "$system/root/samples/"
  cp "$ROOT/tools/packaging/inside.sh" "$ROOT/tools/packaging/$script" "$system/root/"
  env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM=xterm LC_ALL=C.UTF-8 \
    DEBIAN_FRONTEND=noninteractive TRIM_BEGAN="$began" TRIM_EMULATED="$emulated" \
    chroot "$system" bash "/root/$script"
)
