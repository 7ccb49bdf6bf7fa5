import MediaFacts
import Support
import Testing

@testable import Bitstreams

@Suite(.timeLimit(.minutes(5)))
struct `Given an audio packet` {
  @Suite
  struct `When its length in samples is read` {
    @Test(
      arguments: [
        ("one SILK frame of 10 ms", [0 << 3], 480), ("one SILK frame of 60 ms", [3 << 3], 2880),
        ("one hybrid frame of 20 ms", [13 << 3], 960), ("one CELT frame of 2.5 ms", [16 << 3], 120),
        ("two CELT frames of 20 ms", [31 << 3 | 1], 1920),
        ("three SILK frames of 20 ms", [1 << 3 | 3, 3], 2880),
        ("forty-eight frames of 2.5 ms", [28 << 3 | 3, 48], 5760),
      ] as [(String, [UInt8], Int)])
    func `then Opus states it in its first bytes`(name: String, packet: [UInt8], samples: Int) {
      #expect(
        AudioFrameLength.samples(codec: "opus", packet, frameSize: 960) == .samples(samples))
    }

    @Test(
      arguments: [("nothing", []), ("no frame", [3, 0]), ("more than 120 ms", [3 << 3 | 3, 3])]
        as [(String, [UInt8])])
    func `then anything other than an Opus packet has none`(name: String, packet: [UInt8]) {
      #expect(AudioFrameLength.samples(codec: "opus", packet, frameSize: 960) == .nothing)
    }

    @Test(
      arguments: [
        ("mp3", [0xFF, 0xFB, 0x90, 0x64], 417, 1152), ("mp3", [0xFF, 0xFB, 0x92, 0x64], 418, 1152),
        ("mp3", [0xFF, 0xF3, 0x40, 0xC4], 104, 576), ("mp2", [0xFF, 0xFD, 0xA4, 0x00], 576, 1152),
        ("mp1", [0xFF, 0xFF, 0xC4, 0x00], 384, 384),
      ] as [(Codec, [UInt8], Int, Int)])
    func `then MPEG audio states it in its header, when the frame is whole`(
      codec: Codec, header: [UInt8], byteCount: Int, samples: Int
    ) {
      let whole = header + [UInt8](repeating: 0, count: byteCount - header.count)
      #expect(AudioFrameLength.samples(codec: codec, whole, frameSize: 0) == .samples(samples))
      #expect(
        AudioFrameLength.samples(codec: codec, whole.dropLast(), frameSize: 0) == .cutShort)
    }

    @Test(
      arguments: [
        (0x10, [], 192), (0x20, [], 576), (0x50, [], 4608), (0x80, [], 256), (0xF0, [], 32768),
        (0x60, [0x1F], 32), (0x70, [0x0F, 0xFF], 4096),
      ] as [(UInt8, [UInt8], Int)])
    func `then FLAC states it in its header`(code: UInt8, size: [UInt8], samples: Int) {
      // A two-byte frame number precedes an explicit block size.
      let packet: [UInt8] = [0xFF, 0xF8, code | 9, 0x18, 0xC2, 0x80] + size + [0, 0]
      #expect(AudioFrameLength.samples(codec: "flac", packet, frameSize: 0) == .samples(samples))
    }

    @Test(
      arguments: [
        ("six blocks", [3], 1536), ("one block", [0], 256),
        ("six of one", [0, 0, 0, 0, 0, 0], 1536),
      ]
        as [(String, [Int], Int)])
    func `then E-AC-3 counts the blocks of its frames`(
      name: String, codes: [Int], samples: Int
    ) {
      let packet = codes.flatMap { Self.enhanced(blocks: $0) }
      #expect(AudioFrameLength.samples(codec: "eac3", packet, frameSize: 1) == .samples(samples))
    }

    @Test(arguments: [(15, 512), (7, 256), (31, 1024), (63, 2048)])
    func `then DTS counts its blocks of 32`(blocks: Int, samples: Int) {
      let head = Self.core(blocks: blocks)
      let whole = head + [UInt8](repeating: 0, count: 100 - head.count)
      #expect(AudioFrameLength.samples(codec: "dts", whole, frameSize: 0) == .samples(samples))
      #expect(
        AudioFrameLength.samples(codec: "dts", whole.dropLast(), frameSize: 0) == .cutShort)
      // The same in little-endian words.
      var swapped = whole
      for place in stride(from: 0, to: 100, by: 2) { swapped.swapAt(place, place + 1) }
      #expect(AudioFrameLength.samples(codec: "dts", swapped, frameSize: 0) == .samples(samples))
    }

    @Test func `then DTS with an extension, which may have another rate, has none`() {
      let head = Self.core(blocks: 15)
      let core = head + [UInt8](repeating: 0, count: 100 - head.count)
      let more: [UInt8] = [0x64, 0x58, 0x20, 0x25, 0, 0, 0, 1, 0xF0, 0]
      #expect(
        AudioFrameLength.samples(
          codec: "dts", core + more + [UInt8](repeating: 0, count: 100), frameSize: 0) == .unknown)
    }

    /// The header of a 100-byte core (ETSI TS 102 114, 5.3.1).
    private static func core(blocks: Int) -> [UInt8] {
      BitBuilder.bytes { bits in
        for (value, count) in [
          (0x7FFE, 16), (0x8001, 16), (1, 1), (31, 5), (0, 1), (blocks, 7), (99, 14), (0, 40),
        ] {
          bits.write(value, count)
        }
      }
    }

    @Test
    func `then a dependent substream of E-AC-3 adds none`() {
      let packet = Self.enhanced(blocks: 3) + Self.enhanced(blocks: 3, isDependent: true)
      #expect(AudioFrameLength.samples(codec: "eac3", packet, frameSize: 1) == .samples(1536))
    }

    @Test(arguments: ["opus", "mp3", "flac", "eac3"])
    func `then any bytes are handled`(codec: Codec) {
      var generator = SeededGenerator(seed: 24)
      for _ in 0..<5000 {
        let starts: [[UInt8]] = [[], [0xFF, 0xF8], [0xFF, 0xFB], [0x0B, 0x77]]
        var packet = starts.randomElement(using: &generator) ?? []
        for _ in 0..<Int.random(in: 0...20, using: &generator) {
          packet.append(UInt8.random(in: .min ... .max, using: &generator))
        }
        let answer = AudioFrameLength.samples(codec: codec, packet[...], frameSize: 0)
        if case .samples(let count) = answer {
          #expect((1...65536).contains(count), "\(generator): \(packet)")
        }
      }
    }

    /// A frame of 16 bytes.
    private static func enhanced(blocks: Int, isDependent: Bool = false) -> [UInt8] {
      let head = BitBuilder.bytes { bits in
        for (value, count) in [
          (0x0B77, 16), (isDependent ? 1 : 0, 2), (0, 3), (7, 11), (0, 2), (blocks, 2), (7, 3),
          (1, 1), (16, 5), (0, 3),
        ] {
          bits.write(value, count)
        }
      }
      return head + [UInt8](repeating: 0, count: 16 - head.count)
    }
  }

  @Suite
  struct `When it is the first packet of AAC` {
    /// A fill element (ID_FIL) with text, as libfaac writes its name.
    private static func fill(_ text: String, count: Int = 15) -> [UInt8] {
      BitBuilder.bytes { bits in
        bits.write(6, 3)
        bits.write(count, 4)
        if count == 15 { bits.write(text.utf8.count, 8) }
        bits.write(0, 4)
        bits.write(0, 13)
        for byte in text.utf8 { bits.write(Int(byte), 8) }
        bits.write(0, 64)
      }
    }

    @Test
    func `then libfaac's name marks a priming frame`() {
      let frame = Self.fill("libfaac 1.28 (")
      #expect(AACPriming.samples(inFirstPacket: frame[...]) == 1024)
      let header: [UInt8] = [0xFF, 0xF1, 0x50, 0x80, 0x04, 0x3F, 0xFC]
      #expect(AACPriming.samples(inFirstPacket: (header + frame)[...]) == 1024)
    }

    @Test
    func `then any other text does not`() {
      #expect(AACPriming.samples(inFirstPacket: Self.fill("Lavc59.37.100")[...]) == 0)
      #expect(AACPriming.samples(inFirstPacket: Self.fill("libfaac 1", count: 4)[...]) == 0)
      #expect(AACPriming.samples(inFirstPacket: [0x21, 0x10, 0x04][...]) == 0)
      #expect(AACPriming.samples(inFirstPacket: []) == 0)
    }
  }

  @Suite
  struct `When it is the first packet of MP3` {
    private static func tag(_ name: String, encoder: String) -> [UInt8] {
      let numbers: [UInt8] = [0, 0, 0, 0x0F, 0, 0, 1, 0x2C, 0, 1, 0xE0, 0]
      let table = [UInt8](repeating: 7, count: 104)
      let settings = [UInt8](repeating: 9, count: 12)
      return [0xFF, 0xFB, 0x90, 0x64] + [UInt8](repeating: 0, count: 32) + Array(name.utf8)
        + numbers + table + Array(encoder.utf8) + settings + [0x24, 0x03, 0xE8]
    }

    @Test(arguments: ["Xing", "Info"])
    func `then its tag states frames, bytes, delay and padding`(name: String) throws {
      let info = try #require(MPEGAudioInfo(Self.tag(name, encoder: "LAME3.100")[...]))
      #expect(info.frameCount == 300)
      #expect(info.byteCount == 122880)
      #expect(info.delay == 576)
      #expect(info.padding == 1000)
    }

    @Test
    func `then a tag without an encoder name states no delay`() throws {
      let info = try #require(MPEGAudioInfo(Self.tag("Xing", encoder: "unknown..")[...]))
      #expect(info.frameCount == 300)
      #expect(info.delay == nil)
      #expect(info.padding == nil)
    }

    @Test
    func `then Fraunhofer's tag states frames and bytes`() throws {
      let frame: [UInt8] =
        [0xFF, 0xFB, 0x90, 0x64] + [UInt8](repeating: 0, count: 32) + Array("VBRI".utf8)
        + [0, 1, 0, 0, 0, 75, 0, 1, 0xE0, 0, 0, 0, 1, 0x2C]
      let info = try #require(MPEGAudioInfo(frame[...]))
      #expect(info.frameCount == 300)
      #expect(info.byteCount == 122880)
      #expect(info.delay == nil)
    }

    @Test
    func `then an audio frame has no tag, and a truncated tag states less`() {
      let sound = [0xFF, 0xFB, 0x90, 0x64] + [UInt8](repeating: 0x55, count: 400)
      #expect(MPEGAudioInfo(sound[...]) == nil)
      let whole = Self.tag("Xing", encoder: "LAME3.100")
      for count in 0..<whole.count {
        let info = MPEGAudioInfo(whole[..<count])
        #expect(info?.padding == nil)
        #expect(info?.frameCount == nil || info?.frameCount == 300)
      }
    }
  }
}
