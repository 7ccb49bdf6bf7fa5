/// What a file may make the parser hold; the whole of its memory follows from these.
public struct ISOLimits: Hashable, Sendable {
  /// Boxes at the top level of the file.
  public var topLevelBoxes = 1_000_000
  /// Bytes of `moov`, and of all `moof` boxes together.
  public var headerBytes = 256 << 20
  public var tracks = 100
  /// Samples over all tracks; besides, never more than the file has bytes.
  public var samples: Int64 = 50_000_000
  /// Entries of one edit list.
  public var edits = 200_000
  /// Metadata entries, and the bytes of each.
  public var tags = 1000
  public var tagBytes = 64 << 10
  public var chapters = 10_000
  /// Problems that are kept; later ones are only counted.
  public var problems = 200

  public init() {}

  /// The limit that an ``ISOError`` names.
  public enum Kind: String, Hashable, Sendable {
    case topLevelBoxes, headerBytes, tracks, samples
  }
}
