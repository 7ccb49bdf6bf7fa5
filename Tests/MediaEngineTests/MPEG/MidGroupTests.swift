import ExactTime
import MediaEngine
import MediaFacts
import Support
import Testing
import Trimming

/// A program stream that was cut anywhere: what precedes its first keyframe is not shown.
@Suite(
  .enabled(if: EncodedClip.isPossible, Comment(rawValue: EncodedClip.absence)),
  .timeLimit(.minutes(1)))
struct `Given MPEG-2 that begins inside a GOP` {
  /// Drops the first sectors of 2048 bytes, with the first keyframe, from a file with B pictures.
  private func make(droppingSectors count: Int, in folder: ScratchFolder) async throws -> String {
    let path = folder.path(of: "clip.vob")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=d=4:r=25:s=160x96", "-f", "lavfi", "-i",
      "anoisesrc=r=48000:d=4:seed=3:a=0.4", "-c:v", "mpeg2video", "-g", "12", "-bf", "2", "-b:v",
      "300k", "-c:a", "ac3", "-f", "vob", path,
    ])
    let bytes = try fileBytes(path)
    return try folder.write(Array(bytes.dropFirst(2048 * count)), to: "cut.vob")
  }

  @Test(arguments: [1, 3, 5, 9])
  func `then it is shown and decoded from its first keyframe on`(_ count: Int) async throws {
    let folder = try ScratchFolder()
    let path = try await make(droppingSectors: count, in: folder)
    let facts = try Prober().probe(
      .file(path: Array(path.utf8)), options: ProbeOptions(depth: .frames, wantsKeyframes: true))
    let track = try #require(facts.tracks.first { $0.kind == .video })
    // The rest of a sound packet at the beginning is not damage.
    #expect(facts.damage.isEmpty)
    let presented = try #require(track.durations.presented)
    #expect(facts.notes.contains { $0.id == .beforeKeyframe })
    #expect(presented.start == track.keyframes.first { $0.frame == 0 }?.time)
    #expect(track.durations.decoded?.length == presented.length)
    #expect(track.durations.decoded?.start == presented.start)
    #expect(
      presented.length == MediaDuration(Int64(try #require(track.frameCount)), 25))
  }

  /// FFmpeg guesses times for the pictures before the keyframe, later than the keyframe's.
  @Test(arguments: Sample.of([1, 3, 5, 9, 14, 22], 2))
  func `then it is cut, and no damage is reported`(_ count: Int) async throws {
    let folder = try ScratchFolder()
    let path = try await make(droppingSectors: count, in: folder)
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let range = try #require(MediaTimeRange(from: MediaTime(6, 5), to: MediaTime(12, 5)))
    for start in [MediaTime.zero, MediaTime(6, 5)] {
      let range = try #require(MediaTimeRange(from: start, to: range.end))
      let report = try clip.cut(
        CutOrder(
          CutRequest(range: range, verification: .full), to: Array(folder.path(of: "c.mkv").utf8),
          replaces: true))
      #expect(report.examination?.damage == [])
    }
  }
}
