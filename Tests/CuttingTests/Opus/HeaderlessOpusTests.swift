import ExactTime
import MediaEngine
import Support
import Testing
import Trimming

@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given Opus in CAF without its identification header` {
  /// RFC 7845, 5.1: nothing else states the channel count and the pre-skip.
  @Test(arguments: ["mka", "webm", "opus", "mp4"])
  func `then it is refused for that reason`(_ ending: String) async throws {
    let folder = try ScratchFolder()
    let path = folder.path(of: "sound.caf")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "sine=r=48000:d=3", "-c:a", "libopus", path,
    ])
    let clip = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    let range = try #require(MediaTimeRange(from: MediaTime(1), to: MediaTime(2)))
    let error = #expect(throws: MediaError.self) {
      try clip.cut(
        CutOrder(CutRequest(range: range), to: Array(folder.path(of: "cut." + ending).utf8)))
    }
    #expect(error?.code == .notCuttable)
    #expect(error?.message.contains("identification header") == true)
  }
}
