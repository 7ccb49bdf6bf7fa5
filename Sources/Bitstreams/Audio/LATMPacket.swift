/// AAC as carried in broadcast transport streams: an AudioSyncStream with one AudioMuxElement (ISO 14496-3,
/// 1.7.2 and 1.7.3).
///
/// Only some packets contain the configuration; in the others, useSameStreamMux signals that the last one
/// still applies.
package struct LATMPacket {
  private let bytes: [UInt8]
  /// The bit range of its StreamMuxConfig; `nil` where it has none.
  private let configuration: Range<Int>?

  /// The size of the sync word and the length that follows it.
  private static let headerBits = 24

  /// - Returns: `nil` for what is not a LATM packet, and for configurations other than one layer of AAC with
  ///   a channel configuration number.
  package init?(_ bytes: [UInt8]) {
    var reader = BitReader(bytes)
    guard reader.read(11) == 0x2B7, let length = reader.read(13), Int(length) == bytes.count - 3,
      let isSame = reader.flag()
    else { return nil }
    let start = reader.position
    guard isSame || Self.skipConfiguration(&reader) else { return nil }
    self.bytes = bytes
    configuration = isSame ? nil : start..<reader.position
  }

  package var isDescribed: Bool { configuration != nil }

  /// The same audio with the configuration of another packet.
  ///
  /// - Returns: `nil` where that has none, and where the packet would be too long for its header.
  package func described(as other: LATMPacket) -> [UInt8]? {
    guard let described = other.configuration else { return nil }
    var writer = BitWriter()
    writer.write(0, bits: Self.headerBits)
    writer.flag(false)
    writer.copy(other.bytes, from: described.lowerBound, to: described.upperBound)
    let start = configuration?.upperBound ?? Self.headerBits + 1
    writer.copy(bytes, from: start, to: bytes.count * 8)
    let length = writer.bytes.count - 3
    guard length < 1 << 13 else { return nil }
    var header = BitWriter()
    header.write(0x2B7, bits: 11)
    header.write(UInt32(length), bits: 13)
    return header.bytes + writer.bytes.dropFirst(3)
  }

  /// Skips StreamMuxConfig (table 1.42).
  private static func skipConfiguration(_ reader: inout BitReader) -> Bool {
    guard let isLater = reader.flag() else { return false }
    // audioMuxVersionA, taraBufferFullness
    if isLater { guard reader.flag() == false, value(&reader) != nil else { return false } }
    // allStreamsSameTimeFraming, numSubFrames, numProgram, numLayer
    guard reader.flag() == true, reader.skip(6), reader.read(4) == 0, reader.read(3) == 0 else {
      return false
    }
    if isLater {
      guard let length = value(&reader), reader.skip(length) else { return false }
    } else {
      guard skipDescription(&reader) else { return false }
    }
    // frameLengthType, latmBufferFullness
    guard reader.read(3) == 0, reader.skip(8), let hasMore = reader.flag() else { return false }
    if hasMore {
      if isLater {
        guard value(&reader) != nil else { return false }
      } else {
        var goesOn = true
        while goesOn {
          guard let next = reader.flag(), reader.skip(8) else { return false }
          goesOn = next
        }
      }
    }
    guard let hasCheck = reader.flag() else { return false }
    return !hasCheck || reader.skip(8)
  }

  /// Skips AudioSpecificConfig (1.6.2.1), whose length is not stated.
  private static func skipDescription(_ reader: inout BitReader) -> Bool {
    guard var type = AudioHeader.objectType(&reader), AudioHeader.rate(&reader) != nil,
      let channels = reader.read(4), channels != 0
    else { return false }
    if type == 5 || type == 29 {
      guard AudioHeader.rate(&reader) != nil, let inner = AudioHeader.objectType(&reader) else {
        return false
      }
      type = inner
    }
    // frameLengthFlag, dependsOnCoreCoder, extensionFlag (4.4.1)
    return (1...4).contains(type) && reader.skip(1) && reader.read(2) == 0
  }

  /// LatmGetValue (table 1.43).
  private static func value(_ reader: inout BitReader) -> Int? {
    guard let more = reader.read(2) else { return nil }
    return reader.read(8 * (Int(more) + 1)).map { Int($0) }
  }
}
