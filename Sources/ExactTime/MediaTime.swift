/// An exact instant on a media timeline, in seconds from its zero.
///
/// It may be negative.
///
/// Instants and lengths are different types: instant − instant is a ``MediaDuration``, and adding
/// two instants does not compile.
public struct MediaTime: Hashable, Sendable, Comparable {
  /// Seconds from the timeline's zero.
  public let seconds: Rational

  /// The zero of a timeline, which need not be where its media starts.
  public static let zero = MediaTime(seconds: .zero)

  /// Creates an instant from exact seconds since the timeline's zero, which may be negative.
  public init(seconds: Rational) { self.seconds = seconds }

  /// `numerator/denominator` seconds, for constants in code; traps on a zero denominator.
  public init(_ numerator: Int64, _ denominator: Int64 = 1) {
    seconds = Rational(numerator, denominator)
  }

  /// Orders the earlier instant before the later one, exactly.
  @inlinable public static func < (a: MediaTime, b: MediaTime) -> Bool { a.seconds < b.seconds }

  // MARK: Checked, for values from files

  /// The instant that is a length later, for values from files.
  ///
  /// - Throws: ``ExactTimeError/overflow`` when its reduced numerator or denominator needs more
  ///   than 64 bits.
  public func advanced(by length: MediaDuration) throws(ExactTimeError) -> MediaTime {
    MediaTime(seconds: try seconds.adding(length.seconds))
  }

  /// The instant that is a length earlier, for values from files.
  ///
  /// - Throws: ``ExactTimeError/overflow`` when its reduced numerator or denominator needs more
  ///   than 64 bits.
  public func moved(back length: MediaDuration) throws(ExactTimeError) -> MediaTime {
    MediaTime(seconds: try seconds.subtracting(length.seconds))
  }

  /// The signed length from `other` to this instant, for values from files.
  ///
  /// - Throws: ``ExactTimeError/overflow`` when its reduced numerator or denominator needs more
  ///   than 64 bits.
  public func distance(from other: MediaTime) throws(ExactTimeError) -> MediaDuration {
    MediaDuration(seconds: try seconds.subtracting(other.seconds))
  }

  // MARK: Trapping, for values known to be in range

  /// The instant `b` after `a`; traps on overflow, which ``advanced(by:)`` reports instead.
  public static func + (a: MediaTime, b: MediaDuration) -> MediaTime {
    MediaTime(seconds: a.seconds + b.seconds)
  }
  /// The instant `b` before `a`; traps on overflow, which ``moved(back:)`` reports instead.
  public static func - (a: MediaTime, b: MediaDuration) -> MediaTime {
    MediaTime(seconds: a.seconds - b.seconds)
  }
  /// The signed length from `b` to `a`; traps on overflow, which ``distance(from:)`` reports
  /// instead.
  public static func - (a: MediaTime, b: MediaTime) -> MediaDuration {
    MediaDuration(seconds: a.seconds - b.seconds)
  }
}

extension MediaTime: CustomStringConvertible {
  /// The exact value in seconds, such as `121/2`.
  public var description: String { seconds.description }
}

extension MediaTime: Codable {
  /// Reads an exact fraction of seconds written as text, such as `"121/2"`.
  ///
  /// - Throws: `DecodingError` for anything else.
  public init(from decoder: any Decoder) throws { seconds = try Rational(from: decoder) }
  /// Writes the exact seconds as text, such as `"121/2"`, never as a floating-point number.
  public func encode(to encoder: any Encoder) throws { try seconds.encode(to: encoder) }
}
