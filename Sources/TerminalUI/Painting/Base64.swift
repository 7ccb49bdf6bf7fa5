/// Base64 (RFC 4648, section 4): three bytes become four digits, with padding at the end.
enum Base64 {
  private static let digits = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  static func append(_ pixels: ArraySlice<UInt8>, to target: inout [UInt8]) {
    let rest = pixels.count % 3
    for place in stride(from: pixels.startIndex, to: pixels.endIndex - rest, by: 3) {
      let (first, second) = (UInt32(pixels[place]), UInt32(pixels[place + 1]))
      let group = first << 16 | second << 8 | UInt32(pixels[place + 2])
      target.append(digits[Int(group >> 18)])
      target.append(digits[Int(group >> 12 & 63)])
      target.append(digits[Int(group >> 6 & 63)])
      target.append(digits[Int(group & 63)])
    }
    guard rest > 0 else { return }
    let first = UInt32(pixels[pixels.endIndex - rest])
    let second = rest == 2 ? UInt32(pixels[pixels.endIndex - 1]) : 0
    let group = first << 16 | second << 8
    target.append(digits[Int(group >> 18)])
    target.append(digits[Int(group >> 12 & 63)])
    target.append(rest == 2 ? digits[Int(group >> 6 & 63)] : UInt8(ascii: "="))
    target.append(UInt8(ascii: "="))
  }
}
