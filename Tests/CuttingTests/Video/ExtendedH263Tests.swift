import ExactTime
import MediaEngine
import Support
import Testing
import Trimming

/// For the five sizes of the first edition, FFmpeg's H.263 encoder leaves out PLUSPTYPE.
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given H.263+ in a standard H.263 size` {
  @Test(arguments: ["mov", "mkv", "avi"])
  func `when parts are joined then copied pictures decode after encoded ones`(
    _ ending: String
  ) async throws {
    let folder = try ScratchFolder()
    let path = folder.path(of: "clip." + ending)
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=176x144:r=25:d=6", "-c:v", "h263p", "-g",
      "12", path,
    ])
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    func range(_ frames: Range<Int64>) throws -> MediaTimeRange {
      try #require(
        MediaTimeRange(
          from: MediaTime(frames.lowerBound, 25), to: MediaTime(frames.upperBound, 25)))
    }
    var request = CutRequest(range: try range(60..<66), verification: .full)
    request.join(try range(13..<36))
    let output = folder.path(of: "joined." + ending)
    let report = try clip.cut(CutOrder(request, to: Array(output.utf8)))
    #expect(report.plan.frames == 29)
    let run = try await EncodedClip.ffmpeg([
      "-v", "warning", "-i", output, "-f", "rawvideo", "-pix_fmt", "gray", "-",
    ])
    #expect(run.out.count == 29 * 176 * 144)
    #expect(run.errText.isEmpty, "\(run.errText)")
  }
}
