import ExactTime
import MediaEngine
import MediaFacts
import Support
import Testing
import Trimming

/// The first packet of Vorbis only primes the overlap with the second (Vorbis I, 4.3.8), whether an
/// edit list says so or not.
@Suite(
  .enabled(if: EncodedClip.isPossible, Comment(rawValue: EncodedClip.absence)),
  .timeLimit(.minutes(1)))
struct `Given Vorbis in MP4 without an edit list` {
  private func clip(in folder: ScratchFolder) async throws -> String {
    let path = folder.path(of: "sound.mp4")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "anoisesrc=r=44100:d=3:seed=5:a=0.4", "-c:a",
      "libvorbis", "-use_editlist", "0", path,
    ])
    return path
  }

  @Test(arguments: [RequestedDepth.header, .packets])
  func `then its first packet is not heard`(_ depth: RequestedDepth) async throws {
    let folder = try ScratchFolder()
    let path = try await clip(in: folder)
    let facts = try Prober().probe(
      .file(path: Array(path.utf8)), options: ProbeOptions(depth: depth))
    let sound = try #require(facts.tracks.first)
    let priming = try #require(sound.audio?.priming)
    #expect(priming > 0)
    #expect(sound.durations.presented?.start == MediaTime(Int64(priming), 44100))
    #expect(sound.durations.presented?.length == MediaDuration(3))
  }

  @Test func `when it is cut then it begins where it is heard`() async throws {
    let folder = try ScratchFolder()
    let path = try await clip(in: folder)
    let output = folder.path(of: "cut.mp4")
    let range = try MediaTimeRange(from: .zero, length: MediaDuration(1))
    let report = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
      CutOrder(CutRequest(range: range, verification: .full), to: Array(output.utf8)))
    #expect(report.plan.tracks[0].source == range)
    #expect(report.plan.length == MediaDuration(1))
  }
}
