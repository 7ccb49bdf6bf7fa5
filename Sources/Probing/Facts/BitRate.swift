package import ExactTime

/// Bits per second.
package enum BitRate {
  /// - Returns: `nil` for an empty range or a value outside 64 bits.
  package static func of(bytes: Int64, over length: MediaDuration) -> Int64? {
    guard length.isPositive, bytes > 0,
      let bits = try? Rational(checked: Int128(bytes) * 8, over: 1),
      let rate = try? bits.divided(by: length.seconds)
    else { return nil }
    return try? rate.rounded(.nearest)
  }
}
