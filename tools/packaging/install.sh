#!/bin/sh
# Installs trim from the folder that contains this script, or uninstalls it.
set -eu

usage() {
  cat <<'TEXT'
usage: install.sh [--prefix FOLDER] [--uninstall]

  --prefix FOLDER  where to put bin/trim; default: /usr/local for root, else ~/.local
  --uninstall      remove an installation from there
TEXT
}

if [ "$(id -u)" = 0 ]; then prefix=/usr/local; else prefix=${HOME:?}/.local; fi
uninstall=no
while [ $# -gt 0 ]; do
  case $1 in
  --prefix)
    prefix=${2:?--prefix needs a folder}
    shift
    ;;
  --prefix=*) prefix=${1#*=} ;;
  --uninstall) uninstall=yes ;;
  -h | --help)
    usage
    exit 0
    ;;
  *)
    usage >&2
    exit 64
    ;;
  esac
  shift
done
here=$(cd -- "$(dirname -- "$0")" && pwd)
list=$prefix/share/doc/trim/installed.txt

# Removes what is on the list: files, and the folders that were made for them (with a trailing slash),
# inner ones first.
remove_installed() {
  copy=$(mktemp)
  LC_ALL=C sort -r -- "$list" >"$copy"
  while IFS= read -r name; do
    case $name in
    "" | /* | *..*) ;;
    ./) rmdir -- "$prefix" 2>/dev/null || true ;;
    */) rmdir -- "$prefix/$name" 2>/dev/null || true ;;
    *) rm -f -- "$prefix/$name" ;;
    esac
  done <"$copy"
  rm -f -- "$copy"
}

# Makes a folder below the prefix, and prints the name of each one that did not exist.
make_folder() {
  if [ "$1" = . ] || [ -d "$prefix/$1" ]; then return; fi
  make_folder "$(dirname -- "$1")"
  mkdir -- "$prefix/$1"
  echo "$1/"
}

if [ "$uninstall" = yes ]; then
  if [ ! -f "$list" ]; then
    echo "install.sh: trim is not installed in $prefix" >&2
    exit 66
  fi
  remove_installed
  echo "removed trim from $prefix"
  exit 0
fi

# An older version may have had files that this one lacks.
if [ -f "$list" ]; then remove_installed; fi
made=$(mktemp)
trap 'rm -f -- "$made"' EXIT
if [ ! -d "$prefix" ]; then echo ./ >"$made"; fi
mkdir -p -- "$prefix"
(cd -- "$here" && find bin share -type f) | while IFS= read -r name; do
  make_folder "$(dirname -- "$name")"
  # Copied next to the old file and renamed over it: a running trim keeps its file.
  cp -- "$here/$name" "$prefix/$name.new"
  mv -f -- "$prefix/$name.new" "$prefix/$name"
  echo "$name"
done >>"$made"
echo share/doc/trim/installed.txt >>"$made"
cp -- "$made" "$list"
chmod 644 -- "$list"
echo "installed trim in $prefix"

case :$PATH: in
*:"$prefix/bin":*) ;;
*)
  # shellcheck disable=SC2016 # For the user's shell.
  printf 'It is not on the PATH yet. For bash and zsh: echo '\''export PATH="%s/bin:$PATH"'\'' >> ~/.profile\n' \
    "$prefix"
  ;;
esac
if ! "$prefix/bin/trim" doctor --json >/dev/null 2>&1; then
  echo "FFmpeg's libraries are missing or have another version: run $prefix/bin/trim doctor" >&2
fi
