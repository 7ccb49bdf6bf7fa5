public import MediaFacts

/// Which tracks of a source a cut writes: all of some kinds, and individual ones.
public struct TrackChoice: Sendable, Hashable, Codable {
  /// All tracks of these kinds.
  public var kinds: Set<TrackKind>
  /// Tracks by the number that a probe reports: the container's number, or counted from 1.
  public var ids: Set<Int>

  /// Creates a choice; an empty one chooses nothing.
  public init(kinds: Set<TrackKind> = [], ids: Set<Int> = []) {
    self.kinds = kinds
    self.ids = ids
  }

  /// Whether a track is written.
  public func contains(kind: TrackKind, id: Int) -> Bool {
    kinds.contains(kind) || ids.contains(id)
  }

  private enum CodingKeys: String, CodingKey {
    case kinds, ids
  }

  /// Writes kinds and numbers in order, so that the same choice is the same text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(kinds.sorted { $0.rawValue < $1.rawValue }, forKey: .kinds)
    try container.encode(ids.sorted(), forKey: .ids)
  }
}
