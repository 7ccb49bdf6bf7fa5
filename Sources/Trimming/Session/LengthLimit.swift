public import ExactTime

/// How long a trimmed video may be.
///
/// Lengths are exact and compared without rounding. This is the only place that judges a length;
/// screens, checks and exports all use it.
public struct LengthLimit: Hashable, Sendable {
  /// The shortest length allowed, inclusive; an empty length is never valid, even at zero.
  public let minimum: MediaDuration
  /// The longest length, exclusive unless ``isMaximumInclusive``; `nil` for no maximum.
  public let maximum: MediaDuration?
  /// Whether a length of exactly ``maximum`` is valid; `false` by default.
  public let isMaximumInclusive: Bool

  /// Shorter than 60.5 s.
  public static let standard = LengthLimit(maximum: MediaDuration(121, 2))

  /// Creates a limit; lengths may have any precision and are never rounded.
  public init(
    minimum: MediaDuration = .zero, maximum: MediaDuration?, isMaximumInclusive: Bool = false
  ) {
    self.minimum = minimum
    self.maximum = maximum
    self.isMaximumInclusive = isMaximumInclusive
  }

  /// True for a length above zero that is neither below the minimum nor above the maximum.
  public func isValid(_ length: MediaDuration) -> Bool {
    guard length.isPositive, minimum <= length else { return false }
    guard let maximum else { return true }
    return isMaximumInclusive ? length <= maximum : length < maximum
  }

  /// Whether its maximum is no longer than that of another.
  package func isAtMost(_ other: LengthLimit) -> Bool {
    guard let most = other.maximum else { return true }
    return maximum.map { $0 <= most } ?? false
  }

  /// The same check, with the distance from the limit for display to the user.
  public func verdict(on length: MediaDuration) -> LengthVerdict {
    if isValid(length) { return .valid }
    guard length.isPositive else { return .empty }
    if length < minimum { return .tooShort(by: try? minimum.subtracting(length)) }
    return .tooLong(by: maximum.flatMap { try? length.subtracting($0) })
  }
}

/// Whether a length is valid, and if not, by how much it misses the limit.
public enum LengthVerdict: Hashable, Sendable {
  /// Within the limit, and longer than zero.
  case valid
  /// Zero when the length equals an exclusive maximum; `nil` when the difference needs more than 64
  /// bits.
  case tooLong(by: MediaDuration?)
  /// `nil` when the difference needs more than 64 bits.
  case tooShort(by: MediaDuration?)
  /// Zero or less.
  case empty
}
