import MediaFacts
import Testing

@testable import Bitstreams

@Suite(.timeLimit(.minutes(1))) struct `Given a packet with a detectable fault` {
  struct Case: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var codec: Codec
    var configuration: [UInt8] = []
    var packet: [UInt8]
    var kind: PacketFault.Kind?
    var framing = Framing.annexB
  }

  /// Two channels of AAC at 48 kHz, then one.
  private static let stereo: [UInt8] = [0x11, 0x90]
  private static let mono: [UInt8] = [0x11, 0x88]
  /// 128 kbit/s at 44.1 kHz: 417 bytes.
  private static let layer3: [UInt8] = [0xFF, 0xFB, 0x90, 0x00] + .init(repeating: 0, count: 413)

  static let cases: [Case] = [
    Case(
      testDescription: "H.264: a length that ends behind the sample", codec: "h264",
      packet: [0, 0, 0, 9, 0x06, 5, 1, 0xFF], kind: .structure, framing: .lengthPrefixed(4)),
    Case(
      testDescription: "H.264: lengths of two bytes that fit", codec: "h264",
      packet: [0, 3, 0x06, 5, 1, 0, 1, 0x09], kind: nil, framing: .lengthPrefixed(2)),
    Case(
      testDescription: "H.264: the forbidden bit", codec: "h264",
      packet: [0, 0, 1, 0x86, 5, 1, 0xFF], kind: .header),
    Case(
      testDescription: "HEVC: no temporal identifier", codec: "hevc",
      packet: [0, 0, 1, 0x02, 0x00, 0xAA], kind: .header),
    Case(
      testDescription: "MPEG-2: zeros inside a slice", codec: "mpeg2video",
      packet: [0, 0, 1, 0, 0, 0x0F, 0xFF, 0xF8, 0, 0, 1, 1, 0x22, 0, 0, 0, 0, 0x55],
      kind: .structure),
    Case(
      testDescription: "MPEG-2: zeros before a start code", codec: "mpeg2video",
      packet: [0, 0, 1, 0, 0, 0x0F, 0xFF, 0xF8, 0, 0, 0, 0, 0, 1, 1, 0x22, 0x55], kind: nil),
    Case(
      testDescription: "MPEG-4: a system's start code", codec: "mpeg4",
      packet: [0, 0, 1, 0xB6, 0x10, 0x22, 0x33, 0, 0, 1, 0xBD, 5], kind: .header),
    Case(
      testDescription: "VP8: a partition longer than the frame", codec: "vp8",
      packet: [0xF1, 0xFF, 0x00, 1, 2, 3], kind: .structure),
    Case(
      testDescription: "VP8: a keyframe without its start code", codec: "vp8",
      packet: [0x10, 0, 0, 0x9D, 0x01, 0x2B, 0, 0, 0, 0], kind: .header),
    Case(
      testDescription: "VP9: no frame marker", codec: "vp9", packet: [0x42, 0x49, 0x83, 0x42],
      kind: .header),
    Case(
      testDescription: "VP9: frames longer than their superframe", codec: "vp9",
      packet: [0x86, 0, 0, 0xC1, 9, 9, 0xC1], kind: .structure),
    Case(
      testDescription: "AV1: a unit longer than the sample", codec: "av1",
      packet: [0x12, 0, 0x32, 9, 1], kind: .structure),
    Case(
      testDescription: "AV1: units that fill the sample", codec: "av1",
      packet: [0x12, 0, 0x32, 2, 1, 2], kind: nil),
    Case(
      testDescription: "AV1: a redundant header and no frame", codec: "av1",
      packet: [0x12, 0, 0x3A, 2, 1, 2], kind: .header),
    Case(
      testDescription: "AAC: an element for bass alone in stereo", codec: "aac",
      configuration: stereo, packet: [0x60, 0, 0, 0], kind: .header),
    Case(
      testDescription: "AAC: a pair in mono", codec: "aac", configuration: mono,
      packet: [0x20, 0, 0, 0], kind: .header),
    Case(
      testDescription: "AAC: a pair in stereo", codec: "aac", configuration: stereo,
      packet: [0x21, 0x10, 0, 0], kind: nil),
    Case(
      testDescription: "AAC: as large as ADTS counts", codec: "aac", configuration: mono,
      packet: .init(repeating: 0, count: 8184), kind: nil),
    Case(
      testDescription: "AAC: larger", codec: "aac", configuration: mono,
      packet: .init(repeating: 0, count: 8185), kind: .structure),
    Case(
      testDescription: "ADTS: a frame longer than its packet", codec: "aac",
      packet: [0xFF, 0xF1, 0x4C, 0x80, 0x7F, 0xFF, 0xFC, 1, 2], kind: .structure),
    Case(testDescription: "MP3: a whole frame", codec: "mp3", packet: layer3, kind: nil),
    Case(
      testDescription: "MP3: a frame cut short", codec: "mp3", packet: Array(layer3.dropLast()),
      kind: .structure),
    Case(testDescription: "MP3: no header", codec: "mp3", packet: [1, 2, 3, 4], kind: .header),
    Case(
      testDescription: "Opus: two equal frames of odd bytes", codec: "opus",
      packet: [0xFD, 1, 2, 3], kind: .structure),
    Case(
      testDescription: "Opus: frames longer than the packet", codec: "opus",
      packet: [0xFF, 0x82, 200, 1], kind: .structure),
    Case(
      testDescription: "Opus: no frames", codec: "opus", packet: [0xFF, 0x00, 1], kind: .header),
    Case(testDescription: "Opus: one frame", codec: "opus", packet: [0xFC, 1, 2], kind: nil),
    Case(
      testDescription: "Opus: the longest frame", codec: "opus",
      packet: [0xFC] + .init(repeating: 1, count: 1275), kind: nil),
    Case(
      testDescription: "Opus: a longer frame", codec: "opus",
      packet: [0xFC] + .init(repeating: 1, count: 1276), kind: .structure),
    Case(
      testDescription: "Opus: two frames, the second too long", codec: "opus",
      packet: [0xFE, 2, 1, 1] + .init(repeating: 1, count: 1276), kind: .structure),
    Case(
      testDescription: "Opus: four streams in a packet", codec: "opus",
      configuration: Array("OpusHead".utf8) + [1, 6, 56, 1, 0x80, 0xBB, 0, 0, 0, 0, 1, 4, 2],
      packet: [0xFD, 1, 2, 3] + .init(repeating: 1, count: 2000), kind: nil),
    Case(testDescription: "Vorbis: a header", codec: "vorbis", packet: [3, 1], kind: .header),
    Case(
      testDescription: "FLAC: another checksum", codec: "flac",
      packet: [0xFF, 0xF8, 0x69, 0x18, 0, 0, 0xBF, 0x03, 0x58, 0xFD, 0x03, 0x12, 0x8B, 0xAB],
      kind: .checksum),
    Case(testDescription: "nothing at all", codec: "mp3", packet: [], kind: .structure),
  ]

  @Test(arguments: cases) func `then it is reported`(_ one: Case) {
    var inspector = PacketInspector(
      codec: one.codec, configuration: one.configuration, framing: one.framing)
    #expect(inspector.fault(in: one.packet)?.kind == one.kind)
  }

  @Test func `then an AAC frame without a header, after frames that have one, is a fault`() {
    var inspector = PacketInspector(codec: "aac", configuration: Self.mono, framing: .annexB)
    #expect(inspector.fault(in: [0, 0, 0, 0, 0, 0, 0, 0, 0]) == nil)
    #expect(inspector.fault(in: [0xFF, 0xF1, 0x4C, 0x40, 0x01, 0x3F, 0xFC, 1, 2]) == nil)
    #expect(inspector.fault(in: [0, 0, 0, 0, 0, 0, 0, 0, 0])?.kind == .header)
  }

  /// The sequence header that libaom writes.
  private static let av1C: [UInt8] = [
    0x81, 0, 0x0C, 0, 0x0A, 0x0B, 0, 0, 0, 3, 0xBD, 0xFC, 0x78, 0x05, 0xF0, 0x80, 0x80,
  ]

  @Test(arguments: [(14, 0x70), (16, 0), (16, 0x81)] as [(Int, UInt8)])
  func `then an AV1 sequence header that does not end where it says is a fault`(
    _ place: Int, _ byte: UInt8
  ) {
    func fault(_ box: [UInt8]) -> PacketFault? {
      PacketInspector(codec: "av1", configuration: box, framing: .annexB).configurationFault
    }
    #expect(fault(Self.av1C) == nil)
    #expect(fault(Array(Self.av1C.prefix(4))) == nil)
    var damaged = Self.av1C
    damaged[place] = byte
    #expect(fault(damaged)?.kind == .header)
    var inspector = PacketInspector(codec: "av1", configuration: [], framing: .annexB)
    let frame: [UInt8] = [0x32, 2, 1, 2]
    #expect(inspector.fault(in: Self.av1C.dropFirst(4) + frame) == nil)
    #expect(inspector.fault(in: damaged.dropFirst(4) + frame)?.kind == .header)
  }

  /// The frame of one sample of RFC 9639, appendix D.1.
  @Test func `then a correct checksum is no fault`() {
    let frame: [UInt8] = [
      0xFF, 0xF8, 0x69, 0x18, 0, 0, 0xBF, 0x03, 0x58, 0xFD, 0x03, 0x12, 0x8B, 0xAA, 0x9A,
    ]
    #expect(FLACInspector.fault(in: frame) == nil)
  }
}
