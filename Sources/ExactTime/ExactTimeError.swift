/// The errors of arithmetic on exact values.
public enum ExactTimeError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The exact result needs more than 64 bits.
  case overflow
  /// A denominator, a rate or a tick length of zero.
  case zeroDenominator
  /// A length or a tick grid that must be positive is not.
  case notPositive
  /// A number that is not a time: NaN or an infinity.
  case notFinite

  /// One sentence without its period, for a message that names the value.
  public var description: String {
    switch self {
    case .overflow: "the exact value needs more than 64 bits"
    case .zeroDenominator: "division by zero"
    case .notPositive: "the value must be greater than zero"
    case .notFinite: "not a finite number"
    }
  }
}
