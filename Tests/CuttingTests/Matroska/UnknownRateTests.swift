import ExactTime
import MediaEngine
import Support
import Testing
import Trimming

/// A browser recording for which FFmpeg finds no rate: no block states a duration.
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given WebM video without a known frame rate` {
  @Test(arguments: ["mp4", "webm"])
  func `when it is cut to the end then the last frame lasts as long as the probe reports`(
    _ ending: String
  ) async throws {
    let folder = try ScratchFolder()
    let path = folder.path(of: "clip.webm")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x48:r=1000:d=2", "-vf",
      "select='eq(n,0)+eq(n,61)+eq(n,150)+eq(n,311)+eq(n,402)+eq(n,660)+eq(n,801)'", "-fps_mode",
      "passthrough", "-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8", path,
    ])
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let end = try #require(clip.facts.durations.presented?.end)
    #expect(end > MediaTime(801, 1000))
    let range = try #require(MediaTimeRange(from: MediaTime(311, 1000), to: end))
    let output = folder.path(of: "cut." + ending)
    let report = try clip.cut(CutOrder(CutRequest(range: range), to: Array(output.utf8)))
    #expect(report.plan.frames == 4)
    let written = try Prober().probe(.file(path: Array(output.utf8))).durations.presented
    let difference = try #require(try written?.length.subtracting(range.checkedLength()))
    #expect(try difference.checkedMagnitude() <= MediaDuration(1, 1000))
  }
}
