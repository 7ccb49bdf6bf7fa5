public import ExactTime

/// The five durations of a file or of one track.
///
/// They are kept separate because each answers a different question.
public struct Durations: Hashable, Sendable, Codable {
  /// The duration in the container's header; `nil` when it states none.
  public var declared: DurationFact?
  /// The duration in the stream's header; for a file, the longest of its tracks.
  public var track: DurationFact?
  /// The sum of the container's sample table, without reading a packet.
  public var indexed: DurationFact?
  /// What a player shows: edit lists, start offsets, reordering, priming and padding applied.
  public var presented: DurationFact?
  /// The duration of the fully decoded output; only when requested.
  public var decoded: DurationFact?

  /// Creates a set of durations; omitted ones are `nil`, unknown.
  public init(
    declared: DurationFact? = nil, track: DurationFact? = nil, indexed: DurationFact? = nil,
    presented: DurationFact? = nil, decoded: DurationFact? = nil
  ) {
    self.declared = declared
    self.track = track
    self.indexed = indexed
    self.presented = presented
    self.decoded = decoded
  }

  /// The duration of a given kind, for code that chooses one at run time.
  public subscript(kind: DurationKind) -> DurationFact? {
    get {
      switch kind {
      case .declared: declared
      case .track: track
      case .indexed: indexed
      case .presented: presented
      case .decoded: decoded
      }
    }
    set {
      switch kind {
      case .declared: declared = newValue
      case .track: track = newValue
      case .indexed: indexed = newValue
      case .presented: presented = newValue
      case .decoded: decoded = newValue
      }
    }
  }
}

/// The five kinds of duration, spelled as in the JSON of `trim probe`.
public enum DurationKind: String, Hashable, Sendable, Codable, CaseIterable {
  case declared, track, indexed, presented, decoded
}

/// One duration and its source.
public struct DurationFact: Hashable, Sendable, Codable {
  /// The exact length in seconds; zero where there is no sample, never negative.
  public var length: MediaDuration
  /// The instant of the first sample on the file's own timeline; `nil` for a length without a
  /// position.
  public var start: MediaTime?
  /// The source of the value, from a header field up to a full decode.
  public var source: DurationSource
  /// The track that determines it; `nil` where it comes from the container.
  public var trackID: Int?

  /// Creates a duration; `start` in seconds on the file's own timeline.
  public init(
    length: MediaDuration, start: MediaTime? = nil, source: DurationSource, trackID: Int? = nil
  ) {
    self.length = length
    self.start = start
    self.source = source
    self.trackID = trackID
  }

  /// The end on the file's own timeline; `nil` without a start, or outside 64 bits.
  public var end: MediaTime? {
    guard let start else { return nil }
    return try? start.advanced(by: length)
  }
}

/// How a duration was found, spelled as in the JSON of `trim probe`.
public enum DurationSource: String, Hashable, Sendable, Codable, CaseIterable {
  /// A field of the container's header.
  case containerHeader = "container_header"
  /// A field of the stream's header.
  case trackHeader = "track_header"
  /// The sum of the sample table or of all fragment tables.
  case sampleTable = "sample_table"
  /// A scan of all packets.
  case packets
  /// A full decode.
  case frames
  /// An estimate, for instance from a bit rate; never the source of `presented`.
  case estimate
}
