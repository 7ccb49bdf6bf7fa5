public import ExactTime

/// A stretch of the video in which something was found; an export ignores it.
public struct TrimmingFinding: Hashable, Sendable, Identifiable, Codable {
  /// What was found.
  public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
    /// All audio is quiet.
    case silence
    /// The picture is black.
    case black
    /// The picture does not change.
    case still
    /// From one hard cut to the next.
    case scene
    /// The picture fades to black or white, or from it.
    case fade
  }

  /// Stays the same until something else is looked for.
  public let id: Int
  /// What was found.
  public let kind: Kind
  /// Where, on the video's own timeline.
  public let range: MediaTimeRange

  /// Creates a finding; the caller must ensure that the identifier is unique.
  public init(id: Int, kind: Kind, range: MediaTimeRange) {
    self.id = id
    self.kind = kind
    self.range = range
  }
}
