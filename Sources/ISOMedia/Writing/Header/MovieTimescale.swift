package import ExactTime

extension ISOFileLayout {
  /// The ticks per second at which every duration is a whole number of ticks.
  ///
  /// The preferred timescale if it is exact. Otherwise the least common multiple of the denominators,
  /// multiplied until a tick is no longer than a millisecond. If that needs more than 31 bits, only
  /// the denominators that fit are used, in the given order, and `isExact` is false: the ends of the
  /// other durations are then rounded to the nearest tick, ties to even.
  package static func movieTimescale(
    for lengths: [Rational], preferred: UInt32? = nil
  ) -> (timescale: UInt32, isExact: Bool) {
    let denominators = lengths.map(\.denominator)
    if let preferred, preferred > 0,
      denominators.allSatisfy({ Int64(preferred).isMultiple(of: $0) })
    {
      return (preferred, true)
    }
    var common: Int64 = 1
    var isExact = true
    for denominator in denominators {
      let divisor = Int64(greatestCommonDivisor(common.magnitude, denominator.magnitude))
      let (product, overflow) = (common / divisor).multipliedReportingOverflow(by: denominator)
      if overflow || product > mostTicks { isExact = false } else { common = product }
    }
    let least: Int64 = isExact ? 1000 : 1_000_000
    let factor = max(1, (least + common - 1) / common)
    return (UInt32(clamping: min(common * factor, mostTicks / common * common)), isExact)
  }

  /// Some readers read the field as signed.
  private static let mostTicks = Int64(Int32.max)
}
