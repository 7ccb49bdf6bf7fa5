/// Base64 (RFC 4648, section 4): three bytes become four digits, with padding at the end.
package enum Base64 {
  private static let digits = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  package static func encode(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    append(bytes[...], to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  /// Appends the digits of these bytes.
  package static func append(_ bytes: ArraySlice<UInt8>, to text: inout [UInt8]) {
    let digits = digits
    text.reserveCapacity(text.count + (bytes.count + 2) / 3 * 4)
    for start in stride(from: bytes.startIndex, to: bytes.endIndex, by: 3) {
      let count = min(3, bytes.endIndex - start)
      var group = UInt32(bytes[start]) << 16
      if count > 1 { group |= UInt32(bytes[start + 1]) << 8 }
      if count > 2 { group |= UInt32(bytes[start + 2]) }
      text.append(digits[Int(group >> 18)])
      text.append(digits[Int(group >> 12 & 63)])
      text.append(count > 1 ? digits[Int(group >> 6 & 63)] : UInt8(ascii: "="))
      text.append(count > 2 ? digits[Int(group & 63)] : UInt8(ascii: "="))
    }
  }

  /// Decodes Base64; `nil` for anything but canonical, padded Base64.
  package static func decode(_ text: String) -> [UInt8]? {
    let found = Array(text.utf8)
    guard found.count.isMultiple(of: 4) else { return nil }
    var bytes: [UInt8] = []
    for start in stride(from: 0, to: found.count, by: 4) {
      let group = found[start..<start + 4].prefix { $0 != UInt8(ascii: "=") }
      guard group.count > 1 else { return nil }
      var word: UInt32 = 0
      for digit in group {
        guard let sextet = digits.firstIndex(of: digit) else { return nil }
        word = word << 6 | UInt32(sextet)
      }
      word <<= 6 * UInt32(4 - group.count)
      for shift in [16, 8, 0].prefix(group.count - 1) {
        bytes.append(UInt8(truncatingIfNeeded: word >> shift))
      }
    }
    // A second encoding of the same bytes is none.
    return encode(bytes) == text ? bytes : nil
  }
}
