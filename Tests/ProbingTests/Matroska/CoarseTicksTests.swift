import ExactTime
import MediaFacts
import Probing
import Support
import Testing

@Suite(
  .enabled(if: EncodedClip.isPossible, Comment(rawValue: EncodedClip.absence)),
  .timeLimit(.minutes(1)))
struct `Given audio in Matroska, which counts milliseconds` {
  @Test(arguments: ["libvorbis", "libopus", "flac", "aac", "pcm_s16le", "pcm_s24le", "pcm_f32le"])
  func `then it is as long as its decoded audio, to the sample`(_ codec: String) async throws {
    let folder = try ScratchFolder()
    let path = folder.path(of: "sound.mka")
    // 59,256 samples: not a whole number of milliseconds.
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "anoisesrc=r=48000:d=1.2345:seed=3:a=0.4", "-c:a", codec,
      path,
    ])
    let decoded = try await EncodedClip.ffmpeg([
      "-v", "error", "-i", path, "-c:a", "pcm_s16le", "-f", "s16le", "-",
    ])
    let facts = try Prober().probe(.file(path: Array(path.utf8)))
    let length = try #require(facts.durations.presented?.length)
    #expect(length == MediaDuration(Int64(decoded.out.count / 2), 48000))
  }
}
