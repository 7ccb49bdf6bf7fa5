/// A length of media time in seconds, exact and signed: the distance between two instants.
public struct MediaDuration: Hashable, Sendable, Comparable {
  /// The exact value.
  public let seconds: Rational

  /// The empty length.
  public static let zero = MediaDuration(seconds: .zero)

  /// Creates a length from exact seconds, which may be negative.
  public init(seconds: Rational) { self.seconds = seconds }

  /// `numerator/denominator` seconds, for constants in code; traps on a zero denominator.
  public init(_ numerator: Int64, _ denominator: Int64 = 1) {
    seconds = Rational(numerator, denominator)
  }

  /// True for less than zero seconds.
  public var isNegative: Bool { seconds.isNegative }
  /// True for more than zero seconds: an empty length is neither positive nor negative.
  public var isPositive: Bool { seconds.isPositive }

  /// The absolute value of the length; traps for a numerator of −2^63, which ``checkedMagnitude()``
  /// reports instead.
  public var magnitude: MediaDuration { isNegative ? .zero - self : self }

  /// The absolute value of the length, for values from files.
  ///
  /// - Throws: ``ExactTimeError/overflow`` for a numerator of −2^63.
  public func checkedMagnitude() throws(ExactTimeError) -> MediaDuration {
    isNegative ? try MediaDuration.zero.subtracting(self) : self
  }

  /// Orders by exact length; a negative length comes before zero.
  @inlinable public static func < (a: MediaDuration, b: MediaDuration) -> Bool {
    a.seconds < b.seconds
  }

  // MARK: Checked, for values from files

  /// The exact sum, for values from files.
  ///
  /// - Throws: ``ExactTimeError/overflow`` when its reduced numerator or denominator needs more
  ///   than 64 bits.
  public func adding(_ other: MediaDuration) throws(ExactTimeError) -> MediaDuration {
    MediaDuration(seconds: try seconds.adding(other.seconds))
  }

  /// The exact difference, negative where `other` is longer, for values from files.
  ///
  /// - Throws: ``ExactTimeError/overflow`` when its reduced numerator or denominator needs more
  ///   than 64 bits.
  public func subtracting(_ other: MediaDuration) throws(ExactTimeError) -> MediaDuration {
    MediaDuration(seconds: try seconds.subtracting(other.seconds))
  }

  /// The exact product with a number, such as a playback rate, for values from files.
  ///
  /// - Throws: ``ExactTimeError/overflow`` when its reduced numerator or denominator needs more
  ///   than 64 bits.
  public func scaled(by factor: Rational) throws(ExactTimeError) -> MediaDuration {
    MediaDuration(seconds: try seconds.multiplied(by: factor))
  }

  // MARK: Trapping, for values known to be in range

  /// The exact sum; traps on overflow, which ``adding(_:)`` reports instead.
  public static func + (a: MediaDuration, b: MediaDuration) -> MediaDuration {
    MediaDuration(seconds: a.seconds + b.seconds)
  }
  /// The exact difference; traps on overflow, which ``subtracting(_:)`` reports instead.
  public static func - (a: MediaDuration, b: MediaDuration) -> MediaDuration {
    MediaDuration(seconds: a.seconds - b.seconds)
  }
}

extension MediaDuration: CustomStringConvertible {
  /// The exact value in seconds, such as `121/2`.
  public var description: String { seconds.description }
}

extension MediaDuration: Codable {
  /// Reads an exact fraction of seconds written as text, such as `"121/2"`.
  ///
  /// - Throws: `DecodingError` for anything else.
  public init(from decoder: any Decoder) throws { seconds = try Rational(from: decoder) }
  /// Writes the exact seconds as text, such as `"121/2"`, never as a floating-point number.
  public func encode(to encoder: any Encoder) throws { try seconds.encode(to: encoder) }
}
