import ExactTime
import MediaEngine
import Support
import Testing
import Trimming

/// SVT-AV1 encodes no pictures below 64 pixels a side.
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given AV1 whose frames are smaller than a superblock` {
  @Test(arguments: ["62x62", "64x36"])
  func `when it is cut within a GOP then its edges are encoded`(_ size: String) async throws {
    let folder = try ScratchFolder()
    let (path, output) = (folder.path(of: "clip.mp4"), folder.path(of: "cut.mp4"))
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=\(size):rate=25:duration=2", "-c:v",
      "libaom-av1", "-cpu-used", "8", "-g", "12", "-pix_fmt", "yuv420p", path,
    ])
    let range = try #require(MediaTimeRange(from: MediaTime(17, 25), to: MediaTime(42, 25)))
    let report = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
      CutOrder(CutRequest(range: range, verification: .full), to: Array(output.utf8)))
    #expect(report.plan.frames == 25 && report.plan.encodedFrames > 0)
    let shown = try await EncodedClip.ffmpeg([
      "-v", "error", "-i", output, "-vf", "scale=8:8,format=gray", "-f", "rawvideo", "-",
    ]).out
    #expect(shown.count == 25 * 64)
  }
}
