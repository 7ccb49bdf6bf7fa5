import ExactTime
import MediaEngine
import MediaFacts
import Support
import Testing

/// A program stream that was cut anywhere: what stands before its first keyframe is not shown.
@Suite(
  .enabled(if: EncodedFilm.isPossible, Comment(rawValue: EncodedFilm.absence)),
  .timeLimit(.minutes(1)))
struct `Given MPEG-2 that begins inside of a group of pictures` {
  /// Sectors of 2048 bytes behind the first keyframe, of films with B pictures.
  private func probe(_ depth: RequestedDepth, droppingSectors count: Int) async throws
    -> MediaFacts
  {
    let folder = try ScratchFolder()
    let path = folder.path(of: "film.vob")
    _ = try await EncodedFilm.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=d=4:r=25:s=160x96", "-c:v", "mpeg2video", "-g",
      "12", "-bf", "2", "-b:v", "300k", "-f", "vob", path,
    ])
    let bytes = try fileBytes(path)
    let cut = try folder.write(Array(bytes.dropFirst(2048 * count)), to: "cut.vob")
    return try Prober().probe(
      .file(path: Array(cut.utf8)), options: ProbeOptions(depth: depth, wantsKeyframes: true))
  }

  @Test(arguments: [1, 3, 5, 9])
  func `then it is shown from its first keyframe on, and decodes so`(_ count: Int) async throws {
    let facts = try await probe(.frames, droppingSectors: count)
    let track = try #require(facts.tracks.first)
    let presented = try #require(track.durations.presented)
    #expect(facts.notes.contains { $0.id == "before-keyframe" })
    #expect(presented.start == track.keyframes.first { $0.frame == 0 }?.time)
    #expect(track.durations.decoded?.length == presented.length)
    #expect(track.durations.decoded?.start == presented.start)
    #expect(
      presented.length == MediaDuration(Int64(try #require(track.frameCount)), 25))
  }
}
