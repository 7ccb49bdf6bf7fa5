public import ExactTime

/// Everything that is known of one media file: what it says, what is true, and where they differ.
///
/// A plain value: made by the engine, kept as JSON, read by rules and screens. `nil` means unknown;
/// what was not asked for is an empty collection.
public struct MediaFacts: Hashable, Sendable, Codable {
  public var container: ContainerFacts
  /// The five durations of the whole file.
  public var durations: Durations
  public var tracks: [TrackFacts]
  public var chapters: [ChapterFacts]
  public var tags: [Tag]
  /// Every oddity and disagreement that was found, in order of track.
  public var notes: [Note]
  /// What is broken and where; empty for a sound file.
  public var damage: [Damage]
  /// How deep the answer looked.
  public var depth: ProbeDepth
  /// The size of the input in bytes; `nil` for a pipe.
  public var byteCount: Int64?

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

/// How an answer was found, from the cheapest to the dearest.
public enum ProbeDepth: String, Hashable, Sendable, Codable, CaseIterable, Comparable {
  /// Only what the headers and the sample table say.
  case header
  /// Every packet's times were read; nothing was decoded.
  case packets
  /// Every frame was decoded.
  case frames

  public static func < (a: Self, b: Self) -> Bool { a.rank < b.rank }
  private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// The container, as recognised by content, never by name.
public struct ContainerFacts: Hashable, Sendable, Codable {
  /// A short stable name: `mp4`, `mov`, `matroska`, `webm`, `mpegts`, `mp3` and so on.
  public var format: String
  /// The name for people: `QuickTime / MOV`.
  public var longName: String
  /// The major brand first, then the compatible ones (ISO 14496-12, 4.3); empty elsewhere.
  public var brands: [String]
  public var isFragmented: Bool
  /// False for a pipe.
  public var isSeekable: Bool
  /// Bits a second over the presented length; `nil` when either is unknown.
  public var bitRate: Int64?

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

/// A named stretch of the file's timeline.
public struct ChapterFacts: Hashable, Sendable, Codable {
  /// Counted from 1, as `#3` in a time expression.
  public var number: Int
  public var title: String?
  public var start: MediaTime
  /// `nil` where the container states none and no chapter follows.
  public var end: MediaTime?

  public init(number: Int, title: String?, start: MediaTime, end: MediaTime?) {
    self.number = number
    self.title = title
    self.start = start
    self.end = end
  }
}

/// One metadata entry, text as the file holds it: never printed unescaped.
public struct Tag: Hashable, Sendable, Codable {
  public var key: String
  public var value: String

  public init(key: String, value: String) {
    self.key = key
    self.value = value
  }
}
