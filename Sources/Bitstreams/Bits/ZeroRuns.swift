/// Finds runs of zero bytes, eight bytes at a time.
package enum ZeroRuns {
  /// Two zeros and a byte of at most 2 inside a unit, or 00 00 03 before more than 3: no encoder
  /// writes them (ITU-T H.264 and H.265, 7.4.1 and 7.4.2.1; the emulation prevention byte).
  ///
  /// Trailing zeros are ignored: they belong to the framing (B.1.2).
  package static func breaksEmulationPrevention(_ unit: ArraySlice<UInt8>) -> Bool {
    unit.withUnsafeBytes { bytes in
      var end = bytes.count
      while end > 0, bytes[end - 1] == 0 { end -= 1 }
      var place = 0
      while let zeros = firstPair(in: bytes, from: place, to: end) {
        let next = zeros + 2
        guard next < end else { return false }
        if bytes[next] < 3 { return true }
        // At the end of a unit, 00 00 03 may be a cabac_zero_word (7.3.2.10).
        if bytes[next] == 3, next + 1 < end, bytes[next + 1] > 3 { return true }
        place = next
      }
      return false
    }
  }

  /// The offset of the first two consecutive zeros.
  package static func firstPair(in bytes: UnsafeRawBufferPointer, from start: Int, to end: Int)
    -> Int?
  {
    var place = start
    while place + 1 < end {
      // Coded pictures have few zeros: most ranges are skipped at once.
      while place + 32 <= end {
        let some =
          Self.zeros(in: bytes, at: place) | Self.zeros(in: bytes, at: place + 8)
          | Self.zeros(in: bytes, at: place + 16) | Self.zeros(in: bytes, at: place + 24)
        guard some == 0 else { break }
        place += 32
      }
      guard place + 1 < end else { return nil }
      if place + 8 <= end {
        let zeros = Self.zeros(in: bytes, at: place)
        if zeros == 0 {
          place += 8
          continue
        }
        // Up to the first of them; bits above it may be false.
        place += UInt64(littleEndian: zeros).trailingZeroBitCount / 8
      } else if bytes[place] != 0 {
        place += 1
        continue
      }
      guard place + 1 < end else { return nil }
      if bytes[place + 1] == 0 { return place }
      place += 2
    }
    return nil
  }

  /// The top bit of each zero byte among eight, and possibly of some bytes above one.
  @inline(__always)
  private static func zeros(in bytes: UnsafeRawBufferPointer, at place: Int) -> UInt64 {
    let word = bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
    // A zero byte borrows from its neighbor.
    return (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080
  }
}
