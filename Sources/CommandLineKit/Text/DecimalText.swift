package import ExactTime

/// How this tool writes exact values: by integers alone, rounded to nearest for reading by eye.
package enum DecimalText {
  /// A fixed number of decimals.
  package static func fixed(_ value: Rational, places: Int) -> String {
    unsigned(value.decimalText(places: places, rounding: .nearest).text)
  }

  /// As many decimals as the value has, nine at most.
  package static func shortest(_ value: Rational) -> String {
    var text = fixed(value, places: 9)[...]
    while text.last == "0" { text.removeLast() }
    if text.last == "." { text.removeLast() }
    return String(text)
  }

  /// Hours, minutes and seconds, to the millisecond.
  package static func clock(_ value: Rational) -> String {
    MediaDuration(seconds: value).clockText(places: 3, rounding: .nearest).text
  }

  /// A zero has no sign, however it came about.
  private static func unsigned(_ text: String) -> String {
    text.first == "-" && text.allSatisfy { "-0.".contains($0) } ? String(text.dropFirst()) : text
  }
}
