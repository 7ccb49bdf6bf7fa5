import CommandLineKit
import Glibc
import MediaEngine
import Support
import Testing

@testable import TrimCommands

@Suite(.enabled(if: BuiltTool.path != nil, BuiltTool.absence), .timeLimit(.minutes(1)))
struct `Given a system with little to spare` {
  private func run(_ limit: String, _ words: [String], input: ProgramRun.Input = .nothing)
    async throws -> ProgramRun
  {
    let tool = try #require(BuiltTool.path)
    return try await ProgramRun(
      (["sh", "-c", "ulimit \(limit); exec \"$0\" \"$@\"", tool] + words).map { Array($0.utf8) },
      input: input)
  }

  @Test(arguments: ["-n 4", "-v 204800"])
  func `when FFmpeg is there but cannot be loaded, then installing it is no advice`(
    _ limit: String
  ) async throws {
    let run = try await run(limit, ["probe", SampleClips.path("chapters.mkv")])
    #expect(run.status == 75, "\(run.errText)")
    #expect(!run.errText.contains("nstall"))
    #expect(run.errText.contains("ulimit"))
  }

  @Test func `when few files may be open, then a batch still works`() async throws {
    let task = BatchRun.task("a", "probe", path: SampleClips.path("chapters.mkv")) + "\n"
    let run = try await run("-n 8", ["batch"], input: .pieces(Array(task.utf8), of: 4096))
    let rows = try run.out.split(separator: UInt8(ascii: "\n")).map { try JSONReader.read($0) }
    #expect(rows.map { $0["error"] } == [.null])
  }

  /// Root has no limit on its processes, so this runs as nobody.
  @Test(.enabled(if: getuid() == 0, "only root can become another user"))
  func `when no thread can be started, then a cut is to be tried again`() async throws {
    let folder = try ScratchFolder()
    chmod(folder.path, 0o777)
    let clip = try folder.write(SampleClips.bytes("b-frames.mp4"), to: "clip.mp4")
    chmod(clip, 0o644)
    let tool = try #require(BuiltTool.path)
    let line = "ulimit -u 1; exec \"$0\" \"$@\""
    let run = try await ProgramRun(
      [
        "setpriv", "--reuid=61234", "--regid=61234", "--clear-groups", "sh", "-c", line, tool,
        "cut", clip, "--from", "0.5", "--to", "1.5", "-o", folder.path(of: "out.mkv"),
      ].map { Array($0.utf8) })
    // A folder on the way to the tool may be closed to others (126, 127).
    guard run.status != 126, run.status != 127 else { return }
    #expect(run.status == 75, "\(run.errText)")
    #expect(!run.errText.contains("ownload"))
  }
}
