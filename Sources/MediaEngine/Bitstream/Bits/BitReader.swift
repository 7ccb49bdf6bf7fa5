/// Coded bytes end before the header does, or hold a value that the standard excludes.
struct MalformedBits: Error {}

/// Reads numbers of any width from coded bytes, the most significant bit first.
///
/// Nothing is read past the end: every read throws ``MalformedBits`` there.
struct BitReader {
  private let bytes: ArraySlice<UInt8>
  private let end: Int
  /// The next bit, counted from the first.
  private(set) var position = 0

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    // More than 256 MiB of header are never read, and bits stay countable everywhere.
    end = min(bytes.count, 1 << 28) * 8
  }

  var remaining: Int { end - position }

  /// A number of 0 to 32 bits.
  mutating func bits(_ count: Int) throws(MalformedBits) -> UInt32 {
    guard count >= 0, count <= 32, count <= remaining else { throw MalformedBits() }
    var value: UInt64 = 0
    var needed = count
    while needed > 0 {
      let byte = UInt64(bytes[bytes.startIndex + position >> 3])
      let available = 8 - position & 7
      let taken = min(needed, available)
      value = value << taken | (byte >> (available - taken)) & (1 << taken - 1)
      position += taken
      needed -= taken
    }
    return UInt32(truncatingIfNeeded: value)
  }

  mutating func flag() throws(MalformedBits) -> Bool { try bits(1) == 1 }

  /// A number that is used as a count or a code.
  mutating func int(_ count: Int) throws(MalformedBits) -> Int { Int(try bits(count)) }

  mutating func skip(_ count: Int) throws(MalformedBits) {
    guard count >= 0, count <= remaining else { throw MalformedBits() }
    position += count
  }

  /// Moves to the next whole byte.
  mutating func align() { position = min(end, (position + 7) & ~7) }

  /// Exp-Golomb, unsigned (ITU-T H.264, 9.1): at most 32 leading zeros.
  mutating func ue() throws(MalformedBits) -> Int {
    var zeros = 0
    while try !flag() {
      zeros += 1
      guard zeros <= 32 else { throw MalformedBits() }
    }
    return Int(1) << zeros - 1 + Int(try bits(zeros))
  }

  /// Exp-Golomb, unsigned, refusing what is above a limit of the standard.
  mutating func ue(upTo limit: Int) throws(MalformedBits) -> Int {
    let value = try ue()
    guard value <= limit else { throw MalformedBits() }
    return value
  }

  /// Exp-Golomb, signed (ITU-T H.264, 9.1.1).
  mutating func se() throws(MalformedBits) -> Int {
    let code = try ue()
    return code & 1 == 1 ? (code + 1) / 2 : -(code / 2)
  }
}
