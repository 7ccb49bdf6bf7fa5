/// Bytes read as UTF-8, with each ill-formed byte returned separately (Unicode 15, table 3-7).
package struct UTF8Units: Sequence, IteratorProtocol {
  package enum Unit: Equatable {
    case scalar(Unicode.Scalar)
    case invalid(UInt8)
  }

  private let bytes: [UInt8]
  private var position = 0

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  package mutating func next() -> Unit? {
    guard position < bytes.count else { return nil }
    let first = bytes[position]
    guard let (length, secondRange) = Self.shape(first), position + length <= bytes.count else {
      position += 1
      return .invalid(first)
    }
    var value = UInt32(first)
    if length > 1 {
      value &= 0x7f >> UInt32(length)
      for offset in 1..<length {
        let byte = bytes[position + offset]
        guard (offset == 1 ? secondRange : 0x80...0xbf).contains(byte) else {
          position += 1
          return .invalid(first)
        }
        value = value << 6 | UInt32(byte & 0x3f)
      }
    }
    guard let scalar = Unicode.Scalar(value) else {
      position += 1
      return .invalid(first)
    }
    position += length
    return .scalar(scalar)
  }

  /// The length of a sequence in bytes, and the allowed range of its second byte.
  private static func shape(_ first: UInt8) -> (Int, ClosedRange<UInt8>)? {
    switch first {
    case 0x00...0x7f: (1, 0x80...0xbf)
    case 0xc2...0xdf: (2, 0x80...0xbf)
    case 0xe0: (3, 0xa0...0xbf)
    case 0xed: (3, 0x80...0x9f)
    case 0xe1...0xef: (3, 0x80...0xbf)
    case 0xf0: (4, 0x90...0xbf)
    case 0xf1...0xf3: (4, 0x80...0xbf)
    case 0xf4: (4, 0x80...0x8f)
    default: nil
    }
  }

  /// Whether all bytes are valid UTF-8.
  package static func isValid(_ bytes: [UInt8]) -> Bool {
    UTF8Units(bytes).allSatisfy { unit in
      if case .scalar = unit { true } else { false }
    }
  }
}
