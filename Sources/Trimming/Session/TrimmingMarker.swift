public import ExactTime

/// A place of the video that the user wants to find again; an export ignores it.
public struct TrimmingMarker: Hashable, Sendable, Identifiable, Codable {
  /// Stays the same while the marker exists; counts up from 1.
  public let id: Int
  /// Where it is, on the video's own timeline.
  public let position: MediaTime
  /// What the user calls it; empty for a marker without a name.
  public var name: String

  /// Creates a marker; the caller must ensure that the identifier is unique.
  public init(id: Int, position: MediaTime, name: String = "") {
    self.id = id
    self.position = position
    self.name = name
  }
}
