public import ExactTime

/// The five durations of a file or of one track.
///
/// They are never mixed up, because each answers another question.
public struct Durations: Hashable, Sendable, Codable {
  /// What the container's header says, or `nil` when it says nothing.
  public var declared: DurationFact?
  /// What the stream's own header says; for a file the longest of its tracks.
  public var track: DurationFact?
  /// What the container's own sample table adds up to, without reading a packet.
  public var indexed: DurationFact?
  /// What a player shows: edit lists, start offsets, reordering, priming and padding applied.
  public var presented: DurationFact?
  /// What a full decode yields; only when it was asked for.
  public var decoded: DurationFact?

  /// Creates a set of durations; what is left out is `nil`, unknown.
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

  /// The duration that a kind names, for code that chooses one at run time.
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

/// The names of the five durations, spelled as in the JSON of `trim probe`.
public enum DurationKind: String, Hashable, Sendable, Codable, CaseIterable {
  case declared, track, indexed, presented, decoded
}

/// One duration, with where it came from.
public struct DurationFact: Hashable, Sendable, Codable {
  /// The exact length in seconds; zero where there is no sample, never negative.
  public var length: MediaDuration
  /// The instant of the first sample on the file's own timeline; `nil` for a bare length.
  public var start: MediaTime?
  /// Where the figure was read, from a header's field up to a full decode.
  public var source: DurationSource
  /// The identifier of the track that decided it; `nil` where it is the container's own.
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
