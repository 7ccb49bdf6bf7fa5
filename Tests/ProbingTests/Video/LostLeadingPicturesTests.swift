import ExactTime
import MediaFacts
import Probing
import Support
import Testing

/// RASL pictures of a CRA picture refer to pictures before it: if there are none, no decoder shows
/// them (ITU-T H.265, 8.1.3 and NoRaslOutputFlag).
@Suite(
  .enabled(if: EncodedClip.isPossible, Comment(rawValue: EncodedClip.absence)),
  .timeLimit(.minutes(5)))
struct `Given HEVC that begins inside an open GOP` {
  private func probe(_ depth: RequestedDepth, in ending: String) async throws -> TrackFacts {
    let folder = try ScratchFolder()
    let path = folder.path(of: "clip." + ending)
    // The keyframe at one second has three leading frames; no edit list hides them.
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-ss", "1", "-i", SampleClips.path("hevc.mp4"), "-c", "copy",
      "-use_editlist", "0", path,
    ])
    let facts = try Prober().probe(
      .file(path: Array(path.utf8)), options: ProbeOptions(depth: depth, wantsKeyframes: true))
    return try #require(facts.tracks.first)
  }

  @Test(arguments: [RequestedDepth.auto, .packets], ["mp4", "ts"])
  func `then it is shown from the first picture that can be decoded`(
    _ depth: RequestedDepth, _ ending: String
  ) async throws {
    let track = try await probe(depth, in: ending)
    let presented = try #require(track.durations.presented)
    #expect(presented.length == MediaDuration(2))
    #expect(track.frameCount == 50)
    #expect(track.keyframes.map(\.frame) == [0, 25])
    #expect(track.keyframes.map(\.leadingFrames) == [3, 2])
    let decoded = try #require(try await probe(.frames, in: ending).durations.decoded)
    #expect(decoded.length == presented.length)
    #expect(decoded.start == presented.start)
  }
}
