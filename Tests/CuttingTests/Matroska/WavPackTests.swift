import ExactTime
import MediaEngine
import Support
import Testing
import Trimming

/// FFmpeg writes WavPack blocks without a duration into Matroska.
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given WavPack in Matroska whose last block is shorter` {
  @Test func `then it lasts as many samples as its blocks state, and so does a cut to the end`()
    async throws
  {
    let folder = try ScratchFolder()
    let path = folder.path(of: "sound.mka")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "anoisesrc=r=44100:d=2.14:seed=3:a=0.4", "-ac", "2",
      "-c:a", "wavpack", path,
    ])
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let presented = try #require(clip.facts.durations.presented?.length)
    #expect(presented == MediaDuration(94_374, 44_100))
    let range = try #require(MediaTimeRange(from: MediaTime(1), to: MediaTime(3)))
    let output = folder.path(of: "cut.mka")
    let report = try clip.cut(
      CutOrder(CutRequest(range: range, verification: .full), to: Array(output.utf8)))
    let written = try FileCutter(isCancelled: { false }).open(.file(path: Array(output.utf8)))
    #expect(written.facts.durations.presented?.length == report.length)
    #expect(report.length.seconds < Rational(12, 10))
  }
}
