extension Base64 {
  /// Decodes Base64; `nil` for anything but canonical, padded Base64.
  package static func decode(_ text: String) -> [UInt8]? {
    let digits = Array(text.utf8)
    guard digits.count.isMultiple(of: 4) else { return nil }
    var bytes: [UInt8] = []
    for start in stride(from: 0, to: digits.count, by: 4) {
      let group = digits[start..<start + 4]
      let padding = group.reversed().prefix { $0 == UInt8(ascii: "=") }.count
      guard padding <= 2, padding == 0 || start + 4 == digits.count else { return nil }
      var word: UInt32 = 0
      for digit in group.dropLast(padding) {
        guard let sextet = value(of: digit) else { return nil }
        word = word << 6 | sextet
      }
      word <<= 6 * UInt32(padding)
      for index in 0..<(3 - padding) { bytes.append(UInt8(word >> UInt32(16 - 8 * index) & 0xFF)) }
    }
    return encode(bytes) == text ? bytes : nil
  }

  private static func value(of digit: UInt8) -> UInt32? {
    switch digit {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(digit - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(digit - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
