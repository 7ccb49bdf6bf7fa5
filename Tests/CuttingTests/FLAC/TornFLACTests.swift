import ExactTime
import MediaEngine
import MediaFacts
import Support
import Testing
import Trimming

/// A last frame truncated by the end of the file is not presented, so no cut has it.
@Suite(
  .enabled(if: EncodedClip.isPossible, Comment(rawValue: EncodedClip.absence)),
  .timeLimit(.minutes(1)))
struct `Given FLAC that ends within a frame` {
  @Test(arguments: ["flac", "mkv", "wav"])
  func `when it is cut beyond its end then the cut has the whole frames`(_ ending: String)
    async throws
  {
    let folder = try ScratchFolder()
    let bytes = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "anoisesrc=r=44100:d=2:seed=3:a=0.3", "-c:a", "flac",
      "-f", "flac", "-",
    ]).out
    let path = try folder.write(Array(bytes.dropLast(700)), to: "sound.flac")
    let facts = try Prober().probe(.file(path: Array(path.utf8)))
    let end = try #require(facts.durations.presented?.length)
    try #require(end < MediaDuration(2))
    let output = folder.path(of: "cut." + ending)
    _ = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
      CutOrder(
        CutRequest(
          range: try #require(MediaTimeRange(from: MediaTime(1, 2), to: MediaTime(3))),
          verification: .full), to: Array(output.utf8)))
    let written = try Prober().probe(.file(path: Array(output.utf8)))
    let length = try #require(written.durations.presented?.length)
    let expected = try end.subtracting(MediaDuration(1, 2))
    // A packet lasts up to 105 ms, by which Matroska may begin early.
    let slack = ending == "mkv" ? MediaDuration(105, 1000) : MediaDuration(1, 1000)
    #expect(try length.subtracting(expected).checkedMagnitude() <= slack)
  }
}
