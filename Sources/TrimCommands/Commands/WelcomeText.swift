import CommandLineKit

/// What plain `trim` prints on a terminal: each command, with an example line to try.
enum WelcomeText {
  static func text(_ root: CommandSpec, columns: Int) -> String {
    let commands = root.subcommands.filter { $0.example != nil }
    let width = commands.map { ($0.example ?? "").cellWidth }.max() ?? 0
    let lines = commands.map { command -> String in
      let example = command.example ?? ""
      let line = "  " + example.padded(toCells: width + 2) + command.abstract
      return line.cellWidth <= columns ? line : "  \(example)\n      \(command.abstract)"
    }
    return root.abstract + "\n\n" + lines.joined(separator: "\n")
      + "\n\nTo begin: trim edit FILE.  All options of a command: trim help edit.\n"
  }
}
