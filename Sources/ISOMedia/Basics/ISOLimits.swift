/// Limits on what the parser keeps of a file; they bound all of its memory use.
package struct ISOLimits: Hashable, Sendable {
  /// Boxes at the top level of the file.
  package var topLevelBoxes = 1_000_000
  /// Bytes of `moov`, and of all `moof` boxes together.
  package var headerBytes = 256 << 20
  package var tracks = 100
  /// Samples of all tracks, and never more than the file has bytes.
  package var samples: Int64 = 50_000_000
  /// Entries of one edit list.
  package var edits = 200_000
  /// Metadata entries, and the bytes of each.
  package var tags = 1000
  package var tagBytes = 64 << 10
  package var chapters = 10_000
  /// Problems that are kept; later ones are only counted.
  package var problems = 200

  package init() {}

  /// The limit that an ``ISOError`` names.
  package enum Kind: String, Hashable, Sendable {
    case topLevelBoxes, headerBytes, tracks, samples
  }
}
