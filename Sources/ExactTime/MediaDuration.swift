/// A length of media time in seconds, exact and signed: the distance between two instants.
public struct MediaDuration: Hashable, Sendable, Comparable {
  /// The exact value.
  public let seconds: Rational

  public static let zero = MediaDuration(seconds: .zero)

  public init(seconds: Rational) { self.seconds = seconds }

  /// `numerator/denominator` seconds; traps on a zero denominator: for constants in code.
  public init(_ numerator: Int64, _ denominator: Int64 = 1) {
    seconds = Rational(numerator, denominator)
  }

  public var isNegative: Bool { seconds.isNegative }
  public var isPositive: Bool { seconds.isPositive }

  /// The length without its sign; traps for a numerator of −2^63, which ``checkedMagnitude()``
  /// reports instead.
  public var magnitude: MediaDuration { isNegative ? .zero - self : self }

  /// The length without its sign, for values from files.
  ///
  /// - Throws: ``ExactTimeError/overflow`` for a numerator of −2^63.
  public func checkedMagnitude() throws(ExactTimeError) -> MediaDuration {
    isNegative ? try MediaDuration.zero.subtracting(self) : self
  }

  @inlinable public static func < (a: MediaDuration, b: MediaDuration) -> Bool {
    a.seconds < b.seconds
  }

  // MARK: Checked, for values from files

  public func adding(_ other: MediaDuration) throws(ExactTimeError) -> MediaDuration {
    MediaDuration(seconds: try seconds.adding(other.seconds))
  }

  public func subtracting(_ other: MediaDuration) throws(ExactTimeError) -> MediaDuration {
    MediaDuration(seconds: try seconds.subtracting(other.seconds))
  }

  public func scaled(by factor: Rational) throws(ExactTimeError) -> MediaDuration {
    MediaDuration(seconds: try seconds.multiplied(by: factor))
  }

  // MARK: Trapping, for values known to be in range

  public static func + (a: MediaDuration, b: MediaDuration) -> MediaDuration {
    MediaDuration(seconds: a.seconds + b.seconds)
  }
  public static func - (a: MediaDuration, b: MediaDuration) -> MediaDuration {
    MediaDuration(seconds: a.seconds - b.seconds)
  }
}

extension MediaDuration: CustomStringConvertible {
  /// The exact value in seconds, such as `121/2`.
  public var description: String { seconds.description }
}

extension MediaDuration: Codable {
  public init(from decoder: any Decoder) throws { seconds = try Rational(from: decoder) }
  public func encode(to encoder: any Encoder) throws { try seconds.encode(to: encoder) }
}
