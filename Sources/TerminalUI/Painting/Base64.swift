/// RFC 4648, section 4, of whole pixels: three bytes are four digits, and nothing is left over.
enum Base64 {
  private static let digits = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// - Precondition: a multiple of three bytes.
  static func append(_ pixels: ArraySlice<UInt8>, to target: inout [UInt8]) {
    precondition(pixels.count.isMultiple(of: 3))
    for place in stride(from: pixels.startIndex, to: pixels.endIndex, by: 3) {
      let (first, second) = (UInt32(pixels[place]), UInt32(pixels[place + 1]))
      let group = first << 16 | second << 8 | UInt32(pixels[place + 2])
      target.append(digits[Int(group >> 18)])
      target.append(digits[Int(group >> 12 & 63)])
      target.append(digits[Int(group >> 6 & 63)])
      target.append(digits[Int(group & 63)])
    }
  }
}
