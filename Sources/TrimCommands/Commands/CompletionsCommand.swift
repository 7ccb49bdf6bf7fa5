import CommandLineKit

/// Prints a completion script: `trim completions SHELL`.
struct CompletionsCommand {
  var shell: ArgumentText

  func run(in tool: Tool) throws(UsageError) -> ExitStatus {
    guard let shell = shell.text.flatMap(CompletionShell.init(rawValue:)) else {
      let names = CompletionShell.names.map { "'\($0)'" }.joined(separator: ", ")
      throw UsageError(
        "No completions for '\(shell.shown)'. Please provide one of: \(names).",
        command: "completions")
    }
    tool.out.write(shell.script(for: CommandTable.root))
    return .success
  }
}
