public import ExactTime

/// Everything known about one media file: what it states, what is true, and where they differ.
///
/// A plain value: made by the engine, stored as JSON, read by rules and user interfaces. `nil`
/// means unknown; what was not requested is an empty collection.
public struct MediaFacts: Hashable, Sendable, Codable {
  /// The container format and what its header states.
  public var container: ContainerFacts
  /// The five durations of the whole file.
  public var durations: Durations
  /// Every track in file order, cover art and data included.
  public var tracks: [TrackFacts]
  /// Chapters in file order; empty if there are none.
  public var chapters: [ChapterFacts]
  /// What an ordered edition plays, where that is not all of the media: all other times then count along it.
  public var edition: EditionFacts?
  /// The file's metadata; a key may occur twice, and each track has its own tags.
  public var tags: [Tag]
  /// Every oddity and disagreement found, in track order.
  public var notes: [Note]
  /// What is broken and where; empty for an intact file.
  public var damage: [Damage]
  /// How deeply the file was examined.
  public var depth: ProbeDepth
  /// The size of the input in bytes; `nil` for a pipe.
  public var byteCount: Int64?

  /// Creates facts; omitted values are empty or unknown.
  public init(
    container: ContainerFacts, durations: Durations = Durations(), tracks: [TrackFacts] = [],
    chapters: [ChapterFacts] = [], tags: [Tag] = [], notes: [Note] = [], damage: [Damage] = [],
    depth: ProbeDepth, byteCount: Int64? = nil
  ) {
    self.container = container
    self.durations = durations
    self.tracks = tracks
    self.chapters = chapters
    self.tags = tags
    self.notes = notes
    self.damage = damage
    self.depth = depth
    self.byteCount = byteCount
  }
}

/// How much of the file was read, from cheapest to most expensive.
public enum ProbeDepth: String, Hashable, Sendable, Codable, CaseIterable, Comparable {
  /// Only the headers and the sample table were read.
  case header
  /// Every packet's times were read; nothing was decoded.
  case packets
  /// Every frame was decoded.
  case frames

  /// Orders by cost: `header` before `packets` before `frames`.
  public static func < (a: Self, b: Self) -> Bool { a.rank < b.rank }
  private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// The container, recognized by content, never by file name.
public struct ContainerFacts: Hashable, Sendable, Codable {
  /// A short stable name: `mp4`, `mov`, `matroska`, `webm`, `mpegts`, `mp3` and so on.
  public var format: String
  /// The name for display, such as `QuickTime / MOV`.
  public var longName: String
  /// The major brand first, then the compatible ones (ISO/IEC 14496-12, 4.3); empty where the
  /// format has no brands.
  public var brands: [String]
  /// True where samples are described in fragments (ISO/IEC 14496-12, 8.8); false outside MP4 and
  /// MOV.
  public var isFragmented: Bool
  /// False for a pipe, which can be read only once.
  public var isSeekable: Bool
  /// Bits per second: the file's size over its presented length; `nil` when either is unknown.
  public var bitRate: Int64?

  /// Creates the facts of a container; `bitRate` in bits per second.
  public init(
    format: String, longName: String, brands: [String] = [], isFragmented: Bool = false,
    isSeekable: Bool = true, bitRate: Int64? = nil
  ) {
    self.format = format
    self.longName = longName
    self.brands = brands
    self.isFragmented = isFragmented
    self.isSeekable = isSeekable
    self.bitRate = bitRate
  }
}

/// A named section of the file's timeline.
public struct ChapterFacts: Hashable, Sendable, Codable {
  /// The number, counted from 1, as in `#3` in a time expression.
  public var number: Int
  /// The chapter's name; `nil` where the container gives none.
  public var title: String?
  /// Where the chapter begins, on the file's own timeline.
  public var start: MediaTime
  /// Where the chapter ends; `nil` where the container states no end and no chapter follows.
  public var end: MediaTime?

  /// Creates a chapter; `number` counts from 1.
  public init(number: Int, title: String?, start: MediaTime, end: MediaTime?) {
    self.number = number
    self.title = title
    self.start = start
    self.end = end
  }
}

/// One metadata entry, text as stored in the file: never printed unescaped.
public struct Tag: Hashable, Sendable, Codable {
  /// The name of the entry, such as `artist`; names that the container abbreviates are
  /// spelled out.
  public var key: String
  /// The text of the entry, unescaped and in any script.
  public var value: String

  /// Creates a metadata entry from text as stored in the file.
  public init(key: String, value: String) {
    self.key = key
    self.value = value
  }
}

extension MediaFacts {
  /// The pixel count of the largest picture that a track states, regardless of the limits.
  package var mostPixels: Int64 {
    tracks.reduce(0) { most, track in
      guard let video = track.video else { return most }
      let (pixels, overflow) = Int64(video.width).multipliedReportingOverflow(
        by: Int64(video.height))
      return max(most, overflow ? .max : pixels)
    }
  }
}
