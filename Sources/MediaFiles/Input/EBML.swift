/// Elements of Matroska and their variable-length numbers (RFC 8794, 4 and 6).
package enum EBML {
  /// What is before an element's content: its identifier, and its size, which is `nil` if unknown.
  ///
  /// - Parameter bytes: the beginning of the element; twelve bytes are always enough.
  package static func head(
    _ bytes: some Collection<UInt8>
  ) -> (id: UInt32, size: Int64?, length: Int)? {
    let bytes = Array(bytes.prefix(12))
    guard let name = identifier(bytes), let size = number(bytes, at: name.length) else {
      return nil
    }
    return (name.value, size.isUnknown ? nil : size.value, name.length + size.length)
  }

  /// The identifier of an element, including its marker.
  private static func identifier(_ bytes: [UInt8]) -> (value: UInt32, length: Int)? {
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
