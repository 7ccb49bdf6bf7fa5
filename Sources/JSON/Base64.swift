/// Base64 (RFC 4648, section 4), for names that are not valid text.
package enum Base64 {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  package static func encode(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let word = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << (8 * UInt32(3 - group.count))
      for index in 0..<4 {
        let isPadding = index > group.count
        let sextet = Int(word >> UInt32(18 - 6 * index) & 0x3f)
        text.append(isPadding ? UInt8(ascii: "=") : alphabet[sextet])
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
