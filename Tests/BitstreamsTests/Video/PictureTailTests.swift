import Bitstreams
import MediaFacts
import Support
import Testing

/// A packet that begins within a picture has slices, but not the first one.
@Suite struct `Given the bytes at the beginning of a packet` {
  struct Packet: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var codec: Codec
    var bytes: [UInt8]
    var isTail: Bool
  }

  static let packets = [
    // first_mb_in_slice is ue(v): zero is one set bit, seven are 0001000.
    Packet(
      testDescription: "H.264, IDR", codec: "h264", bytes: [0, 0, 1, 0x65, 0x88], isTail: false),
    Packet(
      testDescription: "H.264, its second slice", codec: "h264", bytes: [0, 0, 1, 0x65, 0x10],
      isTail: true),
    Packet(
      testDescription: "H.264, behind a delimiter", codec: "h264",
      bytes: [0, 0, 0, 1, 9, 0x10, 0, 0, 1, 0x41, 0x9A], isTail: false),
    Packet(
      testDescription: "H.264, a slice data partition B", codec: "h264",
      bytes: [0, 0, 1, 0x43, 0x10],
      isTail: false),
    Packet(
      testDescription: "HEVC, IDR", codec: "hevc", bytes: [0, 0, 1, 0x26, 1, 0xAF], isTail: false),
    Packet(
      testDescription: "HEVC, its second slice", codec: "hevc", bytes: [0, 0, 1, 0x26, 1, 0x2F],
      isTail: true),
    Packet(
      testDescription: "HEVC, a trailing picture's second slice", codec: "hevc",
      bytes: [0, 0, 1, 2, 1, 0x50], isTail: true),
    Packet(
      testDescription: "HEVC, behind parameter sets", codec: "hevc",
      bytes: [0, 0, 1, 0x44, 1, 0x40, 0, 0, 1, 0x26, 1, 0xAF], isTail: false),
    Packet(
      testDescription: "MPEG-2, a picture", codec: "mpeg2video",
      bytes: [0, 0, 1, 0, 0, 8, 0, 0, 1, 1, 0x22], isTail: false),
    Packet(
      testDescription: "MPEG-2, its third slice", codec: "mpeg2video", bytes: [0, 0, 1, 3, 0x22],
      isTail: true),
    Packet(
      testDescription: "MPEG-2, the end of a slice and the next", codec: "mpeg2video",
      bytes: [0x5A, 0xC3, 0, 0, 1, 4, 0x22, 0, 0, 1, 0, 0, 8], isTail: true),
    Packet(
      testDescription: "MPEG-1, a sequence", codec: "mpeg1video", bytes: [0, 0, 1, 0xB3, 0x16],
      isTail: false),
    Packet(
      testDescription: "nothing that tells", codec: "h264", bytes: [1, 2, 3, 4], isTail: false),
    Packet(
      testDescription: "another codec", codec: "mpeg4", bytes: [0, 0, 1, 3, 0x22], isTail: false),
  ]

  @Test(arguments: packets) func `then it is known whether it begins within a picture`(
    _ packet: Packet
  ) {
    let isTail = packet.bytes.withUnsafeBytes { PictureTail.isTail($0, codec: packet.codec) }
    #expect(isTail == packet.isTail)
  }
}
