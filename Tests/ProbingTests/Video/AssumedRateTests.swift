import ExactTime
import MediaFacts
import Probing
import Support
import Testing

@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given video without a container` {
  private func facts(_ words: [String], _ ending: String) async throws -> MediaFacts {
    let folder = try ScratchFolder()
    let path = folder.path(of: "clip." + ending)
    _ = try await EncodedClip.ffmpeg(
      ["-v", "error", "-f", "lavfi", "-i", "testsrc2=size=64x64:rate=30:duration=1"] + words
        + [path])
    return try Prober().probe(
      .file(path: Array(path.utf8)), options: ProbeOptions(depth: .packets))
  }

  @Test func `when its headers state no rate then it is noted that one is assumed`() async throws {
    let facts = try await facts(
      ["-c:v", "libx265", "-x265-params", "log-level=none:vui-timing-info=0"], "hevc")
    #expect(facts.durations.presented?.length == MediaDuration(30, 25))
    let notes = facts.notes.filter { $0.id == .frameRateAssumed }
    #expect(notes.count == 1 && notes.first?.text.contains("25 frames per second") == true)
  }

  @Test(
    arguments: [
      (["-c:v", "libx265", "-x265-params", "log-level=none"], "hevc"),
      (["-c:v", "libx264", "-preset", "ultrafast"], "h264"), (["-c:v", "mpeg2video"], "m2v"),
    ])
  func `when they state it then it is used`(_ words: [String], _ ending: String) async throws {
    let facts = try await facts(words, ending)
    #expect(facts.durations.presented?.length == MediaDuration(1))
    #expect(!facts.notes.contains { $0.id == .frameRateAssumed })
  }
}
