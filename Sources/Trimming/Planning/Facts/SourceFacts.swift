public import ExactTime
public import MediaFacts

/// All that planning a cut needs to know of one source, gathered once.
///
/// Some of it costs a read or a library, so it is gathered on demand: where a plan needs more, it
/// says what (``MissingFact``), and is made again.
public struct SourceFacts: Sendable {
  /// What tells this source from every other; goes into the plan.
  public var identity: SourceIdentity
  /// FFmpeg's name of the container.
  public var format: String
  /// MP4 or QuickTime: the boxes that describe a track can be carried over as they are.
  public var isISO: Bool
  /// QuickTime rather than MP4: some codecs are described in other words there.
  public var isQuickTime: Bool
  /// A timecode is stated, by whatever the container has for it.
  public var hasTimecode = false
  /// Pictures of the cover that MP4 has among its tags: they are no tracks, and go along with the tags alone.
  public var covers: [Cover] = []
  /// The tracks with the times that the container states.
  public var tracks: [Track]
  /// The same with times counted in frames and samples, for containers that state each track in
  /// ticks of its own; `nil` where the stated ones are as exact.
  public var counted: [Track]?
  /// What was learned of each track on demand, by its place in ``tracks``; the same for ``counted``.
  public var learned: [Int: Learned] = [:]
  /// Whether there is an encoder for an audio codec, by FFmpeg's name, as far as somebody asked.
  public var soundEncoders: [String: Bool] = [:]

  /// Creates the facts of a source of which nothing was learned on demand yet.
  public init(
    identity: SourceIdentity, format: String, isISO: Bool, isQuickTime: Bool, tracks: [Track]
  ) {
    self.identity = identity
    self.format = format
    self.isISO = isISO
    self.isQuickTime = isQuickTime
    self.tracks = tracks
  }

  /// The tracks as an output of a kind sees them.
  public func tracks(for rules: ContainerRules) -> [Track] {
    rules.countsTimes ? counted ?? tracks : tracks
  }

  /// A picture of the cover, as a probe tells it.
  public struct Cover: Sendable, Hashable {
    /// Its place among the tracks of a probe.
    public var index: Int
    /// The identifier that a probe gives it.
    public var id: Int
    /// FFmpeg's name of how it is coded.
    public var codec: String
    /// Its size.
    public var byteCount: Int64

    /// Creates the facts of a picture.
    public init(index: Int, id: Int, codec: String, byteCount: Int64) {
      self.index = index
      self.id = id
      self.codec = codec
      self.byteCount = byteCount
    }
  }

  /// What is known of a track because somebody asked.
  public struct Learned: Sendable {
    /// Whether there is an encoder for the track's codec; `nil` as long as nobody asked.
    public var isEncodable: Bool?
    /// Whether there is a decoder for it; `nil` as long as nobody asked.
    public var isDecodable: Bool?
    /// What the bitstream says of keyframes, by their place in decode order, as far as it was read.
    public var access: [Int: RandomAccessKind] = [:]
    /// The containers whose muxers take the track; `nil` as long as nobody asked.
    public var holders: Set<OutputContainer>?
    /// Samples of each packet of sound as it says itself, where the container states distances; `nil` as long as
    /// nobody asked.
    public var packetLengths: [Int32]?

    /// Creates the facts of a track about which nobody asked yet.
    public init() {}
  }

  /// One track of a source.
  public struct Track: Sendable {
    /// The number by which the container knows it.
    public var id: Int
    /// Which planner the track goes to: video, sound or what is clipped.
    public var kind: TrackKind
    /// FFmpeg's short codec name.
    public var codec: String
    /// True for what is shown or heard; false for cover art, subtitles and data.
    public var isPresented: Bool
    /// The packets, and how their ticks lie on the file's timeline.
    public var coded: CodedTrack
    /// By how much the container rounds times that are counted here; `nil` where none are.
    public var roundedBy: MediaDuration?
    /// Why it cannot be cut along; `nil` when it can.
    public var obstacle: String?
    /// True where the container marks the track as the one to play by default.
    public var isDefault = false
    /// True for a QuickTime chapter track, a text track of titles, which is clipped like subtitles.
    public var isChapterTrack = false
    /// True for a timecode track (`tmcd`).
    public var isTimecode = false
    /// True for timed metadata of MP4 and QuickTime (ISO 14496-12, 12.3), which are clipped like subtitles.
    public var isTimedMetadata = false
    /// True for a picture of the cover, which has no time.
    public var isCover = false
    /// Bytes of an attachment or a cover; zero for other tracks.
    public var attachedByteCount: Int64 = 0
    /// Nominal frames per second; `nil` for sound or when not known.
    public var frameRate: Rational?
    /// Bits in which Theora's header lets frames since a keyframe be counted; `nil` for other codecs.
    public var positionBits: Int?
    /// Containers that have no place for how its pictures are to be turned; empty where they are upright.
    public var losesRotation: Set<OutputContainer> = []
    /// Whether an alpha channel stands beside its pictures (Matroska's BlockAdditional, RFC 9559,
    /// 5.1.3.5.2).
    public var hasAlpha = false
    /// Whether another view or alpha is coded beside the pictures of HEVC, which no encoder makes.
    public var hasSecondLayer = false
    /// Whether headers say how far frames are reordered, so that a reader need not guess.
    public var statesReordering = true
    /// Samples per second; `nil` for video or when not known.
    public var sampleRate: Int?
    /// Bits per sample of lossless sound, as its configuration says; `nil` when not known.
    public var sampleBits: Int?
    /// Samples of each packet of sound, zero where one does not tell; empty where none does.
    public var sampleCounts: [Int32] = []
    /// Places of packets of sound before which others were left out: they overlapped.
    public var overlaps: Set<Int> = []
    /// What its packets say of coded sound, where they do.
    public var descriptions = SoundDescriptions()
    /// Samples that are decoded before its zero, where its first packet's time is rounded.
    public var preSkip: Int64?
    /// When sound of MP4 is heard first, as the probe tells it: behind an encoder's priming that an edit shows.
    public var heardFrom: MediaTime?
    /// Whether its codec's configuration is known.
    public var isConfigured = true
    /// What every keyframe is, for codecs in which each keyframe is alike; `nil` where the bitstream
    /// has to be read.
    public var everyAccess: RandomAccessKind?

    /// Whether it is sound or pictures of a codec that the file does not name, or that nobody here knows.
    public var hasUnknownCodec: Bool {
      [.audio, .video].contains(kind) && ["none", "unknown"].contains(codec)
    }

    /// Creates a track of which nothing else is known.
    public init(
      id: Int, kind: TrackKind, codec: String, isPresented: Bool, coded: CodedTrack
    ) {
      self.id = id
      self.kind = kind
      self.codec = codec
      self.isPresented = isPresented
      self.coded = coded
    }
  }
}

/// What a plan needs to know and was not told.
public enum MissingFact: Sendable, Hashable {
  /// What the bitstream says of a keyframe.
  case access(source: Int, track: Int, place: Int)
  /// Whether there is an encoder for a track.
  case encoder(source: Int, track: Int)
  /// Whether there is a decoder for a track.
  case decoder(source: Int, track: Int)
  /// Whether there is an encoder for a codec of sound that the source need not hold.
  case soundEncoder(source: Int, codec: String)
  /// Which containers take a track.
  case holders(source: Int, track: Int)
  /// How long packets of sound say themselves that they are, where their container states distances.
  case packetLengths(source: Int, track: Int)
}

/// What tells a source from every other: a plan is good for this one alone.
///
/// It says nothing of names and places, so that a plan can be executed where the file was copied to.
public struct SourceIdentity: Sendable, Hashable, Codable {
  /// The size of the file in bytes.
  public var byteCount: Int64
  /// A hash of the first bytes of the file.
  public var head: UInt64
  /// A hash of the times and sizes of all packets of all tracks.
  public var times: UInt64

  /// Creates an identity from hashes that the engine has made of the file.
  public init(byteCount: Int64, head: UInt64, times: UInt64) {
    self.byteCount = byteCount
    self.head = head
    self.times = times
  }

  private enum CodingKeys: String, CodingKey {
    case byteCount = "bytes"
    case head, times
  }

  /// Reads a size in bytes and two hashes as hexadecimal text.
  ///
  /// - Throws: `DecodingError` for text that is not a hexadecimal number.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    func number(_ key: CodingKeys) throws -> UInt64 {
      guard let value = UInt64(try container.decode(String.self, forKey: key), radix: 16) else {
        throw DecodingError.dataCorruptedError(
          forKey: key, in: container, debugDescription: "not a hexadecimal number")
      }
      return value
    }
    byteCount = try container.decode(Int64.self, forKey: .byteCount)
    head = try number(.head)
    times = try number(.times)
  }

  /// Writes the hashes as hexadecimal text: JSON's numbers do not hold 64 bits.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(byteCount, forKey: .byteCount)
    try container.encode(String(head, radix: 16), forKey: .head)
    try container.encode(String(times, radix: 16), forKey: .times)
  }
}
