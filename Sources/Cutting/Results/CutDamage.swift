public import ExactTime
public import MediaFacts

/// A stretch of a track that was damaged in the source and is so in the cut: it was copied.
public struct CutDamage: Sendable, Hashable {
  /// What shows it.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// Parts do not fill a packet, or hold bytes that no encoder writes.
    case structure
    /// A header says what the standard or the stream's parameter sets rule out.
    case header
    /// A checksum differs.
    case checksum
    /// The decoder reports an error.
    case decoding
    /// No picture comes of it.
    case missing
    /// The container's own error detection marks it: a transport stream's lost packets.
    case transport
  }

  /// The position in the source, from 0, and the number that the file gives the track.
  public var track: Int
  public var id: Int
  public var type: TrackKind
  public var codec: String
  public var kind: Kind
  /// When it is shown or heard, counted from the source's first presented sample.
  public var source: MediaTimeRange
  /// The same on the timeline of the cut, from 0.
  public var output: MediaTimeRange
  /// How many packets show it.
  public var packets: Int
  /// What is wrong with the first of them, in a few words; a decoder's own may be among them.
  public var text: String

  public init(
    track: Int, id: Int, type: TrackKind, codec: String, kind: Kind, source: MediaTimeRange,
    output: MediaTimeRange, packets: Int, text: String
  ) {
    self.track = track
    self.id = id
    self.type = type
    self.codec = codec
    self.kind = kind
    self.source = source
    self.output = output
    self.packets = packets
    self.text = text
  }
}

/// What a proof looked at, and what it found of damage that was in the source.
public struct CutExamination: Sendable, Hashable {
  /// In order of tracks and times; empty where none shows.
  public var damage: [CutDamage] = []
  /// Every track of pictures or sound.
  public var tracks: [Track] = []

  public init() {}

  /// How much of a track was decoded.
  public struct Track: Sendable, Hashable {
    public var track: Int
    public var id: Int
    public var type: TrackKind
    /// Packets in the cut, and how many of them were decoded.
    public var packets: Int
    public var decoded: Int
    /// What was not, in the source's time: its bytes were looked through, where the codec allows.
    public var notDecoded: [MediaTimeRange]
    /// Whether bytes of this codec give damage away at all.
    public var isInspected: Bool

    public init(
      track: Int, id: Int, type: TrackKind, packets: Int, decoded: Int,
      notDecoded: [MediaTimeRange], isInspected: Bool
    ) {
      self.track = track
      self.id = id
      self.type = type
      self.packets = packets
      self.decoded = decoded
      self.notDecoded = notDecoded
      self.isInspected = isInspected
    }
  }
}
