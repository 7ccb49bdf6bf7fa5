/// A run of the tool under `strace`: which files it opened and which sockets it made, or other calls.
package struct SystemTrace: Sendable {
  package var run: ProgramRun
  /// The lines of its calls: unless others are traced, to `open` and to socket functions.
  package var calls: [String]

  /// Whether programs may be traced here.
  package static let isPossible: Bool = {
    let run = try? ProgramRun(
      blocking: ["strace", "-o", "/dev/null", "true"].map { Array($0.utf8) })
    return run?.status == 0
  }()

  /// The message of tests that are skipped without it.
  package static let absence = "strace is missing or not allowed here"

  package init(
    _ words: [[UInt8]], environment: [String: String] = [:], folder: ScratchFolder,
    tracing: String = "open,openat,openat2,socket,connect"
  ) async throws {
    guard let tool = BuiltTool.path else {
      throw ScratchFolder.SystemFailure(call: "trim", number: 2)
    }
    let log = folder.path(of: "trace")
    let strace =
      ["strace", "-f", "-qq", "-y", "-s", "4096", "-e"]
      + ["trace=\(tracing),execve", "-o", log, tool]
    run = try await ProgramRun(
      strace.map { Array($0.utf8) } + words, environment: environment)
    let text = String(decoding: try fileBytes(log), as: UTF8.self)
    calls = text.split(separator: "\n").map(String.init).filter { !$0.contains("execve(") }
  }

  /// The calls that opened a given name, or tried to.
  package func openings(of name: String) -> [String] {
    calls.filter { $0.contains("open") && $0.contains(name) }
  }

  package var sockets: [String] {
    calls.filter { $0.contains("socket(") || $0.contains("connect(") }
  }
}
