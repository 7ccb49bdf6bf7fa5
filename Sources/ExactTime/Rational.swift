/// An exact number: a reduced fraction of two 64-bit integers, the denominator always positive.
///
/// Frame rates, aspect ratios and ticks per second are rationals; instants and lengths are built on them.
/// Comparison uses full-width products, so it is exact for every pair of values. The checked forms (`adding`,
/// `multiplied`, …) report overflow and are the only ones allowed for values from a file; the operators trap
/// on overflow, as `Int` does.
public struct Rational: Hashable, Sendable {
  /// The numerator, which carries the sign.
  public let numerator: Int64
  /// Always greater than zero.
  public let denominator: Int64

  /// The number 0, as 0/1.
  public static let zero = Rational(0)
  /// The number 1, as 1/1.
  public static let one = Rational(1)

  /// A whole number.
  public init(_ whole: Int64) {
    numerator = whole
    denominator = 1
  }

  /// Creates a constant; traps when the denominator is zero or the reduced fraction does not fit.
  ///
  /// Values from outside go through ``init(checked:over:)``.
  public init(_ numerator: Int64, _ denominator: Int64) {
    guard let value = try? Rational(checked: Int128(numerator), over: Int128(denominator)) else {
      preconditionFailure("\(numerator)/\(denominator) is not a fraction of 64-bit integers")
    }
    self = value
  }

  /// The reduced fraction.
  ///
  /// - Throws: ``ExactTimeError`` when the denominator is zero or the reduced fraction needs more than 64
  ///   bits.
  public init(checked numerator: Int128, over denominator: Int128) throws(ExactTimeError) {
    guard denominator != 0 else { throw .zeroDenominator }
    let divisor = Self.divisor(numerator.magnitude, denominator.magnitude)
    let top = numerator.magnitude / divisor
    let bottom = denominator.magnitude / divisor
    let isNegative = (numerator < 0) != (denominator < 0)
    guard let denominator = Int64(exactly: bottom),
      let magnitude = Int128(exactly: top),
      let numerator = Int64(exactly: isNegative ? -magnitude : magnitude)
    else { throw .overflow }
    self.numerator = numerator
    self.denominator = denominator
  }

  /// True for less than zero.
  public var isNegative: Bool { numerator < 0 }
  /// True for more than zero.
  public var isPositive: Bool { numerator > 0 }
  /// True for exactly zero.
  public var isZero: Bool { numerator == 0 }

  /// An approximation for drawing and for the `seconds` printed with an exact value; never for a decision.
  public var approximation: Double { Double(numerator) / Double(denominator) }

  private static func divisor(_ a: UInt128, _ b: UInt128) -> UInt128 {
    // 64-bit operands are by far the most common, and their division is many times faster.
    if let a = UInt64(exactly: a), let b = UInt64(exactly: b) {
      return UInt128(greatestCommonDivisor(a, b))
    }
    return greatestCommonDivisor(a, b)
  }
}

// MARK: - Checked arithmetic

extension Rational {
  /// The exact sum.
  ///
  /// - Throws: ``ExactTimeError/overflow`` when its reduced numerator or denominator needs more than 64 bits.
  public func adding(_ other: Rational) throws(ExactTimeError) -> Rational {
    if denominator == other.denominator {
      return try Rational(
        checked: Int128(numerator) + Int128(other.numerator), over: Int128(denominator))
    }
    // A numerator is at most 2^63 in magnitude and a denominator at most 2^63 − 1, so each product
    // is at most 2^126 − 2^63, and the sum of two is below 2^127.
    let top =
      Int128(numerator) * Int128(other.denominator)
      + Int128(other.numerator) * Int128(denominator)
    return try Rational(checked: top, over: Int128(denominator) * Int128(other.denominator))
  }

  /// The exact difference.
  ///
  /// - Throws: ``ExactTimeError/overflow`` when its reduced numerator or denominator needs more than 64 bits.
  public func subtracting(_ other: Rational) throws(ExactTimeError) -> Rational {
    if denominator == other.denominator {
      return try Rational(
        checked: Int128(numerator) - Int128(other.numerator), over: Int128(denominator))
    }
    let top =
      Int128(numerator) * Int128(other.denominator)
      - Int128(other.numerator) * Int128(denominator)
    return try Rational(checked: top, over: Int128(denominator) * Int128(other.denominator))
  }

  /// The exact product.
  ///
  /// - Throws: ``ExactTimeError/overflow`` when its reduced numerator or denominator needs more than 64 bits.
  public func multiplied(by other: Rational) throws(ExactTimeError) -> Rational {
    try Rational(
      checked: Int128(numerator) * Int128(other.numerator),
      over: Int128(denominator) * Int128(other.denominator))
  }

  /// The exact quotient.
  ///
  /// - Throws: ``ExactTimeError``: a zero divisor, or a result whose reduced fraction needs more than 64
  ///   bits.
  public func divided(by other: Rational) throws(ExactTimeError) -> Rational {
    try Rational(
      checked: Int128(numerator) * Int128(other.denominator),
      over: Int128(denominator) * Int128(other.numerator))
  }

  /// The whole number nearest this value in the given rounding direction.
  ///
  /// - Throws: ``ExactTimeError/overflow`` only for the one value that rounds to more than 64 bits.
  public func rounded(_ rounding: Rounding) throws(ExactTimeError) -> Int64 {
    try rounding.quotient(Int128(numerator), Int128(denominator))
  }
}

extension Rational: Comparable {
  /// Orders by exact value, without rounding and without overflow.
  @inlinable public static func < (a: Rational, b: Rational) -> Bool {
    if a.denominator == b.denominator { return a.numerator < b.numerator }
    // Products of two 64-bit numbers always fit, so nothing needs to be checked.
    return Int128(a.numerator) &* Int128(b.denominator)
      < Int128(b.numerator) &* Int128(a.denominator)
  }
}

// MARK: - Operators, for values known to be in range

extension Rational {
  /// The exact sum; traps on overflow, which ``adding(_:)`` reports instead.
  public static func + (a: Rational, b: Rational) -> Rational {
    trapping { () throws(ExactTimeError) in try a.adding(b) }
  }
  /// The exact difference; traps on overflow, which ``subtracting(_:)`` reports instead.
  public static func - (a: Rational, b: Rational) -> Rational {
    trapping { () throws(ExactTimeError) in try a.subtracting(b) }
  }
  /// The exact product; traps on overflow, which ``multiplied(by:)`` reports instead.
  public static func * (a: Rational, b: Rational) -> Rational {
    trapping { () throws(ExactTimeError) in try a.multiplied(by: b) }
  }
  /// The exact quotient; traps on overflow and for a zero divisor, which ``divided(by:)`` reports.
  public static func / (a: Rational, b: Rational) -> Rational {
    trapping { () throws(ExactTimeError) in try a.divided(by: b) }
  }
  /// The negated value; traps for a numerator of −2^63.
  public static prefix func - (a: Rational) -> Rational { .zero - a }

  static func trapping(_ body: () throws(ExactTimeError) -> Rational) -> Rational {
    do {
      return try body()
    } catch {
      preconditionFailure("exact arithmetic: \(error)")
    }
  }
}

// MARK: - Text: "121/2", or "60" when whole

extension Rational: CustomStringConvertible {
  /// The exact value: `121/2`, or `60` when it is whole.
  public var description: String {
    denominator == 1 ? "\(numerator)" : "\(numerator)/\(denominator)"
  }

  /// Reads what ``description`` prints, and fractions that are not reduced; `nil` for anything else.
  ///
  /// For text that a person types, use ``TimeExpression`` or ``MediaDuration/init(parsing:)``.
  public init?(exactly text: some StringProtocol) {
    // `Int64` accepts a plus sign, which no printed value has.
    guard !text.utf8.contains(UInt8(ascii: "+")) else { return nil }
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let numerator = Int64(parts[0]) else { return nil }
    guard parts.count == 2 else {
      self.init(numerator)
      return
    }
    guard let denominator = Int64(parts[1]), denominator > 0,
      let value = try? Rational(checked: Int128(numerator), over: Int128(denominator))
    else { return nil }
    self = value
  }
}

extension Rational: Codable {
  /// Reads what ``description`` writes: text such as `"121/2"` or `"60"`.
  ///
  /// - Throws: `DecodingError` for anything else.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let value = Rational(exactly: text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "not an exact value such as 121/2: \(text.prefix(40))")
    }
    self = value
  }

  /// Writes the exact value as text, since JSON numbers cannot hold fractions.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
