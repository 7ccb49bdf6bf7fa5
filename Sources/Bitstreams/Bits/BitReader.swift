/// Reads bits, most significant first; past the end every read is `nil`.
package struct BitReader {
  private let bytes: ArraySlice<UInt8>
  /// Bits read so far.
  package private(set) var position = 0

  package init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }
  package init(_ bytes: [UInt8]) { self.bytes = bytes[...] }

  package var bitsLeft: Int { bytes.count * 8 - position }

  /// Reads at most 32 bits.
  package mutating func read(_ count: Int) -> UInt32? {
    guard count >= 0, count <= 32, bitsLeft >= count else { return nil }
    var value: UInt64 = 0
    var left = count
    while left > 0 {
      let byte = bytes[bytes.startIndex + position / 8]
      let available = 8 - position % 8
      let taken = min(left, available)
      let part = (byte >> UInt8(available - taken)) & UInt8((1 << taken) - 1)
      value = value << UInt64(taken) | UInt64(part)
      position += taken
      left -= taken
    }
    return UInt32(truncatingIfNeeded: value)
  }

  package mutating func flag() -> Bool? { read(1).map { $0 == 1 } }

  /// Skips bits; false when fewer are left.
  @discardableResult
  package mutating func skip(_ count: Int) -> Bool {
    guard count >= 0, bitsLeft >= count else { return false }
    position += count
    return true
  }

  /// ue(v) (ITU-T H.264, 9.1; H.265, 9.2); values beyond 32 bits are `nil`.
  package mutating func exponentialGolomb() -> UInt32? {
    var zeros = 0
    while true {
      guard let bit = read(1) else { return nil }
      if bit == 1 { break }
      zeros += 1
      if zeros > 31 { return nil }
    }
    guard let rest = read(zeros) else { return nil }
    return (UInt32(1) << UInt32(zeros)) - 1 + rest
  }

  /// se(v) (ITU-T H.264, 9.1.1; H.265, 9.2.2).
  package mutating func signedExponentialGolomb() -> Int32? {
    guard let code = exponentialGolomb() else { return nil }
    let magnitude = Int32((code / 2) + (code % 2))
    return code % 2 == 1 ? magnitude : -magnitude
  }
}
