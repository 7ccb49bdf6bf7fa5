import ExactTime
import MediaEngine
import Support
import Testing
import Trimming

/// QuickTime's older codes are Macintosh's; FFmpeg maps them to bibliographic codes (ISO 639-2/B).
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given tracks whose languages have terminological codes (ISO 639-2/T)` {
  private static let languages = ["deu", "nld", "zho", "eng"]

  @Test(arguments: ["mkv", "ts"], ["mov", "mp4"])
  func `when a part is cut into QuickTime or MP4 then each track keeps its language`(
    _ ending: String, _ output: String
  ) async throws {
    let folder = try ScratchFolder()
    let (path, cut) = (folder.path(of: "clip." + ending), folder.path(of: "cut." + output))
    var words = ["-v", "error", "-f", "lavfi", "-i", "sine=r=48000:d=3", "-c:a", "aac"]
    for (number, language) in Self.languages.enumerated() {
      words += ["-map", "0:a", "-metadata:s:a:\(number)", "language=" + language]
    }
    _ = try await EncodedClip.ffmpeg(words + [path])
    let range = try #require(MediaTimeRange(from: MediaTime(1), to: MediaTime(2)))
    _ = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
      CutOrder(CutRequest(range: range), to: Array(cut.utf8)))
    let facts = try Prober().probe(.file(path: Array(cut.utf8)))
    #expect(facts.tracks.map(\.language) == Self.languages)
  }
}
