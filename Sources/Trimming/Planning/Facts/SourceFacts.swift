public import ExactTime
public import MediaFacts

/// Everything that planning a cut needs to know about one source, gathered once.
///
/// Some of it requires reading the file or loading a library, so it is gathered on demand: where a
/// plan needs more, it says what (``MissingFact``), and planning is repeated.
public struct SourceFacts: Sendable {
  /// Distinguishes this source from every other; stored in the plan.
  public var identity: SourceIdentity
  /// FFmpeg's name of the container.
  public var format: String
  /// MP4 or QuickTime: the boxes that describe a track can be carried over as they are.
  public var isISO: Bool
  /// QuickTime rather than MP4: some codecs are described differently there.
  public var isQuickTime: Bool
  /// A timecode is stated, by whatever means the container has.
  public var hasTimecode = false
  /// Cover art that MP4 stores in its tags: not a track, and carried over with the tags only.
  public var covers: [Cover] = []
  /// The tracks with the times that the container states.
  public var tracks: [Track]
  /// The same with times counted in frames and samples, for containers with per-track time bases;
  /// `nil` where the stated times are as exact.
  public var counted: [Track]?
  /// What was learned about each track on demand, by index in ``tracks``; the same for ``counted``.
  public var learned: [Int: Learned] = [:]
  /// Whether there is an encoder for an audio codec, by FFmpeg's name, as far as queried.
  public var soundEncoders: [Codec: Bool] = [:]
  /// Whether it is known that there are encoders and decoders at all.
  package var hasCodecs = false

  /// Creates the facts of a source before anything is learned on demand.
  public init(
    identity: SourceIdentity, format: String, isISO: Bool, isQuickTime: Bool, tracks: [Track]
  ) {
    self.identity = identity
    self.format = format
    self.isISO = isISO
    self.isQuickTime = isQuickTime
    self.tracks = tracks
  }

  /// The tracks with the times that suit an output container.
  public func tracks(for rules: ContainerRules) -> [Track] {
    rules.countsTimes ? counted ?? tracks : tracks
  }

  /// Cover art as a probe reports it.
  public struct Cover: Sendable, Hashable {
    /// Its index among the tracks of a probe.
    public var index: Int
    /// The identifier that a probe gives it.
    public var id: Int
    /// FFmpeg's name of its codec.
    public var codec: Codec
    /// Its size in bytes.
    public var byteCount: Int64

    /// Creates the facts of a cover.
    public init(index: Int, id: Int, codec: Codec, byteCount: Int64) {
      self.index = index
      self.id = id
      self.codec = codec
      self.byteCount = byteCount
    }
  }

  /// What is known about a track because it was queried.
  public struct Learned: Sendable {
    /// Whether there is an encoder for the track's codec; `nil` until queried.
    public var isEncodable: Bool?
    /// Whether there is a decoder for it; `nil` until queried.
    public var isDecodable: Bool?
    /// What the bitstream signals for keyframes, by index in decode order, as far as it was read.
    public var access: [Int: RandomAccessKind] = [:]
    /// The containers whose muxers accept the track; `nil` until queried.
    public var holders: Set<OutputContainer>?
    /// Samples per audio packet as stated by the packets themselves, where the container states distances;
    /// `nil` until queried.
    public var packetLengths: [Int32]?
    /// Where a decoder finds what only some packets carry, by the index of the packet that was asked about,
    /// as far as it was read.
    public var soundEntries: [Int: AudioEntry] = [:]
    /// Whether decoded pictures have an alpha channel; `nil` until queried.
    public var decodesToAlpha: Bool?

    /// Creates the facts of a track that has not been queried yet.
    public init() {}
  }

  /// One track of a source.
  public struct Track: Sendable {
    /// The container's number for the track.
    public var id: Int
    /// Which planner handles the track: video, audio, or clipped content.
    public var kind: TrackKind
    /// FFmpeg's short codec name.
    public var codec: Codec
    /// True for what is shown or heard; false for cover art, subtitles and data.
    public var isPresented: Bool
    /// The packets, and how their ticks map to the file's timeline.
    public var coded: CodedTrack
    /// The tick to which the container rounded the times that are counted here; `nil` where none are.
    public var roundedBy: MediaDuration?
    /// Why it cannot be cut; `nil` when it can.
    public var obstacle: String?
    /// True where the container marks the track as the one to play by default.
    public var isDefault = false
    /// True for a QuickTime chapter track, a text track of titles, which is clipped like subtitles.
    public var isChapterTrack = false
    /// True for a timecode track (`tmcd`).
    public var isTimecode = false
    /// True where it is joined with sources that lack such a track, and so is left out.
    public var isMissingElsewhere = false
    /// True where its packets may be copied although several parts are joined: they fit together.
    public var fitsAtSeams = false
    /// True for audio that is joined with sources which have it in another format, or have none.
    public var differsElsewhere = false
    /// Whether audio that the output cannot hold is converted: it is joined with that of other files, which may be
    /// converted too.
    public var convertsAtSeams = false
    /// Why its pictures are re-encoded to those of another source, which leads; `nil` where they are not.
    public var refit: PictureRefit?
    /// True for timed metadata of MP4 and QuickTime (ISO 14496-12, 12.3), clipped like subtitles.
    public var isTimedMetadata = false
    /// True for cover art, which has no time.
    public var isCover = false
    /// Size in bytes of an attachment or a cover; zero for other tracks.
    public var attachedByteCount: Int64 = 0
    /// Nominal frames per second; `nil` for audio or when not known.
    public var frameRate: Rational?
    /// Bits that Theora's header provides to count frames since a keyframe; `nil` for other codecs.
    public var positionBits: Int?
    /// Containers that cannot store its rotation; empty where it has none.
    public var losesRotation: Set<OutputContainer> = []
    /// Whether an alpha channel is stored alongside its pictures (Matroska's BlockAdditional, RFC
    /// 9559, 5.1.3.5.2).
    public var hasAlpha = false
    /// What its pictures lose where they are converted to another format.
    public var lostByRefit: [PictureRefit.Loss] = []
    /// Whether only decoding tells if its pictures have an alpha channel, which the other format has not.
    public var mayLoseAlpha = false
    /// Whether HEVC has a second layer (another view or alpha), which no available encoder
    /// produces.
    public var hasSecondLayer = false
    /// Whether headers state the reordering depth, so that a reader need not guess.
    public var statesReordering = true
    /// Samples per second; `nil` for video or when not known.
    public var sampleRate: Int?
    /// Bits per sample of lossless audio, from its configuration; `nil` when not known.
    public var sampleBits: Int?
    /// Samples per audio packet, zero where a packet does not state it; empty where none does.
    public var sampleCounts: [Int32] = []
    /// Indices of audio packets before which overlapping packets were left out.
    public var overlaps: Set<Int> = []
    /// What its packets state about compressed audio, if anything.
    public var descriptions = AudioDescriptions()
    /// Samples decoded before its zero, where its first packet's time is rounded.
    public var preSkip: Int64?
    /// Whether some of its audio packets carry headers that a decoder of the others needs, so that the
    /// bitstream has to be read.
    public var repeatsHeaders = false
    /// When the audio of an MP4 file is first heard, as reported by the probe: after any encoder priming
    /// that an edit includes.
    public var heardFrom: MediaTime?
    /// Whether its codec's configuration is known.
    public var isConfigured = true
    /// The random access kind of every keyframe, for codecs where all are alike; `nil` where the bitstream
    /// has to be read.
    public var everyAccess: RandomAccessKind?

    /// Whether it is audio or video with a codec that the file does not name or that is unknown here.
    public var hasUnknownCodec: Bool {
      [.audio, .video].contains(kind) && codec.isOne(of: .unstated, .unknown)
    }

    /// Creates a track about which nothing else is known.
    public init(
      id: Int, kind: TrackKind, codec: Codec, isPresented: Bool, coded: CodedTrack
    ) {
      self.id = id
      self.kind = kind
      self.codec = codec
      self.isPresented = isPresented
      self.coded = coded
    }
  }
}

/// A fact that a plan needs and does not have yet.
public enum MissingFact: Sendable, Hashable, Codable {
  /// What the bitstream signals for a keyframe.
  case access(source: Int, track: Int, place: Int)
  /// Whether there is an encoder for a track.
  case encoder(source: Int, track: Int)
  /// Whether there is a decoder for a track.
  case decoder(source: Int, track: Int)
  /// Whether there is an encoder for an audio codec, which the source need not contain.
  case soundEncoder(source: Int, codec: Codec)
  /// Whether there are encoders and decoders at all: if not, a refusal for lack of one is not the whole truth.
  case codecs(source: Int)
  /// Which containers accept a track.
  case holders(source: Int, track: Int)
  /// The lengths stated by audio packets themselves, where their container states distances.
  case packetLengths(source: Int, track: Int)
  /// Where a decoder of an audio packet finds the headers that only some packets carry.
  case soundEntry(source: Int, track: Int, place: Int)
  /// Whether decoded pictures have an alpha channel, where no header says so.
  case alpha(source: Int, track: Int)
}

/// The packets around another that carry a header which its decoder needs.
public struct AudioEntry: Sendable, Hashable, Codable {
  /// The last one up to that packet; the first of the track where none has been found.
  public var before: Int
  /// The first one from that packet on; `nil` where none has been found.
  public var next: Int?

  /// Creates an entry; both are indices in decode order.
  public init(before: Int, next: Int?) {
    self.before = before
    self.next = next
  }
}

/// What distinguishes a source from every other: a plan is valid for this one only.
///
/// It is independent of names and locations, so that a plan can be executed on a copy of the file.
public struct SourceIdentity: Sendable, Hashable, Codable {
  /// The size of the file in bytes.
  public var byteCount: Int64
  /// A hash of the first bytes of the file.
  public var head: UInt64
  /// A hash of the times and sizes of all packets of all tracks.
  public var times: UInt64

  /// Creates an identity from hashes that the engine computed from the file.
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

  /// Writes the hashes as hexadecimal text: JSON numbers cannot hold 64 bits.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(byteCount, forKey: .byteCount)
    try container.encode(String(head, radix: 16), forKey: .head)
    try container.encode(String(times, radix: 16), forKey: .times)
  }
}

extension SourceFacts.Track {
  /// The distance a packet may always be moved: audio that is early by three times as much goes unnoticed
  /// (ITU-R BT.1359-1), and copying packets is lossless.
  private static let mostDrift = MediaDuration(15, 1000)

  /// How far stated packet times deviate from packets laid end to end, within a given length.
  ///
  /// `nil` where that is too much to copy packets end to end: more than both half a packet and 15 ms; or,
  /// from one packet to the next of a codec with equal packets, more than an eighth of a packet.
  ///
  /// - Parameter lengths: samples per packet as stated by the packets themselves, where the container states
  ///   distances.
  public func drift(
    in places: Range<Int>, within length: MediaDuration, lengths: [Int32] = []
  ) throws(ExactTimeError) -> MediaDuration? {
    if AudioCodec.hasEqualPackets(codec), !coded.isContinuous(in: places) { return nil }
    guard let rate = AudioCodec.clockRate(of: codec, stated: sampleRate) else { return .zero }
    let drift = try coded.drift(
      in: places, within: length, samplesPerSecond: rate,
      lengths: lengths.isEmpty ? sampleCounts : lengths)
    let half = try coded.grid.duration(ofTicks: (coded.usualDuration(of: places) ?? 0) / 2)
    return drift <= max(Self.mostDrift, half) ? drift : nil
  }

  /// The track on a sample grid where packets can be counted: millisecond ticks are too coarse.
  public var countedInSamples: CodedTrack {
    guard let rate = AudioCodec.clockRate(of: codec, stated: sampleRate),
      var counted = coded.counted(samplesPerSecond: rate, lengths: sampleCounts)
    else { return coded }
    // The first Opus packet begins one pre-skip before zero (RFC 7845, 5.1), other codecs by Matroska's codec
    // delay (RFC 9559, 5.1.4.1.25): its time is set exactly.
    if let preSkip, let first = counted.packets.first?.pts {
      let error = first &+ preSkip
      if error.magnitude <= 48 {
        for place in counted.packets.indices {
          counted.packets[place].pts -= error
          counted.packets[place].dts -= error
        }
      }
    }
    return counted
  }
}
