import ExactTime

extension Rational {
  /// The exact value of digits with or without a fraction, such as `60.48`; `nil` for anything else,
  /// and for a value whose reduced fraction needs more than 64 bits.
  init?(decimal text: Substring) {
    var (value, scale) = (Int128(0), Int128(1))
    var (hasDigits, hasPoint) = (false, false)
    for byte in text.utf8 {
      if byte == UInt8(ascii: "."), !hasPoint {
        hasPoint = true
        continue
      }
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
      hasDigits = true
      let (tenfold, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, carry) = tenfold.addingReportingOverflow(Int128(byte - UInt8(ascii: "0")))
      guard !overflow, !carry else { return nil }
      value = sum
      guard hasPoint else { continue }
      let (wider, isTooFine) = scale.multipliedReportingOverflow(by: 10)
      guard !isTooFine else { return nil }
      scale = wider
    }
    guard hasDigits, let exact = try? Rational(checked: value, over: scale) else { return nil }
    self = exact
  }

  /// The exact value of `12`, `1:02.5` or `1:01:02.5`, whose minutes and seconds after a colon are
  /// below 60; `nil` for anything else.
  init?(clock text: Substring) {
    let fields = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
      .map { Substring($0) }
    guard fields.count <= 3 else { return nil }
    var total = Rational.zero
    for (index, field) in fields.enumerated() {
      guard let value = Rational(decimal: field), index == 0 || value < Rational(60),
        index == fields.count - 1 || !field.utf8.contains(UInt8(ascii: ".")),
        let sixtyfold = try? total.multiplied(by: Rational(60)),
        let sum = try? sixtyfold.adding(value)
      else { return nil }
      total = sum
    }
    self = total
  }
}
