/// Renumbers FLAC frames (RFC 9639, 9.1): players derive the time of a frame from its number.
package enum FLACFrame {
  /// The coded number of a frame: its index, or where block sizes vary, its first sample.
  package static func number(of frame: [UInt8]) -> UInt64? { coded(in: frame)?.value }

  /// The same frame with another number and corrected checksums; the checksum of a damaged frame stays wrong,
  /// so that decoders detect the damage.
  ///
  /// - Returns: `nil` for bytes that are not a frame.
  package static func renumbered(_ frame: [UInt8], as number: UInt64) -> [UInt8]? {
    guard let coded = coded(in: frame) else { return nil }
    // The block size and the sample rate may follow the number in one or two bytes each.
    var rest = 0
    switch frame[2] >> 4 {
    case 6: rest += 1
    case 7: rest += 2
    default: break
    }
    switch frame[2] & 0x0F {
    case 12: rest += 1
    case 13, 14: rest += 2
    default: break
    }
    let end = coded.range.upperBound + rest
    guard end + 1 <= frame.count - 2 else { return nil }
    var header = Array(frame[..<4]) + encoded(number) + frame[coded.range.upperBound..<end]
    header.append(UInt8(truncatingIfNeeded: checksum(header, bits: 8, polynomial: 0x07)))
    var result = header + frame[(end + 1)..<(frame.count - 2)]
    // For a frame with its checksum, the remainder is 0.
    let fault = checksum(frame, bits: 16, polynomial: 0x8005)
    let sum = checksum(result, bits: 16, polynomial: 0x8005) ^ fault
    result += [UInt8(truncatingIfNeeded: sum >> 8), UInt8(truncatingIfNeeded: sum)]
    return result
  }

  /// True when a frame is complete: its last two bytes are the checksum of all before them (9.3).
  package static func isWhole(_ frame: [UInt8]) -> Bool {
    coded(in: frame) != nil && checksum(frame, bits: 16, polynomial: 0x8005) == 0
  }

  /// The number after the first four bytes of the header, coded like a UTF-8 character of up to seven bytes.
  private static func coded(in frame: [UInt8]) -> (value: UInt64, range: Range<Int>)? {
    // A silent mono frame has no more than eleven bytes.
    guard frame.count > 5, frame[0] == 0xFF, frame[1] & 0xFC == 0xF8 else { return nil }
    let first = frame[4]
    let length = max(1, (~first).leadingZeroBitCount)
    guard length != 1 || first < 0x80, length <= 7, frame.count > 4 + length else { return nil }
    var value = UInt64(length == 1 ? first : first & UInt8(0x7F >> length))
    for place in 5..<4 + length {
      guard frame[place] & 0xC0 == 0x80 else { return nil }
      value = value << 6 | UInt64(frame[place] & 0x3F)
    }
    return (value, 4..<4 + length)
  }

  private static func encoded(_ number: UInt64) -> [UInt8] {
    guard number >= 0x80 else { return [UInt8(number)] }
    var length = 2
    while length < 7, number >= 1 << UInt64(5 * length + 1) { length += 1 }
    var bytes: [UInt8] = []
    for place in (0..<length).reversed() {
      let part = UInt8(truncatingIfNeeded: number >> UInt64(6 * place))
      if place == length - 1 {
        bytes.append(UInt8(truncatingIfNeeded: 0xFF00 >> length) | part & UInt8(0x7F >> length))
      } else {
        bytes.append(0x80 | part & 0x3F)
      }
    }
    return bytes
  }

  private static func checksum(_ bytes: [UInt8], bits: Int, polynomial: UInt32) -> UInt32 {
    let top = UInt32(1) << UInt32(bits - 1)
    var sum: UInt32 = 0
    for byte in bytes {
      sum ^= UInt32(byte) << UInt32(bits - 8)
      for _ in 0..<8 { sum = sum & top == 0 ? sum << 1 : sum << 1 ^ polynomial }
    }
    return sum & (1 << UInt32(bits) - 1)
  }
}
