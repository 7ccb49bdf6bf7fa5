/// A half-open stretch of a timeline: `start` is shown, `end` is not.
///
/// Never reversed; it may be empty.
public struct MediaTimeRange: Hashable, Sendable, Codable {
  /// The first instant that belongs to the range, unless it is empty.
  public let start: MediaTime
  /// Not before `start`; equal to it when the range is empty.
  public let end: MediaTime

  /// The range from one instant up to another; `nil` when the end is before the start.
  public init?(from start: MediaTime, to end: MediaTime) {
    guard start <= end else { return nil }
    self.start = start
    self.end = end
  }

  /// The range that starts at an instant and has a given length, which may be zero.
  ///
  /// - Throws: ``ExactTimeError/notPositive`` for a negative length, ``ExactTimeError/overflow`` for an end
  ///   that needs more than 64 bits.
  public init(from start: MediaTime, length: MediaDuration) throws(ExactTimeError) {
    guard !length.isNegative else { throw .notPositive }
    self.start = start
    self.end = try start.advanced(by: length)
  }

  private enum CodingKeys: String, CodingKey { case start, end }

  /// Reads `start` and `end`, both exact fractions of seconds as text.
  ///
  /// - Throws: `DecodingError` for a range that ends before it starts.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let start = try container.decode(MediaTime.self, forKey: .start)
    let end = try container.decode(MediaTime.self, forKey: .end)
    guard let range = MediaTimeRange(from: start, to: end) else {
      throw DecodingError.dataCorruptedError(
        forKey: .end, in: container, debugDescription: "the range ends before it starts")
    }
    self = range
  }

  /// True where the range holds no instant: it ends where it starts.
  public var isEmpty: Bool { start == end }

  /// The exact length; traps where its reduced numerator or denominator needs more than 64 bits, which
  /// ``checkedLength()`` reports instead.
  public var length: MediaDuration { end - start }

  /// The exact length, for values from files.
  ///
  /// - Throws: ``ExactTimeError/overflow`` where its reduced numerator or denominator needs more than 64
  ///   bits.
  public func checkedLength() throws(ExactTimeError) -> MediaDuration {
    try end.distance(from: start)
  }

  /// True from `start` up to `end`, not including the end.
  public func contains(_ time: MediaTime) -> Bool { start <= time && time < end }

  /// True when every instant of `other` is in this range.
  public func contains(_ other: MediaTimeRange) -> Bool { start <= other.start && other.end <= end }

  /// The smallest range that contains both.
  public func union(_ other: MediaTimeRange) -> MediaTimeRange {
    MediaTimeRange(unchecked: min(start, other.start), max(end, other.end))
  }

  /// The part that both ranges share; `nil` when there is none, empty where they only touch.
  public func intersection(_ other: MediaTimeRange) -> MediaTimeRange? {
    MediaTimeRange(from: max(start, other.start), to: min(end, other.end))
  }

  private init(unchecked start: MediaTime, _ end: MediaTime) {
    self.start = start
    self.end = end
  }
}

extension MediaTimeRange: CustomStringConvertible {
  /// Both ends in exact seconds, such as `10..121/2`.
  public var description: String { "\(start)..\(end)" }
}
