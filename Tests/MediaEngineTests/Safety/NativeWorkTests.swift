import ExactTime
import MediaEngine
import Support
import Testing
import Trimming

@Suite(.timeLimit(.minutes(1))) struct `Given work that is done with FFmpeg locked out` {
  private func path(_ name: String) -> [UInt8] { Array(SampleClips.path(name).utf8) }

  private func cut(
    _ name: String, _ from: MediaTime, _ to: MediaTime, into output: String,
    as container: OutputContainer = .mp4, _ verification: CutRequest.Verification = .written
  ) throws -> CutReport? {
    let range = try #require(MediaTimeRange(from: from, to: to))
    let input = path(name)
    return try NativeWork.attempt { () throws(MediaError) in
      let clip = try FileCutter(isCancelled: { false }).open(.file(path: input))
      return try clip.cut(
        CutRequest(range: range, verification: verification), to: Array(output.utf8),
        as: container)
    }
  }

  @Test func `when MP4 is cut from keyframe to keyframe then it is written and proven`() throws {
    let folder = try ScratchFolder()
    let output = folder.path(of: "cut.mp4")
    let report = try #require(try cut("b-frames.mp4", .zero, MediaTime(1), into: output))
    #expect(report.plan.tracks.allSatisfy { $0.encoded == 0 })
    let facts = try Prober().probe(.file(path: Array(output.utf8)))
    #expect(facts.durations.presented?.length == MediaDuration(1))
  }

  @Test func `when its proof would decode then that is known in advance, and it is not attempted`()
    throws
  {
    let folder = try ScratchFolder()
    let output = folder.path(of: "cut.mp4")
    #expect(try cut("b-frames.mp4", .zero, MediaTime(1), into: output, .edges) == nil)
    #expect(folder.names.isEmpty)
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: path("b-frames.mp4")))
    let range = try #require(MediaTimeRange(from: .zero, to: MediaTime(1)))
    for (verification, decodes) in [
      (CutRequest.Verification.edges, true), (.full, true), (.written, false),
    ] {
      let plan = try clip.plan(CutRequest(range: range, verification: verification), for: .mp4)
      #expect(try clip.decodesInProof(plan) == decodes)
    }
  }

  @Test func `when frames would be re-encoded then it is not attempted, with no file left`() throws
  {
    let folder = try ScratchFolder()
    let output = folder.path(of: "cut.mp4")
    #expect(try cut("b-frames.mp4", MediaTime(3, 5), MediaTime(5, 2), into: output) == nil)
    #expect(folder.names.isEmpty)
  }

  @Test(arguments: ["chapters.mkv", "broadcast.ts", "gapless.mp3"])
  func `when it is not MP4 then it is not attempted`(_ name: String) throws {
    let folder = try ScratchFolder()
    #expect(try cut(name, .zero, MediaTime(1), into: folder.path(of: "cut.mp4")) == nil)
  }

  @Test func `when another container is requested then it is not attempted`() throws {
    let folder = try ScratchFolder()
    let output = folder.path(of: "cut.mkv")
    #expect(
      try cut("b-frames.mp4", .zero, MediaTime(1), into: output, as: .matroska) == nil)
    #expect(folder.names.isEmpty)
  }

  @Test func `when it fails for another reason then that is reported`() throws {
    let folder = try ScratchFolder()
    let error = #expect(throws: MediaError.self) {
      try cut("b-frames.mp4", MediaTime(100), MediaTime(101), into: folder.path(of: "cut.mp4"))
    }
    #expect(error?.code == .emptyRange)
  }

  @Test func `then FFmpeg is allowed again afterward`() throws {
    let folder = try ScratchFolder()
    #expect(try cut("chapters.mkv", .zero, MediaTime(1), into: folder.path(of: "cut.mkv")) == nil)
    let facts = try Prober().probe(
      .file(path: path("chapters.mkv")), options: ProbeOptions(depth: .packets))
    #expect(facts.depth == .packets)
  }
}
