public import ExactTime
public import MediaFacts

/// A section of a track that is damaged in the source, and so in the cut, unless it was made otherwise there.
public struct CutDamage: Sendable, Hashable, Codable {
  /// What shows the damage.
  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    /// The NAL units or frames in a packet do not fill it, or hold bytes that no encoder writes.
    case structure
    /// A header violates the standard or the stream's parameter sets.
    case header
    /// A checksum does not match.
    case checksum
    /// The decoder reports an error.
    case decoding
    /// The decoder outputs no frame.
    case missing
    /// The container's own error detection flags it, such as lost packets of a transport stream.
    case transport
    /// The container states a PTS far from those around it; the cut has it where they leave room.
    case timing
  }

  /// The track's index in the source, from 0.
  public var track: Int
  /// The container's own identifier of the track, as ``TrackFacts/id``.
  public var id: Int
  /// Whether the track is video or audio.
  public var type: TrackKind
  /// FFmpeg's short name of the track's codec.
  public var codec: Codec
  /// What shows the damage.
  public var kind: Kind
  /// When it is presented, counted from the first presented sample of the source that holds it.
  public var source: MediaTimeRange
  /// The same on the timeline of the cut, from 0.
  public var output: MediaTimeRange
  /// How many packets show it.
  public var packets: Int
  /// What is wrong with the first of them, in a few words, possibly the decoder's.
  public var text: String
  /// Whether it is a cover picture, which belongs to the whole cut.
  public var isCover: Bool
  /// Whether it is audio that was re-encoded, with silence in its place.
  public var isSilenced: Bool
  /// Whether other pictures were made of those that show it, as where files that differ are joined.
  public var isReencoded = false
  /// Which of several sources holds it, from 0; `nil` where there is only one.
  public var sourceNumber: Int?

  /// Creates a record of damage; see the properties for the timelines of the two ranges.
  public init(
    track: Int, id: Int, type: TrackKind, codec: Codec, kind: Kind, source: MediaTimeRange,
    output: MediaTimeRange, packets: Int, text: String, isCover: Bool = false,
    isSilenced: Bool = false, sourceNumber: Int? = nil
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
    self.isCover = isCover
    self.isSilenced = isSilenced
    self.sourceNumber = sourceNumber
  }

  /// Reads a record, including those of versions without `isCover`, `isSilenced`, `isReencoded` or
  /// `sourceNumber`.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    track = try values.decode(Int.self, forKey: .track)
    id = try values.decode(Int.self, forKey: .id)
    type = try values.decode(TrackKind.self, forKey: .type)
    codec = try values.decode(Codec.self, forKey: .codec)
    kind = try values.decode(Kind.self, forKey: .kind)
    source = try values.decode(MediaTimeRange.self, forKey: .source)
    output = try values.decode(MediaTimeRange.self, forKey: .output)
    packets = try values.decode(Int.self, forKey: .packets)
    text = try values.decode(String.self, forKey: .text)
    isCover = try values.decodeIfPresent(Bool.self, forKey: .isCover) ?? false
    isSilenced = try values.decodeIfPresent(Bool.self, forKey: .isSilenced) ?? false
    isReencoded = try values.decodeIfPresent(Bool.self, forKey: .isReencoded) ?? false
    sourceNumber = try values.decodeIfPresent(Int.self, forKey: .sourceNumber)
  }
}

/// What the verification examined, and the source damage that it found.
public struct CutExamination: Sendable, Hashable, Codable {
  /// The damage, ordered by track and time; empty where none was found.
  public var damage: [CutDamage] = []
  /// Every video and audio track, and the cover pictures.
  public var tracks: [Track] = []
  /// The presentation duration of the written file as read back; `nil` if its reader cannot
  /// determine it.
  public var presented: MediaDuration?

  /// Creates an examination result with nothing examined.
  public init() {}

  /// How much of a track was decoded.
  public struct Track: Sendable, Hashable, Codable {
    /// The track's index in the source, from 0.
    public var track: Int
    /// The container's own identifier of the track, as ``TrackFacts/id``.
    public var id: Int
    /// Whether the track is video or audio.
    public var type: TrackKind
    /// How many packets of the track are in the cut.
    public var packets: Int
    /// How many of the packets were decoded.
    public var decoded: Int
    /// What was not decoded, on the source's timeline; its bytes were examined where the codec
    /// allows.
    public var notDecoded: [MediaTimeRange]
    /// Whether damage in this codec can be detected from the bytes without decoding them.
    public var isInspected: Bool

    /// Creates the result for one track.
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
