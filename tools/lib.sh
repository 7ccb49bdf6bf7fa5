# shellcheck shell=bash
# Shared by the scripts in tools: finds the toolchain and installs missing packages.
# The caller sets ROOT, the folder of Package.swift; the working directory does not matter.

# Exit status of a missing service or program (EX_UNAVAILABLE, sysexits.h).
readonly EX_UNAVAILABLE=69

say() { printf '%s: %s\n' "${0##*/}" "$*" >&2; }

give_up() {
  say "$*"
  exit "$EX_UNAVAILABLE"
}

# Sets SWIFT to the first driver found: $SWIFT, on the PATH, in /opt/swift, in ~/.local/share/swiftly.
find_toolchain() {
  local candidate
  for candidate in "${SWIFT:-}" "$(command -v swift || true)" /opt/swift/usr/bin/swift \
    "${HOME:-/nonexistent}/.local/share/swiftly/bin/swift"; do
    if [[ -n $candidate && -x $candidate ]]; then
      SWIFT=$candidate
      return
    fi
  done
  give_up "no Swift toolchain found: install Swift 6.3 from https://swift.org/install/linux" \
    "and put it on the PATH, or set SWIFT: SWIFT=/path/to/bin/swift $0"
}

# Prints the version of trim from the one place that defines it.
trim_version() {
  sed -n 's/.*static let number = "\(.*\)".*/\1/p' "$ROOT/Sources/TrimCommands/Output/Version.swift"
}

# Prints Debian's name of a binary's architecture.
architecture_of() {
  case $(od -An -tu2 -j18 -N2 -- "$1" | tr -d ' ') in
  62) echo amd64 ;;
  183) echo arm64 ;;
  *) give_up "$1 is not a binary for amd64 or arm64" ;;
  esac
}

# emulate ARCHITECTURE: lets this machine start its programs, in any folder's system, by qemu-user. As root.
emulate() {
  local registry=/proc/sys/fs/binfmt_misc
  if [[ $1 == "$(dpkg --print-architecture)" ]]; then return; fi
  # On arm64, the machine's own programs would be given to the emulator.
  if [[ $1 != arm64 || $(dpkg --print-architecture) != amd64 ]]; then give_up "only arm64 is emulated, on amd64"; fi
  install_packages cross
  if [[ ! -e $registry/register ]] && ! mount -t binfmt_misc binfmt_misc "$registry"; then
    give_up "this kernel starts no programs of other architectures (binfmt_misc)"
  fi
  if [[ -e $registry/qemu-aarch64 ]]; then return; fi
  # What an ELF file for arm64 begins with; F: the emulator is opened now, so that none is needed in that system.
  printf %s ':qemu-aarch64:M::\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00:' \
    '\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff:' \
    "$(command -v qemu-aarch64-static):F" >"$registry/register"
}

# Prints the folder in which tools/cross keeps what it makes.
cross_folder() { printf %s "${TRIM_CROSS:-${HOME:?}/.cache/trim-cross}"; }

# Prints the folder of the libraries of this Debian release for another architecture, made by tools/cross.
sysroot_of() {
  # shellcheck source=/dev/null
  (. /etc/os-release && printf '%s/%s-%s' "$(cross_folder)" "$1" "$VERSION_CODENAME")
}

# Installs the missing packages of the given sets (`run`, `test`, …) in packages.txt.
install_packages() {
  local -a wanted missing as_root=()
  mapfile -t wanted < <(awk -v sets=" $* " \
    '$1 !~ /^#/ && NF == 2 && index(sets, " " $1 " ") { print $2 }' "$ROOT/tools/packages.txt")
  if ! command -v dpkg-query >/dev/null; then
    if pkg-config --exists libavformat libavcodec libavutil libswscale libswresample 2>&-; then
      return
    fi
    give_up "this is not Debian: install FFmpeg's development files and pkg-config" \
      "(on Debian: ${wanted[*]}), then try again"
  fi
  mapfile -t missing < <(missing_packages "${wanted[@]}")
  if ((${#missing[@]} == 0)); then return; fi

  if ((EUID != 0)); then as_root=(sudo); fi
  # On a fresh machine apt's lists are empty, so it is not known yet which of several names exists.
  if [[ ${missing[*]} == *'|'* ]] && ! compgen -G '/var/lib/apt/lists/*_Packages*' >/dev/null &&
    command -v "${as_root[@]:-env}" >/dev/null; then
    "${as_root[@]}" apt-get update -qq >&2 || true
  fi
  mapfile -t missing < <(names_here "${missing[@]}")
  local by_hand="apt-get install ${missing[*]}"
  if ((EUID != 0)) && ! command -v sudo >/dev/null; then
    give_up "some Debian packages are missing, and sudo is not installed:" \
      "run $by_hand as root, then try again"
  fi
  say "installing ${missing[*]}"
  # A name of its own: the caller's may be read-only.
  local apt_log
  apt_log=$(mktemp)
  if ! apt_install "$apt_log" "${missing[@]}"; then
    # apt's lists are empty on a fresh machine, and on an old one name versions that no longer exist.
    if ! "${as_root[@]}" apt-get update >>"$apt_log" 2>&1 || ! apt_install "$apt_log" "${missing[@]}"; then
      local reason
      # A network error says more than the unknown package that results from it.
      reason=$(grep -E 'Failed to fetch|Could not resolve' "$apt_log" | tail -n 1 || true)
      : "${reason:=$(grep -E '^(E|sudo):' "$apt_log" | tail -n 1 || true)}"
      rm -f "$apt_log"
      give_up "apt could not install the missing packages (${reason:-no reason given}):" \
        "run $by_hand as root and online, then try again"
    fi
  fi
  rm -f "$apt_log"
}

# Uses `as_root` from the caller.
apt_install() {
  local apt_log=$1
  shift
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -q -o DPkg::Lock::Timeout=300 --no-install-recommends "$@" >>"$apt_log" 2>&1
}

# Prints the entries of which no name is installed.
missing_packages() {
  local installed entry name
  installed=$(dpkg-query -W -f '${Package} ${db:Status-Status}\n' "${@//|*/}" "${@##*|}" \
    2>/dev/null || true)
  for entry in "$@"; do
    for name in ${entry//|/ }; do
      if [[ $'\n'$installed$'\n' == *$'\n'"$name installed"$'\n'* ]]; then continue 2; fi
    done
    printf '%s\n' "$entry"
  done
}

# Prints, for each entry, the first name that this Debian release knows, or else the last.
names_here() {
  local entry name
  for entry in "$@"; do
    for name in ${entry//|/ }; do
      # The last or only name needs no lookup.
      if [[ $name == "${entry##*|}" ]]; then break; fi
      if [[ -n $(apt-cache madison "$name" 2>/dev/null) ]]; then break; fi
    done
    printf '%s\n' "$name"
  done
}
