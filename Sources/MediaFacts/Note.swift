/// An oddity that did not stop the probe, or two values that disagree: an identifier for programs
/// and a sentence for people.
public struct Note: Hashable, Sendable, Codable {
  /// What kind of oddity it is, for programs that act on it.
  public var id: ID
  /// The track it concerns; `nil` for the file.
  public var trackID: Int?
  /// A sentence in plain words, with the numbers.
  public var text: String

  /// Creates a note; without `track` it concerns the whole file.
  public init(_ id: ID, track: Int? = nil, _ text: String) {
    self.id = id
    self.trackID = track
    self.text = text
  }
}

/// Something broken in the file, and where.
public struct Damage: Hashable, Sendable, Codable {
  /// What kind of damage it is, for programs that act on it.
  public var kind: Kind
  /// The byte offset at which it was found; `nil` when there is no single place.
  public var byteOffset: Int64?
  /// The track it concerns; `nil` for the container.
  public var trackID: Int?
  /// The count (of undecodable packets, of samples outside the file); `nil` if there is none.
  public var count: Int?
  /// One sentence for people, with the numbers.
  public var text: String

  /// Creates a record of damage; `byteOffset` counts from the start of the file.
  public init(
    _ kind: Kind, at byteOffset: Int64? = nil, track: Int? = nil, count: Int? = nil, _ text: String
  ) {
    self.kind = kind
    self.byteOffset = byteOffset
    self.trackID = track
    self.count = count
    self.text = text
  }

  /// The kinds of damage, spelled as in the JSON of `trim probe`.
  public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
    /// The file ends before the end stated by its container.
    case truncated
    /// A container structure contradicts itself or exceeds its bounds.
    case invalidStructure = "invalid_structure"
    /// Packets that a decoder rejects, or frames that it marks as damaged.
    case undecodable
    /// Bytes that belong to no container structure.
    case garbage
    /// The storage reported an error while the file was read.
    case readFailed = "read_failed"
    /// The input declares media that is not present.
    case missingMedia = "missing_media"
  }
}
