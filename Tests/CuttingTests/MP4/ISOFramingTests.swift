import MediaFiles
import Testing

@testable import Cutting

@Suite struct `Given packets of a stream that become samples of MP4` {
  /// Sets of 160x96 as x264 writes them, and the record that holds them.
  private static let sequence: [UInt8] = [
    0x67, 0x4D, 0x40, 0x0A, 0xEC, 0xA2, 0x86, 0x7F, 0xE0, 0x00, 0x20, 0x00, 0x1A, 0x11, 0x00, 0x00,
    0x03, 0x00, 0x01, 0x00, 0x00, 0x03, 0x00, 0x32, 0x8F, 0x12, 0x25, 0x94,
  ]
  private static let picture: [UInt8] = [0x68, 0xEB, 0xE3, 0xCB, 0x22]
  private static let record: [UInt8] =
    [1, 0x4D, 0x40, 0x0A, 0xFF, 0xE1, 0, UInt8(sequence.count)] + sequence
    + [1, 0, UInt8(picture.count)] + picture
  private static let code: [UInt8] = [0, 0, 0, 1]

  private static func framing() throws -> ISOFraming {
    try #require(
      ISOFraming(
        codec: "h264", configuration: record, sets: code + sequence + code + picture))
  }

  @Test
  func `then lengths replace start codes, and delimiters, filler and parameter sets are removed`()
    throws
  {
    let slice: [UInt8] = [0x06, 0x05, 0x01, 0x80]
    let packet =
      Self.code + [0x09, 0xF0] + Self.code + Self.sequence + Self.code + Self.picture + [0, 0, 1]
      + slice + Self.code + [0x0C, 0xFF, 0x80]
    #expect(try Self.framing().sample(packet) == [0, 0, 0, 4] + slice)
  }

  @Test func `when another parameter set comes in the middle then it stays in the sample`()
    throws
  {
    let framing = try Self.framing()
    for set in [Self.sequence, Self.picture] {
      var other = set
      other[set.count - 2] ^= 1
      let sample = try framing.sample(Self.code + Self.picture + Self.code + other)
      // A PPS next to it may refer to it.
      let kept = [0, 0, 0, UInt8(Self.picture.count)] + Self.picture
      #expect(sample == kept + [0, 0, 0, UInt8(other.count)] + other)
      #expect(framing.otherSets(in: sample).map(Array.init) == [other])
    }
  }

  @Test func `when parameter sets are kept then those of the configuration are, too`() throws {
    var framing = try Self.framing()
    framing.keepsSets = true
    let sample = try framing.sample(Self.code + [0x09, 0xF0] + Self.code + Self.picture)
    #expect(sample == [0, 0, 0, UInt8(Self.picture.count)] + Self.picture)
    #expect(framing.otherSets(in: sample).isEmpty)
  }

  @Test func `when a parameter set has a new ID then it replaces none of the existing ones`()
    throws
  {
    let sets = try #require(
      ParameterSets(
        codec: "h264", configuration: Self.code + Self.sequence + Self.code + Self.picture))
    // pic_parameter_set_id is 0 as `1`, and 2 as `011` (ITU-T H.264, 9.1).
    let same: [UInt8] = [0x68, 0xEB, 0xE3, 0xCB, 0x24]
    let apart: [UInt8] = [0x68, 0x7A, 0xF8, 0xF2, 0xC8, 0x80]
    #expect(sets.lacks(same[...]) && sets.isChanged(by: same[...]))
    #expect(sets.lacks(apart[...]) && !sets.isChanged(by: apart[...]))
    var renewed = sets
    renewed.renew([same[...]])
    #expect(!renewed.lacks(same[...]) && renewed.lacks(Self.picture[...]))
  }

  @Test func `when there are no parameter sets then there is no framing`() {
    #expect(ISOFraming.sets(codec: "h264", [], Self.code + [0x65, 0x88, 0x84]).isEmpty)
    #expect(ISOFraming.sets(codec: "hevc", [], Self.code + [0x26, 0x01, 0xAF]).isEmpty)
  }

  /// 48 kHz, two channels, low complexity: profile 1, rate 3, configuration 2 (ISO 14496-3, 1.A.2.2).
  private static let header: [UInt8] = [0xFF, 0xF1, 0x4C, 0x80, 0x01, 0x5F, 0xFC]

  @Test func `then AAC loses its header, which becomes the configuration`() throws {
    let frame = Self.header + [0x21, 0x10, 0x05]
    let framing = try #require(ISOFraming(adts: frame))
    #expect(framing.configuration == [0x11, 0x90])
    #expect(try framing.sample(frame) == [0x21, 0x10, 0x05])
    // With a checksum the header is two bytes longer.
    let checked: [UInt8] = [0xFF, 0xF0] + Self.header[2...] + [0x12, 0x34, 0x21, 0x10]
    #expect(try framing.sample(checked) == [0x21, 0x10])
  }

  @Test func `when several frames of AAC share a header then it is refused`() throws {
    let framing = try #require(ISOFraming(adts: Self.header + [0x21]))
    var several = Self.header + [0x21]
    several[6] |= 1
    #expect(throws: MediaError.self) { try framing.sample(several) }
  }

  @Test(
    arguments: [
      ("too short", Array(header.prefix(5))), ("another syncword", [0x12] + header[1...] + [0x21]),
      ("channels in the frame", [0xFF, 0xF1, 0x4C, 0x00, 0x01, 0x5F, 0xFC, 0x21]),
      ("a rate that is none", [0xFF, 0xF1, 0x7C, 0x80, 0x01, 0x5F, 0xFC, 0x21]),
    ] as [(String, [UInt8])])
  func `when the header of AAC is incomplete then there is no framing`(
    _ name: String, _ frame: [UInt8]
  ) {
    #expect(ISOFraming(adts: frame) == nil, "\(name)")
  }
}
