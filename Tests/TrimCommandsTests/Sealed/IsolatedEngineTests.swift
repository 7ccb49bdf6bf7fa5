import MediaEngine
import MediaFacts
import Support
import Testing

@Suite(
  .enabled(if: ChildProcess.path(ofExecutable: "IsolationHarness") != nil, "IsolationHarness"),
  .timeLimit(.minutes(1)))
struct `Given a program that embeds the sealed engine` {
  /// A file that FFmpeg must read.
  private let clip = SampleClips.path("broadcast.ts")

  private func lines(_ words: String..., in folder: String? = nil) async throws -> [String] {
    let harness = try #require(ChildProcess.path(ofExecutable: "IsolationHarness"))
    let run = try await ProgramRun(
      ([harness] + words).map { Array($0.utf8) }, folder: folder, limit: .seconds(30))
    #expect(run.status == 0)
    return String(decoding: run.out, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  private func presented(_ path: String) throws -> String {
    let facts = try Prober().probe(.file(path: Array(path.utf8)))
    return "presented \(try #require(facts.durations.presented).length.seconds)"
  }

  @Test func `then a probe reports the same as without a seal, and main runs once`() async throws {
    #expect(try await lines("probe", clip) == ["main", try presented(clip)])
  }

  @Test func `then MP4 needs no separate process`() async throws {
    let native = SampleClips.path("under-limit.mp4")
    #expect(try await lines("seals", native) == ["main"])
    #expect(try await lines("probe", native) == ["main", try presented(native)])
  }

  @Test func `then the process that reads has no privileges and a system call filter`() async throws
  {
    #expect(try await lines("seals", clip) == ["main", "NoNewPrivs:\t1", "Seccomp:\t2"])
  }

  @Test func `then a cut appears as a complete file`() async throws {
    let folder = try ScratchFolder()
    let made = folder.path + "/part.mp4"
    #expect(try await lines("cut", clip, "1", "2", made) == ["main", "written 1"])
    #expect(folder.names == [Array("part.mp4".utf8)])
  }

  @Test func `then a process that was killed is replaced by another`() async throws {
    let expected = try presented(clip)
    let reported = try await lines("killed", clip)
    #expect(reported == ["main", expected, expected])
  }

  @Test func `then an error is the same as without a seal`() async throws {
    #expect(try await lines("probe", "/nowhere.ts") == ["main", "error inputMissing"])
    let text = SampleClips.path("not-media.mp4")
    #expect(try await lines("probe", text) == ["main", "error notMedia"])
  }

  @Test func `then nothing is read if the program does not serve`() async throws {
    #expect(try await lines("unserved", clip) == ["main", "error notIsolated"])
  }
}
