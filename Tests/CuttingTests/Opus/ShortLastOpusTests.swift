import ExactTime
import MediaEngine
import Support
import Testing
import Trimming

/// In MP4 the last sample lasts as long as it is heard (Encapsulation of Opus in ISO base media,
/// 4.4); Matroska states what is not heard (DiscardPadding; RFC 9559, 5.1.3.5.7), Ogg where sound
/// ends (RFC 7845, 4.4).
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given Opus in MP4 whose last packet is partly heard` {
  @Test(arguments: ["mkv", "webm", "opus"])
  func `when a part up to the end is cut then a decoder outputs no more than the rest`(
    _ ending: String
  ) async throws {
    let folder = try ScratchFolder()
    let path = folder.path(of: "sound.mp4")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "sine=r=48000:d=0.5", "-c:a", "libopus", path,
    ])
    let output = folder.path(of: "cut." + ending)
    let range = try #require(MediaTimeRange(from: MediaTime(1, 10), to: MediaTime(1, 2)))
    let report = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
      CutOrder(CutRequest(range: range, verification: .full), to: Array(output.utf8)))
    #expect(report.length == MediaDuration(2, 5))
    let heard = try await EncodedClip.ffmpeg([
      "-v", "error", "-i", output, "-ac", "1", "-f", "s16le", "-",
    ]).out
    #expect(heard.count / 2 == 19_200)
  }
}
