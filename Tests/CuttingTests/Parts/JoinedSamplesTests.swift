import ExactTime
import MediaEngine
import Support
import Testing
import Trimming

@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given uncompressed audio with many joined parts that begin and end within samples` {
  /// Fortieths and 559ths of a second: almost none is a whole number of samples at 11025 Hz.
  private static let parts: [(from: MediaTime, to: MediaTime)] = (0..<12).map { number in
    (MediaTime(13 * number + 1, 40), MediaTime(7 * (26 * number + 9), 7 * 80 - 1))
  }

  @Test(arguments: ["wav", "flv", "avi", "mkv", "mov", "aiff"])
  func `then together they are as long as the sum of the parts, to a sample`(
    _ ending: String
  ) async throws {
    let folder = try ScratchFolder()
    let path = folder.path(of: "clip.wav")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "anoisesrc=r=11025:d=6:seed=3:a=0.3", path,
    ])
    let ranges = try Self.parts.map { try #require(MediaTimeRange(from: $0.from, to: $0.to)) }
    var request = CutRequest(range: ranges[0], verification: .full)
    for range in ranges.dropFirst() { request.join(range) }
    let output = folder.path(of: "cut." + ending)
    _ = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
      CutOrder(request, to: Array(output.utf8)))
    let heard = try await EncodedClip.ffmpeg(["-v", "error", "-i", output, "-f", "s16le", "-"]).out
    let length = try ranges.reduce(Rational(0)) { try $0.adding($1.length.seconds) }
    let samples = try length.multiplied(by: Rational(11025)).rounded(.nearest)
    #expect(abs(Int64(heard.count / 2) - samples) <= 1)
  }
}
