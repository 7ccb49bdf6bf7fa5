/// A number as text, with whether it was rounded.
public struct RoundedText: Hashable, Sendable, CustomStringConvertible {
  /// The digits, such as `0:01:40.600`.
  public let text: String
  /// True when the text is the exact value.
  public let isExact: Bool

  /// The digits, preceded by `~` where they are rounded.
  public var description: String { isExact ? text : "~" + text }
}

extension Rational {
  /// The value as a decimal number with a fixed number of places: `60.394`.
  ///
  /// The rounding is of the signed value: `down` makes −0.5 into −1. `places` is clamped to 0…18.
  public func decimalText(places: Int, rounding: Rounding) -> RoundedText {
    rounded(toPlaces: places, rounding) { whole, fraction in "\(whole)\(fraction)" }
  }

  /// The exact value as a decimal number without trailing zeros; `nil` if it would need more
  /// than 18 places.
  public var exactDecimal: String? {
    var scale: Int64 = 1
    for places in 0...Self.mostPlaces {
      if places > 0 { scale *= 10 }
      guard scale.isMultiple(of: denominator) else { continue }
      return decimalText(places: places, rounding: .towardZero).text
    }
    return nil
  }

  static let mostPlaces = 18

  /// Rounds, then lets `join` combine the whole part with the fraction, which includes its point.
  func rounded(
    toPlaces places: Int, _ rounding: Rounding, join: (UInt128, String) -> String
  ) -> RoundedText {
    let places = min(max(places, 0), Self.mostPlaces)
    let scale = (0..<places).reduce(into: Int128(1)) { scale, _ in scale *= 10 }
    // At most 2^63 · 10^18, which is below 2^123.
    let product = Int128(numerator) * scale
    let value = rounding.wideQuotient(product, Int128(denominator))
    let (whole, rest) = value.magnitude.quotientAndRemainder(dividingBy: scale.magnitude)
    let digits = "\(rest)"
    let zeros = String(repeating: "0", count: max(0, places - digits.utf8.count))
    let text = join(whole, places == 0 ? "" : ".\(zeros)\(digits)")
    return RoundedText(
      text: value < 0 ? "-" + text : text, isExact: product % Int128(denominator) == 0)
  }
}
