import ExactTime
import MediaEngine
import Support
import Testing
import Trimming

/// Matroska has whole milliseconds, of which FFmpeg reads two at zero as pictures of two frames.
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given four frames within a third of a millisecond` {
  @Test(
    arguments: ["mjpeg", "libx264"],
    [(MediaTime(3, 2), 53), (MediaTime(2), 40), (MediaTime(20_001, 10_000), 39)])
  func `when a part begins before them or with one of them then Matroska shows them in order`(
    _ codec: String, _ part: (start: MediaTime, count: Int)
  ) async throws {
    let folder = try ScratchFolder()
    let (path, output) = (folder.path(of: "clip.mov"), folder.path(of: "cut.mkv"))
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=160x96:r=25:d=4", "-vf",
      "settb=1/100000,setpts='if(between(N,51,53),(N-50)*10+200000,PTS)'", "-fps_mode",
      "passthrough", "-enc_time_base", "1/100000", "-c:v", codec, "-g", "25",
      "-video_track_timescale", "100000", path,
    ])
    let range = try #require(MediaTimeRange(from: part.start, to: MediaTime(18, 5)))
    let report = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
      CutOrder(CutRequest(range: range, verification: .full), to: Array(output.utf8)))
    #expect(report.plan.tracks[0].packets == part.count)
    let pictures = try await EncodedClip.pictures(output).pictures
    #expect(pictures.count == part.count)
    guard codec == "mjpeg" else { return }
    let all = try await EncodedClip.pictures(path).pictures
    #expect(pictures == Array(all[90 - part.count..<90]))
  }
}
