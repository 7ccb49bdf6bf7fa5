public import ExactTime

/// A place of a file that the user wants to find again; an export ignores it.
public struct TrimmingMarker: Hashable, Sendable, Identifiable {
  /// Stays the same while the marker exists; counts up from 1.
  public let id: Int
  /// Where it is, on its file's own timeline.
  public let position: MediaTime
  /// What the user calls it; empty for a marker without a name.
  public var name: String
  /// The index of its file among ``TrimmingSession/sources``.
  public let source: Int

  /// Creates a marker; the caller must ensure that the identifier is unique.
  public init(id: Int, position: MediaTime, name: String = "", source: Int = 0) {
    self.id = id
    self.position = position
    self.name = name
    self.source = source
  }
}

extension TrimmingMarker: Codable {
  private enum CodingKeys: String, CodingKey { case id, position, name, source }

  /// Reads a marker; without `source` it is of the first file.
  ///
  /// - Throws: `DecodingError` for a missing member.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      id: try container.decode(Int.self, forKey: .id),
      position: try container.decode(MediaTime.self, forKey: .position),
      name: try container.decode(String.self, forKey: .name),
      source: try container.decodeIfPresent(Int.self, forKey: .source) ?? 0)
  }

  /// Writes the members; `source` only for another file than the first.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
    try container.encode(position, forKey: .position)
    try container.encode(name, forKey: .name)
    if source != 0 { try container.encode(source, forKey: .source) }
  }
}
