/// Variable-length numbers in Matroska (RFC 8794, 4).
package enum EBML {
  /// The identifier of an element, including its marker.
  package static func identifier(_ bytes: [UInt8]) -> (value: UInt32, length: Int)? {
    guard let first = bytes.first, first >= 0x10 else { return nil }
    let length = first.leadingZeroBitCount + 1
    guard length <= bytes.count else { return nil }
    return (bytes.prefix(length).reduce(0) { $0 << 8 | UInt32($1) }, length)
  }

  /// A size or other number without its marker; all ones mean unknown.
  package static func number(
    _ bytes: [UInt8], at offset: Int
  ) -> (value: Int64, length: Int, isUnknown: Bool)? {
    guard offset < bytes.count, bytes[offset] != 0 else { return nil }
    let length = bytes[offset].leadingZeroBitCount + 1
    guard offset + length <= bytes.count else { return nil }
    var value = UInt64(bytes[offset]) & (UInt64(0xFF) >> UInt64(length))
    for index in 1..<max(1, length) { value = value << 8 | UInt64(bytes[offset + index]) }
    let isUnknown = value == (UInt64(1) << UInt64(7 * length)) - 1
    return (Int64(value), length, isUnknown)
  }
}
