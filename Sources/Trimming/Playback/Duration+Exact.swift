import ExactTime

extension Duration {
  /// Passes on the same time in seconds: exactly, if the caller's arithmetic with it fits in 64
  /// bits.
  ///
  /// Otherwise it is rounded down to nanoseconds, then to microseconds, then to milliseconds.
  /// Rounding happens once, on the whole time since an anchor, so it never adds up.
  ///
  /// - Throws: what `use` throws with milliseconds.
  func withSeconds<Result>(
    _ use: (Rational) throws(ExactTimeError) -> Result
  ) throws(ExactTimeError) -> Result {
    for unit: Int128 in [1, 1_000_000_000, 1_000_000_000_000] {
      if let result = try? use(try seconds(inUnitsOf: unit)) { return result }
    }
    return try use(try seconds(inUnitsOf: 1_000_000_000_000_000))
  }

  private func seconds(inUnitsOf unit: Int128) throws(ExactTimeError) -> Rational {
    let remainder = attoseconds % unit
    let whole = attoseconds - (remainder < 0 ? remainder + unit : remainder)
    return try Rational(checked: whole, over: Self.attosecondsPerSecond)
  }

  /// Creates a duration from seconds, rounded up to a whole attosecond: a deadline is never too
  /// early.
  ///
  /// - Throws: ``ExactTimeError/overflow`` beyond what a duration can hold.
  init(roundingUp seconds: Rational) throws(ExactTimeError) {
    let attoseconds = Int128(seconds.numerator).multipliedReportingOverflow(
      by: Self.attosecondsPerSecond)
    guard !attoseconds.overflow else { throw .overflow }
    let (whole, remainder) = attoseconds.partialValue.quotientAndRemainder(
      dividingBy: Int128(seconds.denominator))
    self.init(attoseconds: remainder > 0 ? whole + 1 : whole)
  }

  private static let attosecondsPerSecond: Int128 = 1_000_000_000_000_000_000
}
