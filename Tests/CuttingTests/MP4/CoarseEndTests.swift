import ExactTime
import MediaEngine
import Support
import Testing
import Trimming

/// FFmpeg rounds the end of an edit to media ticks, and does not show a frame that begins there.
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given MP4 in which each frame lasts one tick` {
  @Test(arguments: ["mp4", "mov"], [1, 2, 3] as [Int64])
  func `when it is cut within a frame then that frame is shown`(
    _ ending: String, _ quarters: Int64
  ) async throws {
    let folder = try ScratchFolder()
    let path = folder.path(of: "clip.mp4")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=160x96:rate=25:duration=4", "-c:v",
      "libx264", "-g", "10", "-bf", "0", "-video_track_timescale", "25", path,
    ])
    let output = folder.path(of: "cut." + ending)
    let range = try #require(
      MediaTimeRange(from: MediaTime(1, 5), to: MediaTime(31 * 4 + quarters, 100)))
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let report = try clip.cut(
      CutOrder(CutRequest(range: range, verification: .full), to: Array(output.utf8)))
    #expect(report.plan.frames == 27)
    #expect(try await EncodedClip.pictures(output).pictures.count == 27)
    let facts = try Prober().probe(.file(path: Array(output.utf8)))
    #expect(facts.durations.presented?.length == MediaDuration(31 * 4 + quarters - 20, 100))
  }
}
