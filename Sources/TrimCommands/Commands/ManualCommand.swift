import CommandLineKit

/// Prints a manual page: `trim man [COMMAND]`.
struct ManualCommand {
  /// A known command; `nil` for all.
  var command: String?

  func run(in tool: Tool) -> ExitStatus {
    let page = ManualPage(root: CommandTable.root)
    let spec = command.flatMap(CommandTable.root.subcommand)
    tool.out.write(spec.map(page.text) ?? page.text)
    return .success
  }
}
