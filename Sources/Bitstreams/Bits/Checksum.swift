/// CRCs with the initial value 0, most significant bit first unless stated.
package enum Checksum {
  /// Polynomial 0x8005 (RFC 9639, 9.3; ETSI TS 102 366, 6.1.7).
  package static func crc16(_ bytes: ArraySlice<UInt8>) -> UInt16 {
    bytes.withUnsafeBytes { raw in
      var sum: UInt16 = 0
      for byte in raw { sum = sum << 8 ^ table16[Int(UInt8(truncatingIfNeeded: sum >> 8) ^ byte)] }
      return sum
    }
  }

  /// Polynomial 0x8005, least significant bit first, as in the LAME tag ("Mp3 Info Tag", Info Tag
  /// CRC).
  package static func reflectedCRC16(_ bytes: ArraySlice<UInt8>) -> UInt16 {
    bytes.reduce(0) { sum, byte in
      (0..<8).reduce(sum ^ UInt16(byte)) { value, _ in
        value & 1 == 0 ? value >> 1 : value >> 1 ^ 0xA001
      }
    }
  }

  /// Polynomial 0x04C11DB7 (RFC 3533, 6; starting with all ones: ISO/IEC 13818-1, annex A).
  package static func crc32(_ bytes: ArraySlice<UInt8>, from initial: UInt32 = 0) -> UInt32 {
    bytes.withUnsafeBytes { raw in
      var sum = initial
      for byte in raw { sum = sum << 8 ^ table32[Int(UInt8(truncatingIfNeeded: sum >> 24) ^ byte)] }
      return sum
    }
  }

  /// Polynomial 0x04C11DB7, least significant bit first, inverted at start and end (ISO/IEC 15948,
  /// annex D).
  package static func reflectedCRC32(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    bytes.withUnsafeBytes { raw in
      var sum = UInt32.max
      for byte in raw {
        sum = sum >> 8 ^ reflected32[Int(UInt8(truncatingIfNeeded: sum) ^ byte)]
      }
      return ~sum
    }
  }

  private static let reflected32: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in
      value & 1 == 0 ? value >> 1 : value >> 1 ^ 0xEDB8_8320
    }
  }

  private static let table32: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index) << 24) { value, _ in
      value & 0x8000_0000 == 0 ? value << 1 : value << 1 ^ 0x04C1_1DB7
    }
  }

  private static let table16: [UInt16] = (0..<256).map { index in
    (0..<8).reduce(UInt16(index) << 8) { value, _ in
      value & 0x8000 == 0 ? value << 1 : value << 1 ^ 0x8005
    }
  }
}
