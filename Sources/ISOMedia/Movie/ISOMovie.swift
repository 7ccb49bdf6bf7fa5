/// An ISO base media file (ISO 14496-12: MP4, M4A, 3GP, fragmented or not) or a QuickTime movie.
///
/// Everything in its headers, read without touching the media data: `moov` in one read, `moof` boxes one by
/// one, `mdat` skipped. A plain value that keeps no file open. What is wrong with the file is in
/// ``problems``; only a file that cannot be read at all throws an ``ISOError``.
package struct ISOMovie: Sendable {
  package internal(set) var majorBrand: FourCC?
  package internal(set) var minorVersion: UInt32 = 0
  package internal(set) var compatibleBrands: [FourCC] = []

  /// The boxes at the top level, in order.
  package internal(set) var topLevel: [TopLevelBox] = []
  package internal(set) var byteCount: Int64 = 0

  /// Ticks per second of the movie timeline; `nil` where 0 or not stated.
  package internal(set) var timescale: Int64?
  /// The duration of `mvhd` in movie ticks; `nil` when it is 0, all ones, absent or beyond 63 bits.
  package internal(set) var duration: Int64?
  /// The duration with all fragments (`mehd`), in movie ticks; `nil` when 0 or absent.
  package internal(set) var fragmentDuration: Int64?
  /// Seconds since 1970; `nil` where not stated.
  package internal(set) var creationTime: Int64?

  /// True where fragments are signaled (`mvex`) or present (`moof`).
  package internal(set) var isFragmented = false
  package internal(set) var movieFragmentCount = 0
  /// How many sections of fragments an index names of which only those at both ends were read; `nil` where all
  /// were.
  package internal(set) var unreadSectionCount: Int?
  /// How many segment indexes (`sidx`) there are.
  package internal(set) var segmentIndexCount = 0

  /// Whether `moov` was compressed: its contents then have no offsets in the file.
  package internal(set) var isHeaderUnpacked = false
  package internal(set) var tracks: [ISOTrack] = []
  package internal(set) var chapters: [ISOChapter] = []
  /// Metadata in file order, under FFmpeg's key names where they exist.
  package internal(set) var tags: [ISOTag] = []
  package internal(set) var coverArt: [ISOCoverArt] = []
  /// The system identifiers of `pssh` boxes, as 32 hexadecimal digits.
  package internal(set) var protectionSystems: [String] = []

  /// What is wrong with the file, in order of discovery.
  package internal(set) var problems: [ISOProblem] = []

  /// True for a QuickTime movie: brand `qt  `, or no `ftyp` at all.
  package var isQuickTime: Bool { majorBrand == nil || majorBrand == "qt  " }

  /// True when every box and every sample is inside the file and every sample has an offset.
  package var isComplete: Bool {
    !topLevel.contains(where: \.isTruncated) && tracks.allSatisfy(\.placement.isComplete)
  }

  /// The first top-level box that is truncated by the end of the file.
  package var truncation: TopLevelBox? { topLevel.first(where: \.isTruncated) }

  /// Samples of all tracks whose bytes are not, or not entirely, in the file.
  package var samplesOutsideFile: (count: Int64, firstOffset: Int64?) {
    var total: Int64 = 0
    var first: Int64?
    for placement in tracks.map(\.placement) {
      total += placement.outsideCount
      if let offset = placement.firstOutsideOffset { first = min(first ?? offset, offset) }
    }
    return (total, first)
  }

  /// A box of the file's top level.
  package struct TopLevelBox: Hashable, Sendable {
    package let type: FourCC
    package let offset: Int64
    /// The stated size, header included; up to the end of the file where it is stated to extend there.
    package let size: Int64
    /// True when it ends beyond the file.
    package let isTruncated: Bool
  }
}
