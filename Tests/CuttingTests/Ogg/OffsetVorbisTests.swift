import ExactTime
import MediaEngine
import Support
import Testing
import Trimming

/// A recording that was joined mid-stream: positions begin high (Vorbis I, A.2).
@Suite(.enabled(if: EncodedClip.isPossible, "\(EncodedClip.absence)"), .timeLimit(.minutes(1)))
struct `Given Vorbis in Ogg whose positions begin late` {
  private let offset: Int64 = 2_116_864

  private func sound(in folder: ScratchFolder) async throws -> String {
    let plain = folder.path(of: "plain.ogg")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "anoisesrc=r=44100:d=6:seed=5:a=0.4", "-c:a",
      "libvorbis", "-ac", "1", "-page_duration", "200000", plain,
    ])
    var stream = OggPages(try fileBytes(plain))
    for place in stream.pages.indices where stream.pages[place].granule > 0 {
      stream.pages[place].granule += offset
    }
    return try folder.write(stream.file, to: "late.ogg")
  }

  @Test func `then the first packet, which primes the overlap, is not presented`() async throws {
    let folder = try ScratchFolder()
    let late = try await sound(in: folder)
    let facts = try Prober().probe(.file(path: Array(late.utf8)))
    let heard = try #require(facts.tracks.first?.durations.presented)
    #expect(heard.start == MediaTime(offset, 44100))
    #expect(heard.length == MediaDuration(6))
  }

  @Test func `when it is cut from its beginning then it is complete`() async throws {
    let folder = try ScratchFolder()
    let late = try await sound(in: folder)
    let output = folder.path(of: "cut.ogg")
    let range = try #require(MediaTimeRange(from: .zero, to: MediaTime(5, 2)))
    _ = try FileCutter(isCancelled: { false }).open(.file(path: Array(late.utf8))).cut(
      CutOrder(CutRequest(range: range, verification: .full), to: Array(output.utf8)))
    let heard = try await samples(output)
    #expect(heard.count == 110_250)
    let lag = HeardAudio.lag(of: heard[20_000..<50_000], in: try await samples(late), near: 20_000)
    #expect(lag == 0)
  }

  private func samples(_ path: String) async throws -> [Int16] {
    HeardAudio.samples(
      try await EncodedClip.ffmpeg(["-v", "error", "-i", path, "-f", "s16le", "-"]).out)
  }
}
