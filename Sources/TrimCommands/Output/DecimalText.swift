import ExactTime

/// Exact values as decimal text, by integers alone: no digit is a rounding error of `Double`.
enum DecimalText {
  /// A fixed number of decimals, the last one rounded to nearest.
  ///
  /// - Parameter places: 0…9.
  static func fixed(_ value: Rational, places: Int) -> String {
    let (sign, whole, fraction) = parts(value, places: places)
    return places == 0 ? "\(sign)\(whole)" : "\(sign)\(whole).\(padded(fraction, to: places))"
  }

  /// As many decimals as the value has, nine at most.
  static func shortest(_ value: Rational) -> String {
    let text = fixed(value, places: 9)
    let trimmed = text.trimmingTrailing("0")
    return trimmed.last == "." ? String(trimmed.dropLast()) : String(trimmed)
  }

  /// `1:00.394`, or `1:02:03.004` from an hour on.
  static func clock(_ value: Rational, places: Int = 3) -> String {
    let (sign, whole, fraction) = parts(value, places: places)
    let (hours, minutes, seconds) = (whole / 3600, whole / 60 % 60, whole % 60)
    let head =
      hours > 0 ? "\(hours):\(padded(minutes, to: 2))" : "\(minutes)"
    let tail = places == 0 ? "" : "." + padded(fraction, to: places)
    return "\(sign)\(head):\(padded(seconds, to: 2))\(tail)"
  }

  private static func parts(_ value: Rational, places: Int) -> (String, UInt128, UInt128) {
    let unit = (0..<places).reduce(UInt128(1)) { power, _ in power * 10 }
    // A numerator of 64 bits times 10^9 stays below 2^94.
    let scaled = UInt128(value.numerator.magnitude) * unit
    let denominator = UInt128(value.denominator)
    var (quotient, remainder) = scaled.quotientAndRemainder(dividingBy: denominator)
    let twice = remainder * 2
    if twice > denominator || (twice == denominator && quotient & 1 == 1) { quotient += 1 }
    remainder = quotient % unit
    let sign = value.isNegative && quotient != 0 ? "-" : ""
    return (sign, quotient / unit, remainder)
  }

  private static func padded(_ value: UInt128, to digits: Int) -> String {
    let text = "\(value)"
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }
}

extension String {
  fileprivate func trimmingTrailing(_ character: Character) -> Substring {
    var rest = self[...]
    while rest.last == character { rest.removeLast() }
    return rest
  }
}
