package import ExactTime

/// Formats exact values using only integer arithmetic, rounded to nearest for human readers.
package enum DecimalText {
  /// A fixed number of decimals.
  package static func fixed(_ value: Rational, places: Int) -> String {
    unsigned(value.decimalText(places: places, rounding: .nearest).text)
  }

  /// As many decimals as the value has, at most nine.
  package static func shortest(_ value: Rational, places: Int = 9) -> String {
    String(withoutEndingZeros(fixed(value, places: places)))
  }

  /// Hours, minutes and seconds, to the millisecond.
  package static func clock(_ value: Rational, places: Int = leastPlaces) -> String {
    MediaDuration(seconds: value).clockText(places: places, rounding: .nearest).text
  }

  /// A length for human readers: `12.5 s`, `1:00.5`, `1:02:03`; to the millisecond, and never zero for more.
  package static func brief(_ value: Rational) -> String {
    guard value >= Rational(60) else {
      let text = shortest(value, places: leastPlaces)
      return text == "0" && value.isPositive ? "less than 0.001 s" : text + " s"
    }
    var text = withoutEndingZeros(clock(value))
    if text.hasPrefix("0:") { text.removeFirst(2) }
    if text.first == "0" { text.removeFirst() }
    return String(text)
  }

  /// The number of decimals that distinguishes neighbors in an ordered list, and identifies each when typed
  /// back.
  ///
  /// One unit in the last decimal is less than the smallest distance. At least three, at most nine.
  package static func places(tellingApart times: [Rational]) -> Int {
    let distances = zip(times, times.dropFirst()).compactMap { try? $1.subtracting($0) }
    guard let least = distances.lazy.filter(\.isPositive).min() else { return leastPlaces }
    var (places, unit) = (leastPlaces, Int64(1000))
    while places < 9, Rational(1, unit) >= least {
      places += 1
      unit *= 10
    }
    return places
  }

  package static let leastPlaces = 3

  private static func withoutEndingZeros(_ text: String) -> Substring {
    var digits = text.utf8[...]
    while digits.last == UInt8(ascii: "0") { digits.removeLast() }
    if digits.last == UInt8(ascii: ".") { digits.removeLast() }
    return Substring(digits)
  }

  /// Removes the sign of a zero, however it arose.
  private static func unsigned(_ text: String) -> String {
    text.hasPrefix("-") && text.allSatisfy { "-0.".contains($0) } ? String(text.dropFirst()) : text
  }
}
