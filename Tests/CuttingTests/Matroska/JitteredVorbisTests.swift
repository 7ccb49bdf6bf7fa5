import ExactTime
import MediaEngine
import Support
import Testing
import Trimming

@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given Vorbis in Matroska whose times jump by milliseconds` {
  @Test func `when it is cut anywhere then it is written`() async throws {
    let folder = try ScratchFolder()
    let (even, path) = (folder.path(of: "even.mkv"), folder.path(of: "clip.mkv"))
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "anoisesrc=r=48000:d=8:seed=3:a=0.4", "-c:a", "libvorbis",
      even,
    ])
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-i", even, "-c", "copy", "-bsf:a", "setts=ts=TS+2*mod(N\\,2)", path,
    ])
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    for step in 1...9 as ClosedRange<Int64> {
      let range = try #require(
        MediaTimeRange(
          from: MediaTime(step * 1037, 10_000), to: MediaTime(61_000 + step * 30, 10_000)))
      _ = try clip.cut(
        CutOrder(CutRequest(range: range), to: Array(folder.path(of: "cut\(step).mkv").utf8)))
    }
  }
}
