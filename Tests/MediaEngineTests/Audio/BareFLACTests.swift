import ExactTime
import MediaEngine
import MediaFacts
import Support
import Testing
import Trimming

@Suite(
  .enabled(if: EncodedClip.isPossible, Comment(rawValue: EncodedClip.absence)),
  .timeLimit(.minutes(1)))
struct `Given frames of FLAC without a stream header` {
  private func frames(_ folder: ScratchFolder) async throws -> String {
    let path = folder.path(of: "whole.flac")
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "anoisesrc=r=44100:d=3:seed=3:a=0.4", "-ac", "2", "-c:a",
      "flac", path,
    ])
    let bytes = try fileBytes(path)
    // RFC 9639, 8.1: four letters, then blocks with a flag on the last and a length of 24 bits.
    var place = 4
    var isLast = false
    while !isLast {
      isLast = bytes[place] & 0x80 != 0
      place += 4 + bytes[place + 1..<place + 4].reduce(0) { $0 << 8 | Int($1) }
    }
    return try folder.write(Array(bytes[place...]), to: "frames.flac")
  }

  @Test func `then it is as long as they are`() async throws {
    let folder = try ScratchFolder()
    let path = try await frames(folder)
    let facts = try Prober().probe(.file(path: Array(path.utf8)))
    #expect(facts.durations.presented?.length == MediaDuration(3))
  }

  @Test func `then its waveform is that of the whole file`() async throws {
    let folder = try ScratchFolder()
    let paths = [try await frames(folder), folder.path(of: "whole.flac")]
    let range = try #require(MediaTimeRange(from: MediaTime(1), to: MediaTime(2)))
    let waves = try paths.map { path in
      let bytes = Array(path.utf8)
      let facts = try Prober().probe(.file(path: bytes))
      return try Waveform(
        of: AudioTrack(bytes, facts: facts, origin: .zero), in: range,
        scale: .samplesPerPixel(100))
    }
    #expect(waves[0].channels.map(\.low) == waves[1].channels.map(\.low))
    #expect(waves[0].channels.map(\.high) == waves[1].channels.map(\.high))
  }

  @Test func `when it is cut then it is heard from IN to OUT`() async throws {
    let folder = try ScratchFolder()
    let path = try await frames(folder)
    let output = folder.path(of: "cut.flac")
    let range = try #require(MediaTimeRange(from: MediaTime(1), to: MediaTime(5, 2)))
    _ = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
      CutRequest(range: range, verification: .full), to: Array(output.utf8), as: .flac)
    let words = { (path: String) in ["-v", "error", "-i", path, "-f", "s16le", "-"] }
    let whole = try await EncodedClip.ffmpeg(words(folder.path(of: "whole.flac"))).out
    let heard = try await EncodedClip.ffmpeg(words(output)).out
    let isSame = heard == Array(whole[44_100 * 4..<44_100 * 10])
    #expect(isSame)
  }
}
