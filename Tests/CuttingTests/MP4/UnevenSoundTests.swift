import ExactTime
import MediaEngine
import Support
import Testing
import Trimming

/// Files converted from Matroska: packets of 1,024 samples with durations in milliseconds.
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given AAC in MP4 whose packets state different durations` {
  @Test(arguments: ["ts", "mkv", "mp4", "aac"])
  func `when it is cut then it is written`(_ ending: String) async throws {
    let folder = try ScratchFolder()
    let (even, path) = (folder.path(of: "even.m4a"), folder.path(of: "uneven.mp4"))
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "anoisesrc=r=48000:d=6:seed=3:a=0.4", "-c:a", "aac", even,
    ])
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-i", even, "-c", "copy", "-bsf:a", "setts=ts=TS+40*mod(N\\,3)", path,
    ])
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    for step in 1...6 as ClosedRange<Int64> {
      let range = try #require(
        MediaTimeRange(from: MediaTime(step * 137, 1000), to: MediaTime(4000 + step * 31, 1000)))
      _ = try clip.cut(
        CutOrder(CutRequest(range: range), to: Array(folder.path(of: "\(step)." + ending).utf8)))
    }
  }
}
