# shellcheck shell=bash
# What the scripts of tools share: where the toolchain is, which packages are missing.
# The caller sets ROOT, the folder of Package.swift, and stands anywhere.

# Exit status of a missing service or program (EX_UNAVAILABLE, sysexits.h).
readonly EX_UNAVAILABLE=69

say() { printf '%s: %s\n' "${0##*/}" "$*" >&2; }

give_up() {
  say "$*"
  exit "$EX_UNAVAILABLE"
}

# Sets SWIFT to the driver: $SWIFT, then the PATH, then /opt/swift, then ~/.local/share/swiftly.
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
    "and put it on the PATH, or name it: SWIFT=/path/to/bin/swift $0"
}

# The version of trim, which stands in one place.
trim_version() {
  sed -n 's/.*static let number = "\(.*\)".*/\1/p' "$ROOT/Sources/TrimCommands/Output/Version.swift"
}

# Installs what is missing of the sets named (`run`, `test`) in packages.txt.
install_packages() {
  local -a wanted missing as_root=()
  mapfile -t wanted < <(awk -v sets=" $* " \
    '$1 !~ /^#/ && NF == 2 && index(sets, " " $1 " ") { print $2 }' "$ROOT/tools/packages.txt")
  if ! command -v dpkg-query >/dev/null; then
    if pkg-config --exists libavformat libavcodec libavutil libswscale libswresample 2>&-; then
      return
    fi
    give_up "this is no Debian: install FFmpeg's development files and pkg-config" \
      "(Debian calls them ${wanted[*]}), then run it again"
  fi
  mapfile -t missing < <(missing_packages "${wanted[@]}")
  if ((${#missing[@]} == 0)); then return; fi

  if ((EUID != 0)); then as_root=(sudo); fi
  # The lists of a fresh machine are empty: which of several names it has cannot be told yet.
  if [[ ${missing[*]} == *'|'* ]] && ! compgen -G '/var/lib/apt/lists/*_Packages*' >/dev/null &&
    command -v "${as_root[@]:-env}" >/dev/null; then
    "${as_root[@]}" apt-get update -qq >&2 || true
  fi
  mapfile -t missing < <(names_here "${missing[@]}")
  local by_hand="apt-get install ${missing[*]}"
  if ((EUID != 0)) && ! command -v sudo >/dev/null; then
    give_up "some Debian packages are missing and there is no sudo here:" \
      "as root, run $by_hand, then run it again"
  fi
  say "installing ${missing[*]}"
  # Under a name of its own: a caller's may be read-only.
  local apt_log
  apt_log=$(mktemp)
  if ! apt_install "$apt_log" "${missing[@]}"; then
    # The lists of a fresh machine are empty, those of an old one name versions that are gone.
    if ! "${as_root[@]}" apt-get update >>"$apt_log" 2>&1 || ! apt_install "$apt_log" "${missing[@]}"; then
      local reason
      # Why the network failed says more than the package that then is unknown.
      reason=$(grep -E 'Failed to fetch|Could not resolve' "$apt_log" | tail -n 1 || true)
      : "${reason:=$(grep -E '^(E|sudo):' "$apt_log" | tail -n 1 || true)}"
      rm -f "$apt_log"
      give_up "apt could not install the packages that are missing (${reason:-no reason given}):" \
        "as root and online, run $by_hand, then run it again"
    fi
  fi
  rm -f "$apt_log"
}

# Uses `as_root` of its caller.
apt_install() {
  local apt_log=$1
  shift
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -q -o DPkg::Lock::Timeout=300 --no-install-recommends "$@" >>"$apt_log" 2>&1
}

# An entry is there when one of its names is.
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

# Of each entry the first name that this Debian knows, or else its last.
names_here() {
  local entry name
  for entry in "$@"; do
    for name in ${entry//|/ }; do
      # The last, or only, name needs no asking.
      if [[ $name == "${entry##*|}" ]]; then break; fi
      if [[ -n $(apt-cache madison "$name" 2>/dev/null) ]]; then break; fi
    done
    printf '%s\n' "$name"
  done
}
