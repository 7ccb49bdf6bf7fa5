/// A completion script for bash.
package struct BashCompletions {
  package let root: CommandSpec

  package var script: String {
    """
    # bash completion for \(root.name)
    _\(root.name)() {
      local cur="${COMP_WORDS[COMP_CWORD]}" prev="${COMP_WORDS[COMP_CWORD-1]}" command="" word
      COMPREPLY=()
      for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
        case "$word" in
          -*) ;;
          *) command="$word"; break ;;
        esac
      done
      case "$command:$prev" in
    \(values)
      esac
      if [[ "$cur" == -* ]]; then
        local options="\(Self.words(root.visibleOptions))"
        case "$command" in
    \(options)
        esac
        mapfile -t COMPREPLY < <(compgen -W "$options" -- "$cur")
        return
      fi
      case "$command" in
        "") \(reply(.command)) ;;
    \(arguments)
      esac
    }
    complete -F _\(root.name) \(root.name)

    """
  }

  private static func words(_ options: [OptionSpec]) -> String {
    options.flatMap(\.spellings).joined(separator: " ")
  }

  /// What follows an option that takes a value.
  private var values: String {
    let globals = root.visibleOptions.compactMap { arm($0, command: "*") }
    let own = root.subcommands.flatMap { command in
      command.visibleOptions.compactMap { arm($0, command: command.name) }
    }
    return (own + globals).joined(separator: "\n")
  }

  private func arm(_ option: OptionSpec, command: String) -> String? {
    guard let kind = option.valueKind else { return nil }
    let pattern = option.spellings.map { "\(command):\($0)" }.joined(separator: "|")
    return "    \(pattern)) \(reply(kind)) return ;;"
  }

  private var options: String {
    root.subcommands.filter { !$0.visibleOptions.isEmpty }.map { command in
      "      \(command.name)) options=\"$options \(Self.words(command.visibleOptions))\" ;;"
    }.joined(separator: "\n")
  }

  private var arguments: String {
    root.subcommands.compactMap { command in
      guard let argument = command.arguments.first else { return nil }
      return "    \(command.name)) \(reply(argument.kind)) ;;"
    }.joined(separator: "\n")
  }

  private func reply(_ kind: ValueKind) -> String {
    switch kind {
    case .file: "compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- \"$cur\");"
    case .choices(let choices): reply(oneOf: choices)
    case .command: reply(oneOf: root.subcommands.map(\.name))
    case .text: ""
    }
  }

  private func reply(oneOf words: [String]) -> String {
    "mapfile -t COMPREPLY < <(compgen -W \"\(words.joined(separator: " "))\" -- \"$cur\");"
  }
}
