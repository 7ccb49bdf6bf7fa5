import Support
import Testing

@testable import TrimCommands

/// A system call that fails between a command and its sealed process, which lives on and waits.
@Suite(
  .enabled(if: BatchRun.harness != nil, BatchRun.absence),
  .enabled(if: SystemTrace.isPossible, "\(SystemTrace.absence)"),
  .timeLimit(.minutes(2)))
struct `Given a request that does not reach the sealed process` {
  private func run(
    _ words: [String], input: [UInt8] = [], fault: String = "sendmsg:error=ENOBUFS:when=1"
  ) async throws -> ProgramRun {
    let harness = try #require(BatchRun.harness)
    let strace = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", "inject=\(fault)"]
    return try await ProgramRun(
      (strace + [harness] + words).map { Array($0.utf8) },
      input: input.isEmpty ? .nothing : .pieces(input, of: 4096), limit: .seconds(40))
  }

  /// Otherwise the wait would last a minute.
  @Test(arguments: [1, 2])
  func `then a process that cannot send its answers ends, and so does the command`(
    _ number: Int
  ) async throws {
    let run = try await run(
      ["probe", "--isolation", "required", SampleClips.path("chapters.mkv")],
      fault: "write:error=ENOSPC:when=\(number)")
    #expect(run.status == (number == 1 ? 69 : 65), "\(run.errText)")
  }

  @Test func `then the command ends, and says so`() async throws {
    let run = try await run(["probe", SampleClips.path("chapters.mkv")])
    #expect(run.status == 70, "\(run.errText)")
    #expect(run.errText.contains("the file could not be handed to the sealed process"))
  }

  @Test func `then a batch gives the task to another process`() async throws {
    let task = #"{"op":"probe","path":"\#(SampleClips.path("chapters.mkv"))"}"#
    let run = try await run(["batch", "-j", "1"], input: Array((task + "\n").utf8))
    #expect(run.status == 0, "\(run.errText)")
    #expect(run.outText.contains(#""attempts":2"#), "\(run.outText)")
  }
}
