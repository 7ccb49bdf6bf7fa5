/// A four-character code: the type of a box, a codec, a brand or a handler.
package struct FourCC: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
  package let rawValue: UInt32

  package init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The first four characters as Latin-1 bytes, padded with spaces.
  package init(stringLiteral text: String) {
    var code: UInt32 = 0
    var length = 0
    // UTF-8 has the only other character, ©, as C2 A9.
    for byte in text.utf8 where length < 4 && byte != 0xC2 {
      code = code << 8 | UInt32(byte)
      length += 1
    }
    while length < 4 {
      code = code << 8 | 0x20
      length += 1
    }
    rawValue = code
  }

  private var bytes: [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: rawValue >> $0) }
  }

  /// True when every byte is a printable character, `©` included.
  var isPrintable: Bool { bytes.allSatisfy { (0x20..<0x7F).contains($0) || $0 == 0xA9 } }
}

extension FourCC: CustomStringConvertible {
  /// The four characters, with unprintable bytes as `\x00`.
  package var description: String {
    bytes.map { byte in
      if byte == 0xA9 { return "©" }
      if (0x20..<0x7F).contains(byte) { return String(UnicodeScalar(byte)) }
      let digits = String(byte, radix: 16)
      return digits.count == 1 ? "\\x0\(digits)" : "\\x\(digits)"
    }.joined()
  }
}
