# shellcheck shell=bash
# Shared by tools/install and tools/package: trim as a folder of files, laid out as below a prefix.

# stage BINARY FOLDER [COMMAND...]: puts there the binary, a manual page for each command, completions, license,
# changes. COMMAND runs the binary where this machine cannot.
stage() {
  local binary=$1 folder=$2 share=$2/share name
  shift 2
  if (($# == 0)); then set -- "$binary"; fi
  install -D -m 755 -- "$binary" "$folder/bin/trim"
  install -d -m 755 "$share/man/man1" "$share/bash-completion/completions" \
    "$share/zsh/site-functions" "$share/fish/vendor_completions.d" "$share/doc/trim"
  "$@" man >"$share/man/man1/trim.1"
  for name in $(commands_of "$@"); do
    "$@" man "$name" >"$share/man/man1/trim-$name.1"
  done
  gzip -9n "$share"/man/man1/*.1
  "$@" completions bash >"$share/bash-completion/completions/trim"
  "$@" completions zsh >"$share/zsh/site-functions/_trim"
  "$@" completions fish >"$share/fish/vendor_completions.d/trim.fish"
  install -m 644 "$ROOT/LICENSE" "$ROOT/CHANGELOG.md" "$share/doc/trim"
  # Independent of the umask.
  chmod -R u=rwX,go=rX "$folder"
}

# commands_of COMMAND...: prints the names of trim's commands, from its completions.
commands_of() {
  "$@" completions fish | sed -n 's/.*__fish_use_subcommand -a \([a-z]*\) .*/\1/p'
}
