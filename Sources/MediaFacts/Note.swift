/// An oddity that was survived, or two figures that disagree: an identifier for machines and a
/// sentence for people.
public struct Note: Hashable, Sendable, Codable {
  public var id: ID
  /// The track it concerns; `nil` for the file.
  public var trackID: Int?
  /// A sentence in plain words with the figures in it.
  public var text: String

  public init(_ id: ID, track: Int? = nil, _ text: String) {
    self.id = id
    self.trackID = track
    self.text = text
  }

  /// A stable kebab-case identifier.
  ///
  /// New ones may come; none changes its meaning.
  public struct ID: Hashable, Sendable, Codable, RawRepresentable, ExpressibleByStringLiteral {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public init(stringLiteral value: String) { rawValue = value }
  }
}

/// Something broken in the file, and where.
public struct Damage: Hashable, Sendable, Codable {
  public var kind: Kind
  /// The byte at which it shows; `nil` when there is no single place.
  public var byteOffset: Int64?
  public var trackID: Int?
  /// How many (undecodable packets, samples outside the file); `nil` where it is not a count.
  public var count: Int?
  public var text: String

  public init(
    _ kind: Kind, at byteOffset: Int64? = nil, track: Int? = nil, count: Int? = nil, _ text: String
  ) {
    self.kind = kind
    self.byteOffset = byteOffset
    self.trackID = track
    self.count = count
    self.text = text
  }

  public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
    /// The file ends before its container says.
    case truncated
    /// A structure of the container contradicts itself or its bounds.
    case invalidStructure = "invalid_structure"
    /// Packets that a decoder refuses.
    case undecodable
    /// Bytes that belong to nothing.
    case garbage
    /// Reading failed at a byte.
    case readFailed = "read_failed"
    /// The input promises media that is not there.
    case missingMedia = "missing_media"
  }
}
