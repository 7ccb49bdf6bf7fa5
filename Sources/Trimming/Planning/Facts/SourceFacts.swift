public import ExactTime
public import MediaFacts

/// All that planning a cut needs to know of one source, gathered once.
///
/// Some of it costs a read or a library, so it is gathered on demand: where a plan needs more, it
/// says what (``MissingFact``), and is made again.
public struct SourceFacts: Sendable {
  public var identity: SourceIdentity
  /// FFmpeg's name of the container.
  public var format: String
  /// MP4 or QuickTime: what describes a track there can be carried over as it is.
  public var isISO: Bool
  public var isQuickTime: Bool
  /// The tracks with the times that the container states.
  public var tracks: [Track]
  /// The same with times counted in frames and samples, for containers that state each track in
  /// ticks of its own; `nil` where the stated ones are as exact.
  public var counted: [Track]?
  /// What was asked of each track, in the order of the tracks, whichever times are planned with.
  public var learned: [Learned]
  /// Whether there are encoders for other codecs of sound, as far as somebody asked.
  public var soundEncoders: [String: Bool] = [:]

  public init(
    identity: SourceIdentity, format: String, isISO: Bool, isQuickTime: Bool, tracks: [Track]
  ) {
    self.identity = identity
    self.format = format
    self.isISO = isISO
    self.isQuickTime = isQuickTime
    self.tracks = tracks
    learned = tracks.map { _ in Learned() }
  }

  /// The tracks as an output of a kind sees them.
  public func tracks(for rules: ContainerRules) -> [Track] {
    rules.countsTimes ? counted ?? tracks : tracks
  }

  /// What is known of a track since it was asked for.
  public struct Learned: Sendable {
    /// Whether an encoder makes frames or sound of its codec; `nil` as long as nobody asked.
    public var isEncodable: Bool?
    /// What the bitstream says of keyframes, as far as it was asked.
    public var access: [Int: RandomAccessKind] = [:]
    /// The containers whose muxers take it; `nil` as long as none was asked.
    public var holders: Set<OutputContainer>?

    public init() {}
  }

  /// One track of a source.
  public struct Track: Sendable {
    /// The number by which the container knows it.
    public var id: Int
    public var kind: TrackKind
    public var codec: String
    /// Shown or heard, in contrast to a cover or data.
    public var isPresented: Bool
    public var coded: CodedTrack
    /// By how much the container rounds times that are counted here; `nil` where none are.
    public var roundedBy: MediaDuration?
    /// Why it cannot be cut along; `nil` when it can.
    public var obstacle: String?
    /// Meant to be played where nobody chooses.
    public var isDefault = false
    /// Chapters as a track of titles, which is clipped like subtitles.
    public var isChapterTrack = false
    /// Numbers its frames for an editor.
    public var isTimecode = false
    public var frameRate: Rational?
    /// Whether headers say how far pictures are reordered, so that nobody need guess.
    public var statesReordering = true
    public var sampleRate: Int?
    /// Bits of a sample of lossless sound, as its configuration says.
    public var sampleBits: Int?
    /// Samples of each packet of sound, zero where one does not tell; empty where none does.
    public var sampleCounts: [Int32] = []
    /// Samples of Opus before its zero, where its first packet's time is rounded.
    public var preSkip: Int64?
    /// Whether its codec's configuration is known.
    public var isConfigured = true
    /// What every keyframe is, for codecs of which each frame stands alone.
    public var everyAccess: RandomAccessKind?

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
  /// Whether there is an encoder for a codec of sound that the source need not hold.
  case soundEncoder(source: Int, codec: String)
  /// Which containers take a track.
  case holders(source: Int, track: Int)
}

/// What tells a source from every other: a plan is for this one alone.
///
/// It says nothing of names and places, so that a plan can be executed where the file was copied to.
public struct SourceIdentity: Sendable, Hashable, Codable {
  public var byteCount: Int64
  /// Of the first bytes of the file.
  public var head: UInt64
  /// Of the times and sizes of all packets of all tracks.
  public var times: UInt64

  public init(byteCount: Int64, head: UInt64, times: UInt64) {
    self.byteCount = byteCount
    self.head = head
    self.times = times
  }

  private enum CodingKeys: String, CodingKey {
    case byteCount = "bytes"
    case head, times
  }

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

  /// Sixty-four bits are more than JSON's numbers keep.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(byteCount, forKey: .byteCount)
    try container.encode(String(head, radix: 16), forKey: .head)
    try container.encode(String(times, radix: 16), forKey: .times)
  }
}
