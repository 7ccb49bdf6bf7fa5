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

extension Rational {
  /// The exact value of a number as JSON has it, such as `-1.5` or `2.5e-3`; `nil` for anything else,
  /// and for a value whose reduced fraction needs more than 64 bits.
  init?(scientific text: Substring) {
    let isNegative = text.utf8.first == UInt8(ascii: "-")
    let parts = (isNegative ? text.dropFirst() : text).split(
      maxSplits: 1, omittingEmptySubsequences: false
    ) { $0 == "e" || $0 == "E" }
    guard let digits = Rational(decimal: parts[0]) else { return nil }
    var value = digits
    if parts.count == 2 {
      guard let exponent = Int(parts[1]), (-40...40).contains(exponent) else { return nil }
      let ten = Rational(exponent < 0 ? 1 : 10, exponent < 0 ? 10 : 1)
      for _ in 0..<exponent.magnitude where !value.isZero {
        guard let scaled = try? value.multiplied(by: ten) else { return nil }
        value = scaled
      }
    }
    guard isNegative else {
      self = value
      return
    }
    guard let negative = try? Rational.zero.subtracting(value) else { return nil }
    self = negative
  }
}
