extension MediaTime {
  /// Creates the tick next to a `Double` from a user interface: the only conversion from floating
  /// point to time.
  ///
  /// A slider's position is a measurement, so it is rounded to the media's tick grid at once, in a
  /// named direction. The conversion itself is exact: the `Double` is read as the exact binary
  /// fraction.
  ///
  /// - Throws: ``ExactTimeError/notFinite`` for NaN and infinities, ``ExactTimeError/overflow`` for
  ///   a tick that needs more than 64 bits.
  public init(
    screenSeconds: Double, on grid: TickGrid, rounding: Rounding
  ) throws(ExactTimeError) {
    guard screenSeconds.isFinite else { throw .notFinite }
    guard screenSeconds.magnitude < 0x1p63 else { throw .overflow }
    guard screenSeconds != 0 else {
      self = .zero
      return
    }
    // magnitude = significand · 2^shift, the significand a whole number below 2^53.
    let shift = Int(screenSeconds.exponent) - 52
    let significand = Int128(screenSeconds.significand * 0x1p52)
    let signed = screenSeconds < 0 ? -significand : significand
    let tick = grid.secondsPerTick
    let quotient: Int64
    if shift >= 0 {
      // Below 2^63 after the shift, so the product is below 2^126.
      quotient = try rounding.quotient(
        (signed << shift) * Int128(tick.denominator), Int128(tick.numerator))
    } else {
      // The dividend is below 2^116. Any divisor of 2^126 or more rounds it the same way.
      let width = Int64.bitWidth - tick.numerator.leadingZeroBitCount - shift
      quotient = try rounding.quotient(
        signed * Int128(tick.denominator),
        width > 126 ? Int128.max : Int128(tick.numerator) << -shift)
    }
    self = try grid.time(atTick: quotient)
  }
}
