/// The order of the bytes of a number in a file.
package enum ByteOrder: Sendable { case big, little }

extension BidirectionalCollection<UInt8> {
  /// The unsigned number that at most eight bytes hold; one beyond 63 bits is the largest possible.
  package func number(_ order: ByteOrder) -> Int64 {
    let value =
      switch order {
      case .big: prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
      case .little: prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
      }
    return Int64(clamping: value)
  }
}

extension FixedWidthInteger {
  /// Its bytes in a file.
  package func bytes(_ order: ByteOrder) -> [UInt8] {
    let shifts = stride(from: 0, to: Self.bitWidth, by: 8)
    let bytes = shifts.map { UInt8(truncatingIfNeeded: self >> $0) }
    return order == .little ? bytes : bytes.reversed()
  }
}
