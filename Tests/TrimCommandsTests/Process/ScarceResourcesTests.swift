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

  @Test func `when no more files may be open, then the disk is not blamed`() async throws {
    let folder = try ScratchFolder()
    let clip = SampleClips.path("b-frames.mp4")
    // Each opens something else before, so that it is the input that cannot be opened.
    try folder.write(Array((clip + "\n").utf8), to: "list")
    for (limit, words) in [
      ("-n 5", ["wave", clip, "-o", folder.path(of: "wave.png")]),
      ("-n 4", ["probe", "--files-from", folder.path(of: "list")]),
    ] {
      let run = try await run(limit, words)
      #expect(run.errText.contains("\(clip): too many files are open"), "\(words): \(run.errText)")
      #expect(run.errText.contains("ulimit -n"))
      #expect(!run.errText.contains("disk"))
    }
    #expect(folder.names == [Array("list".utf8)])
  }

  @Test func `when a call fails for lack of something, then what lacks is said`() {
    for code in [EMFILE, ENFILE, ENOMEM] {
      let shortage = SystemShortage(code)
      let wanted = shortage?.message ?? "nothing"
      #expect(MediaError(creating: code).message.hasSuffix(wanted))
      #expect(MediaError(openingFolder: code).message.hasSuffix(wanted))
      #expect(MediaError(creating: code).code.exitStatus == .temporaryFailure)
      #expect(MediaError(creating: code).hint == shortage?.hint)
    }
    #expect(SystemShortage(ENOSPC) == nil)
  }

  @Test func `when no process can be started, then the limit that was reached is named`() {
    #expect(BatchFailure.cannotStart(EMFILE).hint?.contains("ulimit -n") == true)
    #expect(BatchFailure.cannotStart(EAGAIN).hint?.contains("ulimit -u") == true)
  }
}
