/// An instant on a media timeline, in seconds from its zero, exact.
///
/// It may be negative.
///
/// Instants and lengths are different types: instant − instant is a ``MediaDuration``, and adding
/// two instants does not compile.
public struct MediaTime: Hashable, Sendable, Comparable {
  /// Seconds from the timeline's zero.
  public let seconds: Rational

  public static let zero = MediaTime(seconds: .zero)

  public init(seconds: Rational) { self.seconds = seconds }

  /// `numerator/denominator` seconds; traps on a zero denominator: for constants in code.
  public init(_ numerator: Int64, _ denominator: Int64 = 1) {
    seconds = Rational(numerator, denominator)
  }

  @inlinable public static func < (a: MediaTime, b: MediaTime) -> Bool { a.seconds < b.seconds }

  // MARK: Checked, for values from files

  public func advanced(by length: MediaDuration) throws(ExactTimeError) -> MediaTime {
    MediaTime(seconds: try seconds.adding(length.seconds))
  }

  public func moved(back length: MediaDuration) throws(ExactTimeError) -> MediaTime {
    MediaTime(seconds: try seconds.subtracting(length.seconds))
  }

  /// The signed length from `other` to this instant.
  public func distance(from other: MediaTime) throws(ExactTimeError) -> MediaDuration {
    MediaDuration(seconds: try seconds.subtracting(other.seconds))
  }

  // MARK: Trapping, for values known to be in range

  public static func + (a: MediaTime, b: MediaDuration) -> MediaTime {
    MediaTime(seconds: a.seconds + b.seconds)
  }
  public static func - (a: MediaTime, b: MediaDuration) -> MediaTime {
    MediaTime(seconds: a.seconds - b.seconds)
  }
  public static func - (a: MediaTime, b: MediaTime) -> MediaDuration {
    MediaDuration(seconds: a.seconds - b.seconds)
  }
}

extension MediaTime: CustomStringConvertible {
  /// The exact value in seconds, such as `121/2`.
  public var description: String { seconds.description }
}

extension MediaTime: Codable {
  public init(from decoder: any Decoder) throws { seconds = try Rational(from: decoder) }
  public func encode(to encoder: any Encoder) throws { try seconds.encode(to: encoder) }
}
