/// A completion script for fish.
package struct FishCompletions {
  package let root: CommandSpec

  package var script: String {
    var lines = ["# fish completion for \(root.name)", "complete -c \(root.name) -f"]
    lines += root.subcommands.map { command in
      let abstract = Self.quoted(command.abstract)
      return "complete -c \(root.name) -n __fish_use_subcommand -a \(command.name) -d \(abstract)"
    }
    lines += root.visibleOptions.map { line($0, condition: nil) }
    for command in root.subcommands {
      let condition = "__fish_seen_subcommand_from \(command.name)"
      lines += command.visibleOptions.map { line($0, condition: condition) }
      if let argument = command.arguments.first {
        lines.append(
          "complete -c \(root.name) -n '\(condition)'" + values(argument.kind))
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func line(_ option: OptionSpec, condition: String?) -> String {
    var line = "complete -c \(root.name)"
    if let condition { line += " -n '\(condition)'" }
    if let short = option.short { line += " -s \(short)" }
    for name in option.longNames { line += " -l \(name)" }
    switch option.valueKind {
    case nil: break
    case .file?: line += " -r -F"
    case .text?: line += " -x"
    case .command?: line += " -x -a \(commands)"
    case .choices(let words)?: line += " -x -a \(Self.quoted(words.joined(separator: " ")))"
    }
    return line + " -d \(Self.quoted(option.help))"
  }

  private func values(_ kind: ValueKind) -> String {
    switch kind {
    case .file: " -F"
    case .choices(let words): " -a \(Self.quoted(words.joined(separator: " ")))"
    case .command: " -a \(commands)"
    case .text: ""
    }
  }

  private var commands: String {
    Self.quoted(root.subcommands.map(\.name).joined(separator: " "))
  }

  private static func quoted(_ text: String) -> String {
    "'"
      + text.reduce(into: "") { result, character in
        if character == "'" || character == "\\" { result += "\\" }
        result.append(character)
      } + "'"
  }
}
