# shellcheck shell=bash
# Shared by tools/install and tools/package: trim as a folder of files, laid out as below a prefix.

# stage BINARY FOLDER: puts there the binary, a manual page for each command, completions, license, changes.
stage() {
  local binary=$1 share=$2/share name
  install -D -m 755 -- "$binary" "$2/bin/trim"
  install -d -m 755 "$share/man/man1" "$share/bash-completion/completions" \
    "$share/zsh/site-functions" "$share/fish/vendor_completions.d" "$share/doc/trim"
  "$binary" man >"$share/man/man1/trim.1"
  for name in $(commands_of "$binary"); do
    "$binary" man "$name" >"$share/man/man1/trim-$name.1"
  done
  gzip -9n "$share"/man/man1/*.1
  "$binary" completions bash >"$share/bash-completion/completions/trim"
  "$binary" completions zsh >"$share/zsh/site-functions/_trim"
  "$binary" completions fish >"$share/fish/vendor_completions.d/trim.fish"
  install -m 644 "$ROOT/LICENSE" "$ROOT/CHANGELOG.md" "$share/doc/trim"
  # Independent of the umask.
  chmod -R u=rwX,go=rX "$2"
}

# Prints the names of trim's commands, from its completions.
commands_of() {
  "$1" completions fish | sed -n 's/.*__fish_use_subcommand -a \([a-z]*\) .*/\1/p'
}
