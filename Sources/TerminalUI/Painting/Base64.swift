/// RFC 4648, section 4.
enum Base64 {
  private static let digits = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let padding = UInt8(ascii: "=")

  static func append(_ source: ArraySlice<UInt8>, to target: inout [UInt8]) {
    var place = source.startIndex
    while source.endIndex - place >= 3 {
      let group =
        UInt32(source[place]) << 16 | UInt32(source[place + 1]) << 8
        | UInt32(source[place + 2])
      target.append(digits[Int(group >> 18)])
      target.append(digits[Int(group >> 12 & 63)])
      target.append(digits[Int(group >> 6 & 63)])
      target.append(digits[Int(group & 63)])
      place += 3
    }
    guard place < source.endIndex else { return }
    let second = place + 1 < source.endIndex ? source[place + 1] : 0
    target.append(digits[Int(source[place] >> 2)])
    target.append(digits[Int((source[place] & 3) << 4 | second >> 4)])
    target.append(
      place + 1 < source.endIndex ? digits[Int((second & 15) << 2)] : padding)
    target.append(padding)
  }
}
