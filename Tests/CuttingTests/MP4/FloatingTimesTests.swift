import ExactTime
import MediaEngine
import Support
import Testing
import Trimming

/// Programs print binary floating-point times with up to 17 digits: 0.1 + 0.2 is 0.30000000000000004.
@Suite(
  .enabled(if: EncodedClip.isPossible, Comment(rawValue: EncodedClip.absence)),
  .timeLimit(.minutes(1)))
struct `Given times as floating point prints them` {
  @Test(arguments: ["mp4", "mkv", "m4a", "ts"])
  func `when a file is cut there then the intended times are used`(
    _ ending: String
  ) async throws {
    let folder = try ScratchFolder()
    let path = folder.path(of: "clip.mp4")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=96x64:r=30000/1001:d=4", "-f", "lavfi",
      "-i", "sine=r=44100:d=4", "-c:v", "libx264", "-g", "15", "-c:a", "aac", path,
    ])
    let cutter = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8)))
    func plan(_ from: Rational, _ to: Rational) throws -> CutPlan {
      let range = MediaTimeRange(from: MediaTime(seconds: from), to: MediaTime(seconds: to))
      return try cutter.plan(
        CutOrder(
          CutRequest(range: try #require(range)), to: Array(folder.path(of: "cut." + ending).utf8)))
    }
    let printed = try plan(
      Rational(30_000_000_000_000_004, 100_000_000_000_000_000),
      Rational(17_999_999_999_999_998, 10_000_000_000_000_000))
    #expect(printed == (try plan(Rational(3, 10), Rational(9, 5))))
  }
}
