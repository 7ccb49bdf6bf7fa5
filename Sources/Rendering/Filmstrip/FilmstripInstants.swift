public import ExactTime

/// The instants whose frames a filmstrip shows.
public enum FilmstripInstants: Sendable, Hashable {
  /// The middles of this many equal parts.
  case count(Int)
  /// The start, and then at this interval.
  case every(MediaDuration)

  /// The instants in a range, in ascending order.
  ///
  /// - Parameter most: the maximum number of instants.
  /// - Returns: `nil` when there are more or none, or when a time needs more than 64 bits.
  public func times(in range: MediaTimeRange, atMost most: Int) -> [MediaTime]? {
    guard let length = try? range.checkedLength(), length.isPositive else { return nil }
    do throws(ExactTimeError) {
      switch self {
      case .count(let count):
        guard (1...most).contains(count) else { return nil }
        let half = try Rational(checked: 1, over: 2 * Int128(count))
        return try (0..<Int64(count)).map { (part) throws(ExactTimeError) in
          try range.start.advanced(
            by: length.scaled(by: half.multiplied(by: Rational(2 * part + 1))))
        }
      case .every(let step):
        guard step.isPositive else { return nil }
        let count = try length.seconds.divided(by: step.seconds).rounded(.up)
        guard count <= most else { return nil }
        return try (0..<count).map { (number) throws(ExactTimeError) in
          try range.start.advanced(by: step.scaled(by: Rational(number)))
        }
      }
    } catch {
      return nil
    }
  }
}
