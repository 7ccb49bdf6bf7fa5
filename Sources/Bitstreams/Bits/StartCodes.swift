/// Start codes of MPEG-2 and MPEG-4 video: 00 00 01 and a value.
package enum StartCodes {
  /// The offset of the first start code with one of these values; `nil` if there is none.
  package static func first(in bytes: [UInt8], from start: Int = 0, _ matches: (UInt8) -> Bool)
    -> Int?
  {
    guard bytes.count >= 4 else { return nil }
    var index = start
    while index + 3 < bytes.count {
      if bytes[index + 2] > 1 {
        index += 3
      } else if bytes[index] == 0, bytes[index + 1] == 0, bytes[index + 2] == 1 {
        if matches(bytes[index + 3]) { return index }
        index += 3
      } else {
        index += 1
      }
    }
    return nil
  }
}
