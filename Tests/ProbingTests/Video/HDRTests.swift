import ExactTime
import MediaFacts
import Support
import Testing

@testable import Bitstreams
@testable import Probing

/// HDR metadata, in boxes and in the bitstream.
@Suite(.timeLimit(.minutes(1))) struct `Given HDR video` {
  /// BT.2020 primaries, D65, 0.005 to 1000 candela, as boxes and messages have it.
  private static let display: [UInt8] = BitBuilder.bytes { bits in
    for value in [8500, 39_850, 6550, 2300, 35_400, 14_600, 15_635, 16_450] {
      bits.write(value, 16)
    }
    bits.write(10_000_000, 32)
    bits.write(50, 32)
  }
  private static let light: [UInt8] = [0x03, 0xE8, 0x01, 0x90]

  private func message(_ type: UInt8, _ payload: [UInt8]) -> [UInt8] {
    [type, UInt8(payload.count)] + payload
  }

  private func expectStated(_ hdr: HDRFacts?) throws {
    let display = try #require(hdr?.masteringDisplay)
    #expect(display.red == HDRFacts.Chromaticity(x: Rational(177, 250), y: Rational(73, 250)))
    #expect(display.green == HDRFacts.Chromaticity(x: Rational(17, 100), y: Rational(797, 1000)))
    #expect(display.blue == HDRFacts.Chromaticity(x: Rational(131, 1000), y: Rational(23, 500)))
    #expect(display.minimumLuminance == Rational(1, 200))
    #expect(display.maximumLuminance == Rational(1000))
    #expect(hdr?.contentLight == HDRFacts.ContentLight(maximum: 1000, maximumFrameAverage: 400))
  }

  @Test func `then sample entry boxes give the display, the light levels and Dolby Vision`() throws
  {
    var clip = ClipBuilder()
    // Profile 8, level 6, with RPU units, compatible with HDR10.
    let vision: [UInt8] = [1, 0, 8 << 1, 6 << 3 | 0b101, 1 << 4]
    clip.tracks[0].entry = ClipBuilder.videoEntry(
      "hvc1",
      [
        BoxBuilder("mdcv", fields: [.bytes(Self.display)]),
        BoxBuilder("clli", fields: [.bytes(Self.light)]),
        BoxBuilder("dvvC", fields: [.bytes(vision), .zeros(19)]),
      ])
    let folder = try ScratchFolder()
    let path = try folder.write(clip.bytes, to: "clip.mp4")
    let facts = try Prober().probe(.file(path: Array(path.utf8)))
    let hdr = try #require(facts.tracks[0].video?.hdr)
    try expectStated(hdr)
    #expect(hdr.dolbyVision?.profile == 8)
    #expect(hdr.dolbyVision?.level == 6)
    #expect(hdr.dolbyVision?.compatibility == 1)
    #expect(hdr.dolbyVision?.hasEnhancementLayer == false)
    let notes = Set(facts.notes.map(\.id))
    #expect(
      notes.isSuperset(of: [.hdrMasteringDisplay, .hdrContentLight, .hdrDolbyVision]))
  }

  @Test func `then SEI messages and NAL units of HEVC give the same, and HDR10+`() throws {
    let dynamic: [UInt8] = [0xB5, 0x00, 0x3C, 0x00, 0x01, 0x04, 0x01, 0x40]
    let units: [[UInt8]] = [
      [39 << 1, 1] + message(137, Self.display) + message(144, Self.light) + [0x80],
      [39 << 1, 1] + message(4, dynamic) + [0x80],
      [19 << 1, 1, 0x80, 0], [62 << 1, 1, 0x19, 8],
    ]
    let sample = units.flatMap { [0, 0, 0, UInt8($0.count)] as [UInt8] + $0 }
    let facts = HDRReader.facts(codec: "hevc", sample[...], framing: .lengthPrefixed(4))
    try expectStated(facts)
    #expect(facts.hasHDR10Plus)
    #expect(facts.dolbyVision != nil)
    #expect(facts.dolbyVision?.profile == nil)
  }

  @Test func `then metadata OBUs of AV1 give it in their own units`() throws {
    let payload = BitBuilder.bytes { bits in
      for value in [46_400, 19_137, 11_141, 52_232, 8585, 3014, 20_493, 21_561] {
        bits.write(value, 16)
      }
      bits.write(1000 << 8, 32)
      bits.write(82, 32)
    }
    let sample =
      CodedUnits.av1(5, [2] + payload) + CodedUnits.av1(5, [1] + Self.light)
      + CodedUnits.av1(5, [4, 0xB5, 0x00, 0x3C, 0x00, 0x01, 0x04]) + CodedUnits.av1(6, [0x10])
    let facts = HDRReader.facts(codec: "av1", sample[...], framing: .annexB)
    #expect(facts.masteringDisplay?.red?.x == Rational(46_400, 65_536))
    #expect(facts.masteringDisplay?.maximumLuminance == Rational(1000))
    #expect(facts.contentLight?.maximum == 1000)
    #expect(facts.hasHDR10Plus)
  }

  @Test(
    .enabled(if: EncodedClip.isPossible, Comment(rawValue: EncodedClip.absence)),
    arguments: ["mp4", "mkv", "ts"])
  func `then a file from an encoder is reported so in every container`(
    _ ending: String
  ) async throws {
    let folder = try ScratchFolder()
    let path = folder.path(of: "clip." + ending)
    _ = try await EncodedClip.ffmpeg([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x64:d=0.2:r=25", "-pix_fmt",
      "yuv420p10le", "-c:v", "libx265", "-x265-params",
      "log-level=none:hdr10=1:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc:"
        + "master-display=G(8500,39850)B(6550,2300)R(35400,14600)WP(15635,16450)L(10000000,50):"
        + "max-cll=1000,400", path,
    ])
    let facts = try Prober().probe(.file(path: Array(path.utf8)))
    try expectStated(facts.tracks[0].video?.hdr)
    #expect(facts.notes.contains { $0.id == .hdrPQ })
  }

  @Test func `then any bytes are handled`() {
    var generator = SeededGenerator(seed: 2086)
    for _ in 0..<2000 {
      let bytes = (0..<Int.random(in: 0...64, using: &generator)).map { _ in
        UInt8.random(in: .min ... .max, using: &generator)
      }
      for codec in [Codec.hevc, .h264, .av1] {
        for framing in [Framing.annexB, .lengthPrefixed(4), .lengthPrefixed(2)] {
          _ = HDRReader.facts(codec: codec, bytes[...], framing: framing)
        }
      }
      _ = HDRReader.facts(hvcC: bytes)
    }
  }
}
