import ExactTime

/// Writes seconds as decimals, and counts those that have no exact decimal.
struct DecimalSeconds {
  /// How many times were rounded.
  private(set) var rounded = 0

  /// The exact decimal, at least with `places`; where 18 places do not suffice, it is rounded to 9,
  /// which is finer than any frame or sample.
  mutating func callAsFunction(_ time: MediaTime, places: Int = 0) -> String {
    let short = time.seconds.decimalText(places: places, rounding: .nearest)
    if short.isExact { return short.text }
    if let exact = time.seconds.exactDecimal { return exact }
    rounded += 1
    return time.seconds.decimalText(places: 9, rounding: .nearest).text
  }
}
