import ExactTime
import MediaFacts
import Probing
import Support
import Testing

/// Composition offsets are signed, so that media with reordered pictures begin at 0 (ISO 14496-12,
/// 8.6.1.3; CMAF).
///
/// FFmpeg delays fragments by the largest of them.
@Suite(
  .enabled(if: EncodedClip.isPossible, Comment(rawValue: EncodedClip.absence)),
  .timeLimit(.minutes(1)))
struct `Given fragments with negative composition offsets` {
  @Test(arguments: RequestedDepth.allCases)
  func `then what is presented is the same at every depth`(_ depth: RequestedDepth) async throws {
    let folder = try ScratchFolder()
    let path = folder.path(of: "clip.mp4")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=160x96:r=25:d=4", "-c:v", "libx264", "-bf",
      "5", "-g", "25", "-x264-params", "b-pyramid=normal:b-adapt=0", "-movflags",
      "+cmaf+negative_cts_offsets+frag_keyframe", path,
    ])
    let facts = try Prober().probe(
      .file(path: Array(path.utf8)), options: ProbeOptions(depth: depth))
    let presented = try #require(facts.durations.presented)
    #expect(presented.start == .zero)
    #expect(presented.length == MediaDuration(4))
    #expect(!facts.notes.contains { $0.id == .packetsDiffer })
  }
}
