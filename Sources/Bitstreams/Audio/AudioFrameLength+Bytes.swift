package import MediaFacts

extension AudioFrameLength {
  /// The size of a frame in bytes according to its header; `nil` where it is not stated.
  package static func byteCount<Bytes: RandomAccessCollection>(
    codec: Codec, _ packet: Bytes
  ) -> Int? where Bytes.Element == UInt8, Bytes.Index == Int {
    let head = Array(packet.prefix(16))
    switch codec {
    case .dts: return dts(packet, head)
    case .amrNB: return head.first.map { narrowBand[Int($0 >> 3 & 15)] }
    case .amrWB: return head.first.map { wideBand[Int($0 >> 3 & 15)] }
    case .mlp, .trueHD:
      // Four bits of parity, then the length of the access unit in 16-bit words.
      guard head.count > 1 else { return nil }
      let count = 2 * (Int(head[0] & 15) << 8 | Int(head[1]))
      return count > 0 ? count : nil
    default: return nil
    }
  }

  /// True for an AMR packet of one frame without speech: comfort noise, or no data (RFC 4867, 4.3.1 and 5.3).
  package static func isSilence<Bytes: RandomAccessCollection>(
    codec: Codec, _ packet: Bytes
  ) -> Bool where Bytes.Element == UInt8, Bytes.Index == Int {
    guard let type = packet.first.map({ Int($0 >> 3 & 15) }),
      byteCount(codec: codec, packet) == packet.count
    else { return false }
    switch codec {
    // 8 to 11 are silence descriptors, 15 is NO_DATA.
    case .amrNB: return (8...11).contains(type) || type == 15
    // 9 is a silence descriptor, 14 SPEECH_LOST, 15 NO_DATA.
    case .amrWB: return type == 9 || type >= 14
    default: return false
    }
  }

  /// Bytes per frame with header, by type (RFC 4867, 5.3; 3GPP TS 26.101, annex A): speech, then comfort
  /// noise; the rest have no audio.
  private static let narrowBand = [13, 14, 16, 18, 20, 21, 27, 32, 6, 1, 1, 1, 1, 1, 1, 1]
  /// The same for AMR-WB (3GPP TS 26.201, annex A).
  private static let wideBand = [18, 24, 33, 37, 41, 47, 51, 59, 61, 6, 1, 1, 1, 1, 1, 1]

  /// ETSI TS 102 114, 5.3.1: the size of a core frame in bytes minus one, in 14 bits after the first 46; an
  /// extension substream (7.4.1) may follow it, or be on its own.
  private static func dts<Bytes: RandomAccessCollection>(
    _ packet: Bytes, _ head: [UInt8]
  ) -> Int? where Bytes.Element == UInt8, Bytes.Index == Int {
    guard head.count >= 10 else { return nil }
    let sync = head.prefix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    switch sync {
    case 0x7FFE_8001:
      let core = coreBytes(head)
      let rest = Array(packet.dropFirst(core).prefix(16))
      return core + (extensionBytes(rest) ?? 0)
    case 0xFE7F_0180:
      // 16-bit words, little-endian.
      return (Int(head[4] & 3) << 12 | Int(head[7]) << 4 | Int(head[6] >> 4)) + 1
    default: return extensionBytes(head)
    }
  }

  /// The samples of a core frame at its own rate (5.3.1): 32 per block; the number of blocks minus one is in
  /// seven bits after the first 39.
  ///
  /// - Returns: `nil` for a packet without a core, and for one whose extension (7.4.1) may multiply the
  ///   rate.
  static func coreSamples<Bytes: RandomAccessCollection>(_ packet: Bytes) -> Int?
  where Bytes.Element == UInt8, Bytes.Index == Int {
    let head = Array(packet.prefix(16))
    guard head.count >= 10 else { return nil }
    let sync = head.prefix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    let (high, low): (UInt8, UInt8)
    switch sync {
    case 0x7FFE_8001: (high, low) = (head[4], head[5])
    case 0xFE7F_0180: (high, low) = (head[5], head[4])
    default: return nil
    }
    let core = sync == 0x7FFE_8001 ? coreBytes(head) : packet.count
    guard extensionBytes(Array(packet.dropFirst(core).prefix(16))) == nil else { return nil }
    // A shorter last frame signals it by a clear first bit (5.3.1, FTYPE).
    guard high & 0x80 != 0 else { return nil }
    let blocks = (Int(high & 1) << 6 | Int(low >> 2)) + 1
    return blocks >= 6 ? 32 * blocks : nil
  }

  private static func coreBytes(_ head: [UInt8]) -> Int {
    (Int(head[5] & 3) << 12 | Int(head[6]) << 4 | Int(head[7] >> 4)) + 1
  }

  private static func extensionBytes(_ head: [UInt8]) -> Int? {
    guard head.count >= 10, head.prefix(4).elementsEqual([0x64, 0x58, 0x20, 0x25]) else {
      return nil
    }
    let bits = head[5..<10].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    // Two bits of index and one for the length of the size fields: of the header, then of the whole
    // substream.
    let isLong = bits >> 37 & 1 == 1
    return Int(isLong ? bits >> 5 & 0xF_FFFF : bits >> 13 & 0xFFFF) + 1
  }
}
