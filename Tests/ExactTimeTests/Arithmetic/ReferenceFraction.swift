import ExactTime

/// The reference for exact arithmetic: sign and 128-bit magnitude, reduced by Stein's binary
/// algorithm, with every step checked.
///
/// The largest value that results from two 64-bit fractions is a sum below 2^127.
struct ReferenceFraction: Equatable {
  let isNegative: Bool
  let numerator: UInt128
  let denominator: UInt128

  init(_ value: Rational) {
    isNegative = value.numerator < 0
    numerator = UInt128(value.numerator.magnitude)
    denominator = UInt128(value.denominator.magnitude)
  }

  private init(_ isNegative: Bool, _ numerator: UInt128, over denominator: UInt128) {
    let divisor = Self.binaryDivisor(numerator, denominator)
    self.isNegative = isNegative && numerator != 0
    self.numerator = numerator / divisor
    self.denominator = denominator / divisor
  }

  static func + (a: Self, b: Self) -> Self {
    let left = product(a.numerator, b.denominator)
    let right = product(b.numerator, a.denominator)
    let bottom = product(a.denominator, b.denominator)
    if a.isNegative == b.isNegative {
      let (sum, overflow) = left.addingReportingOverflow(right)
      precondition(!overflow, "the reference is too narrow")
      return Self(a.isNegative, sum, over: bottom)
    }
    return left >= right
      ? Self(a.isNegative, left - right, over: bottom)
      : Self(b.isNegative, right - left, over: bottom)
  }

  static func - (a: Self, b: Self) -> Self { a + b.negated }

  static func * (a: Self, b: Self) -> Self {
    Self(
      a.isNegative != b.isNegative, product(a.numerator, b.numerator),
      over: product(a.denominator, b.denominator))
  }

  /// `nil` for a division by zero.
  static func / (a: Self, b: Self) -> Self? {
    guard b.numerator != 0 else { return nil }
    return Self(
      a.isNegative != b.isNegative, product(a.numerator, b.denominator),
      over: product(a.denominator, b.numerator))
  }

  static func < (a: Self, b: Self) -> Bool {
    let difference = a - b
    return difference.isNegative
  }

  private var negated: Self { Self(!isNegative, numerator, over: denominator) }

  /// The same fraction in 64-bit parts; `nil` where it does not fit.
  var narrowed: Rational? {
    let limit: UInt128 = isNegative ? 1 << 63 : 1 << 63 - 1
    guard numerator <= limit, denominator < 1 << 63 else { return nil }
    let magnitude = UInt64(numerator)
    let top = isNegative ? Int64(truncatingIfNeeded: 0 &- magnitude) : Int64(magnitude)
    return Rational(top, Int64(denominator))
  }

  private static func product(_ a: UInt128, _ b: UInt128) -> UInt128 {
    let (value, overflow) = a.multipliedReportingOverflow(by: b)
    precondition(!overflow, "the reference is too narrow")
    return value
  }

  private static func binaryDivisor(_ a: UInt128, _ b: UInt128) -> UInt128 {
    guard a != 0, b != 0 else { return a | b }
    let shift = min(a.trailingZeroBitCount, b.trailingZeroBitCount)
    var (a, b) = (a >> a.trailingZeroBitCount, b >> b.trailingZeroBitCount)
    while a != b {
      if a < b { swap(&a, &b) }
      a -= b
      a >>= a.trailingZeroBitCount
    }
    return a << shift
  }
}
