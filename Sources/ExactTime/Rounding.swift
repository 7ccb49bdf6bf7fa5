/// The rounding direction of an inexact conversion.
///
/// There is no default: each conversion names it.
public enum Rounding: Sendable, Hashable, CaseIterable {
  /// Toward minus infinity.
  case down
  /// Toward plus infinity.
  case up
  /// To the nearest whole number; ties go to the even one.
  case nearest
  /// Toward zero.
  case towardZero

  /// - Throws: ``ExactTimeError``: a zero divisor, or a quotient that needs more than 64 bits.
  func quotient(_ dividend: Int128, _ divisor: Int128) throws(ExactTimeError) -> Int64 {
    guard divisor != 0 else { throw .zeroDenominator }
    guard let result = Int64(exactly: wideQuotient(dividend, divisor)) else { throw .overflow }
    return result
  }

  /// The divisor is not zero, and the dividend is no greater than a product of two 64-bit numbers.
  func wideQuotient(_ dividend: Int128, _ divisor: Int128) -> Int128 {
    var (quotient, remainder) = dividend.quotientAndRemainder(dividingBy: divisor)
    guard remainder != 0 else { return quotient }
    let isNegative = (remainder < 0) != (divisor < 0)
    switch self {
    case .down: if isNegative { quotient -= 1 }
    case .up: if !isNegative { quotient += 1 }
    case .towardZero: break
    case .nearest:
      let twice = remainder.magnitude.multipliedReportingOverflow(by: 2)
      let isMore = twice.overflow || twice.partialValue > divisor.magnitude
      let isHalf = !twice.overflow && twice.partialValue == divisor.magnitude
      if isMore || (isHalf && quotient & 1 != 0) { quotient += isNegative ? -1 : 1 }
    }
    return quotient
  }
}
