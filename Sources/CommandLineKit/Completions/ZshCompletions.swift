/// A completion script for zsh.
package struct ZshCompletions {
  package let root: CommandSpec

  package var script: String {
    let commands = root.subcommands.map { command in
      "    '\(command.name):\(Self.quoted(command.abstract))'"
    }
    return """
      #compdef \(root.name)

      _\(root.name)() {
        local context state line
        typeset -A opt_args
        local -a commands globals
        commands=(
      \(commands.joined(separator: "\n"))
        )
        globals=(
      \(root.visibleOptions.flatMap(Self.specs).map { "    \($0)" }.joined(separator: "\n"))
        )
        _arguments -C $globals '1:command:->command' '*::argument:->argument'
        case $state in
          command) _describe -t commands command commands ;;
          argument)
            case $words[1] in
      \(root.subcommands.map(arm).joined(separator: "\n"))
            esac
            ;;
        esac
      }

      if [ "$funcstack[1]" = "_\(root.name)" ]; then
        _\(root.name) "$@"
      else
        compdef _\(root.name) \(root.name)
      fi

      """
  }

  private func arm(_ command: CommandSpec) -> String {
    if command.arguments.first?.kind == .command {
      return "        \(command.name)) _describe -t commands command commands ;;"
    }
    let specs = command.visibleOptions.flatMap(Self.specs) + command.arguments.map(Self.argument)
    let lines = specs.map { " \\\n            \($0)" }.joined()
    return "        \(command.name)) _arguments $globals\(lines) ;;"
  }

  private static func specs(_ option: OptionSpec) -> [String] {
    let value = option.valueKind.map { ":\(option.valueName ?? ""):\(action($0))" } ?? ""
    let repeats = option.arity == .counted ? "*" : ""
    return option.spellings.map { spelling in
      let others = option.spellings.filter { repeats.isEmpty && $0 != spelling }
      let excludes = others.isEmpty ? "" : "(\(others.joined(separator: " ")))"
      return "'\(excludes)\(repeats)\(spelling)[\(quoted(option.help))]\(value)'"
    }
  }

  private static func argument(_ argument: ArgumentSpec) -> String {
    "'\(argument.isRepeated ? "*" : "1"):\(argument.name):\(action(argument.kind))'"
  }

  private static func action(_ kind: ValueKind) -> String {
    switch kind {
    case .file: "_files"
    case .choices(let words): "(\(words.joined(separator: " ")))"
    case .command, .text: " "
    }
  }

  private static func quoted(_ text: String) -> String {
    text.reduce(into: "") { result, character in
      switch character {
      case "'": result += "'\\''"
      case "[", "]", ":": result += "\\\(character)"
      default: result.append(character)
      }
    }
  }
}
