/// Tells which version this is: `trim --version`.
struct VersionCommand {
  func run(in tool: Tool) -> ExitStatus {
    tool.out.write(Version.tool + "\n")
    return .success
  }
}
