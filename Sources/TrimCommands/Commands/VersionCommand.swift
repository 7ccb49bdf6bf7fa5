import CommandLineKit
import MediaEngine

/// Prints the version: `trim --version`.
struct VersionCommand {
  func run(in tool: Tool) -> ExitStatus {
    var lines = [Version.tool]
    let libraries = tool.engine.report()?.libraries
    lines += libraries?.map { "\($0.name) \($0.version)" } ?? ["FFmpeg: not found"]
    tool.out.write(lines.joined(separator: "\n") + "\n")
    return .success
  }
}
