package import ExactTime

/// Formats seconds for sentences: at most six decimal digits, computed from the exact value and
/// marked with `~` where digits were dropped.
package enum SecondsText {
  package static func text(_ value: Rational) -> String {
    let million: Int128 = 1_000_000
    let top = Int128(value.numerator) * million
    let (quotient, remainder) = top.magnitude.quotientAndRemainder(
      dividingBy: UInt128(value.denominator.magnitude))
    let roundedUp = remainder * 2 >= UInt128(value.denominator.magnitude) && remainder != 0
    let micros = quotient + (roundedUp ? 1 : 0)
    let whole = micros / 1_000_000
    var digits = String(micros % 1_000_000)
    digits = String(repeating: "0", count: 6 - digits.count) + digits
    while digits.count > 1, digits.hasSuffix("0") { digits.removeLast() }
    let sign = value.isNegative ? "-" : ""
    return (remainder == 0 ? "" : "~") + sign + "\(whole)" + (digits == "0" ? "" : "." + digits)
  }
}
