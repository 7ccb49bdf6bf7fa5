/// Assembles characters from bytes that arrive one by one; invalid UTF-8 becomes U+FFFD.
struct UTF8Assembler: Sendable {
  private var value: UInt32 = 0
  private var missing = 0
  /// The smallest value that needs this many bytes: anything smaller is an overlong form.
  private var minimum: UInt32 = 0

  private static let replacement: Unicode.Scalar = "\u{FFFD}"

  var isWaiting: Bool { missing > 0 }

  mutating func take(_ byte: UInt8) -> [Unicode.Scalar] {
    guard isWaiting else { return begin(byte) }
    guard 0x80..<0xC0 ~= byte else {
      missing = 0
      return [Self.replacement] + begin(byte)
    }
    value = value << 6 | UInt32(byte & 0x3F)
    missing -= 1
    guard missing == 0 else { return [] }
    guard value >= minimum, let scalar = Unicode.Scalar(value) else { return [Self.replacement] }
    return [scalar]
  }

  /// Ends an incomplete character.
  mutating func flush() -> Unicode.Scalar? {
    guard isWaiting else { return nil }
    missing = 0
    return Self.replacement
  }

  private mutating func begin(_ byte: UInt8) -> [Unicode.Scalar] {
    switch byte {
    case 0..<0x80: return [Unicode.Scalar(byte)]
    case 0xC2..<0xE0: (value, missing, minimum) = (UInt32(byte & 0x1F), 1, 0x80)
    case 0xE0..<0xF0: (value, missing, minimum) = (UInt32(byte & 0x0F), 2, 0x800)
    case 0xF0..<0xF5: (value, missing, minimum) = (UInt32(byte & 0x07), 3, 0x10000)
    default: return [Self.replacement]
    }
    return []
  }
}
