import ExactTime
import MediaEngine
import MediaFacts
import Support
import Testing
import Trimming

@Suite(.timeLimit(.minutes(1)))
struct `Given a WAV whose samples are stored in more bits than are valid` {
  struct Kind: CustomTestStringConvertible {
    var valid: Int
    var stored: Int

    var testDescription: String { "\(valid) in \(stored)" }
  }

  /// A second of stereo at 8 kHz, with different samples (WAVE_FORMAT_EXTENSIBLE).
  private static func file(_ kind: Kind) -> (bytes: [UInt8], samples: [UInt8]) {
    let bytes = kind.stored / 8
    let little = { (value: Int, count: Int) in
      (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
    let samples = (0..<16_000).flatMap { number in
      little((number * 7919 - 40_000_000) << (kind.stored - kind.valid), bytes)
    }
    let format =
      little(0xFFFE, 2) + little(2, 2) + little(8000, 4) + little(16_000 * bytes, 4)
      + little(2 * bytes, 2) + little(kind.stored, 2) + little(22, 2) + little(kind.valid, 2)
      + little(3, 4) + [1, 0, 0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
    let body =
      Array("WAVE".utf8) + RIFFBuilder.chunk("fmt ", format) + RIFFBuilder.chunk("data", samples)
    return (RIFFBuilder.chunk("RIFF", body), samples)
  }

  @Test(arguments: [
    Kind(valid: 24, stored: 32), Kind(valid: 20, stored: 32), Kind(valid: 20, stored: 24),
    Kind(valid: 12, stored: 24),
  ])
  func `then its length is that of its samples, and a cut keeps them and their valid bits`(
    _ kind: Kind
  ) throws {
    let folder = try ScratchFolder()
    let (bytes, samples) = Self.file(kind)
    let path = try folder.write(bytes, to: "sound.wav")
    for depth in [RequestedDepth.packets, .frames] {
      let facts = try Prober().probe(
        .file(path: Array(path.utf8)), options: ProbeOptions(depth: depth))
      #expect(facts.tracks.map(\.codec) == ["pcm_s\(kind.stored)le"])
      #expect(facts.durations.presented?.length == MediaDuration(1))
      #expect(facts.durations.declared?.length == MediaDuration(1))
      if depth == .frames { #expect(facts.durations.decoded?.length == MediaDuration(1)) }
    }
    let output = folder.path(of: "cut.wav")
    let range = try #require(MediaTimeRange(from: MediaTime(1, 4), to: MediaTime(3, 4)))
    _ = try FileCutter(isCancelled: { false }).open(.file(path: Array(path.utf8))).cut(
      CutRequest(range: range), to: Array(output.utf8), as: .wav)
    let cut = try fileBytes(output)
    let block = kind.stored / 4
    let hasSamples = cut.suffix(4000 * block).elementsEqual(
      samples[2000 * block..<6000 * block])
    #expect(hasSamples)
    let format = try #require(cut.firstRange(of: Array("fmt ".utf8))).upperBound + 4
    #expect(cut[format + 14] == UInt8(kind.stored))
    #expect(cut[format + 18] == UInt8(kind.valid))
  }
}
