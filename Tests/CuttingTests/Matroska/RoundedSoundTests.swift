import ExactTime
import MediaEngine
import Support
import Testing
import Trimming

/// The duration of a packet is not a whole number of Matroska's milliseconds.
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given audio in Matroska whose times are rounded` {
  @Test(arguments: [48000, 44100])
  func `when it is decoded into WAV then its samples follow each other as in the source`(
    _ rate: Int
  ) async throws {
    let folder = try ScratchFolder()
    let (path, output) = (folder.path(of: "sound.mka"), folder.path(of: "cut.wav"))
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "anoisesrc=r=\(rate):d=6:seed=3:a=0.4", "-c:a",
      "libvorbis",
      path,
    ])
    let range = try #require(MediaTimeRange(from: MediaTime(1), to: MediaTime(5)))
    _ = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
      CutOrder(CutRequest(range: range), to: Array(output.utf8)))
    let (cut, whole) = (try await samples(output), try await samples(path))
    #expect(cut.count == 4 * rate)
    let middle = cut.count / 2
    let lag = HeardAudio.lag(
      of: cut[middle..<middle + 9000], in: whole, near: rate + middle, atMost: 3000)
    let pairs = zip(cut, whole.dropFirst(rate + lag))
    #expect(pairs.allSatisfy { abs(Int($0.0) - Int($0.1)) <= 2 })
  }

  private func samples(_ path: String) async throws -> [Int16] {
    HeardAudio.samples(
      try await EncodedClip.ffmpeg(["-v", "error", "-i", path, "-f", "s16le", "-"]).out)
  }
}
