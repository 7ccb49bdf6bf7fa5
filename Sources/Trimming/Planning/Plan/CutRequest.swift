public import ExactTime

/// What to cut, and how.
public struct CutRequest: Sendable, Hashable, Codable {
  /// A range of one source.
  public struct Part: Sendable, Hashable, Codable {
    /// The index of its source, from 0.
    public var source: Int
    /// The range, counted from the source's first presented sample.
    ///
    /// Decimals finer than any media time base, as printed from floating point (`0.30000000000000004`), are
    /// rounded to the nearest nanosecond.
    public var range: MediaTimeRange {
      didSet { range = Self.counted(range) }
    }

    /// The title of the chapter that the part becomes; `nil` to keep its source's chapters.
    public var title: String?

    /// How far ``range`` is ahead of when it is shown: an ordered edition plays the media in an order of its own.
    ///
    /// `nil` for parts as they are asked for.
    public package(set) var lead: MediaDuration?

    /// How far it was asked for beyond the end of the edition; `nil` where it was not.
    public package(set) var beyond: MediaDuration?

    /// A part of the media that an ordered edition shows.
    package func showing(_ media: MediaTimeRange, lead: MediaDuration) -> Part {
      var part = self
      (part.range, part.lead) = (media, lead)
      return part
    }

    /// Creates a part; the range counts from the source's first presented sample.
    public init(source: Int = 0, range: MediaTimeRange) {
      self.source = source
      self.range = Self.counted(range)
    }

    private enum CodingKeys: CodingKey { case source, range, title, lead, beyond }

    /// Reads a part as encoded: a source number, and both endpoints as exact fractions.
    public init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      try self.init(
        source: values.decode(Int.self, forKey: .source),
        range: values.decode(MediaTimeRange.self, forKey: .range))
      title = try values.decodeIfPresent(String.self, forKey: .title)
      lead = try values.decodeIfPresent(MediaDuration.self, forKey: .lead)
      beyond = try values.decodeIfPresent(MediaDuration.self, forKey: .beyond)
    }

    private static func counted(_ range: MediaTimeRange) -> MediaTimeRange {
      MediaTimeRange(from: counted(range.start), to: counted(range.end)) ?? range
    }

    private static let nanoseconds = TickGrid(ticksPerSecond: 1_000_000_000)

    /// Rounds a decimal with more digits than a time base can have.
    ///
    /// A media timescale is a 32-bit number (ISO 14496-12, 8.4.2). Non-decimal fractions come from
    /// media, and are kept.
    private static func counted(_ time: MediaTime) -> MediaTime {
      let denominator = time.seconds.denominator
      guard denominator > Int64(UInt32.max), 1_000_000_000_000_000_000 % denominator == 0,
        let tick = try? nanoseconds.tick(of: time, rounding: .nearest),
        let near = try? nanoseconds.time(atTick: tick)
      else { return time }
      return near
    }
  }

  /// The parts to write, in order; never empty.
  public private(set) var parts: [Part]
  /// How the video is cut: what may be re-encoded, and where the ends may move.
  public var mode: CutMode
  /// How thoroughly the written file is checked before it appears.
  public var verification: Verification
  /// Whether a cut that would copy damage of the source fails; otherwise the damage is reported.
  public var rejectsDamage = false
  /// Whether the time at which the source was recorded is kept as it is; otherwise it is moved to the first
  /// part.
  public var keepsCreationTime: Bool {
    get { keepsTime ?? false }
    set { keepsTime = newValue ? true : nil }
  }
  /// Absent in the plans of earlier versions.
  private var keepsTime: Bool?
  /// Whether the file may contain nothing from outside the parts, not even hidden.
  public var isStrict = false
  /// How the audio is cut.
  public var audio: AudioMode = .copy
  /// The tracks that are written; `nil` for all that the output can hold.
  public var tracks: TrackChoice?
  /// Whether only the default audio track is written, as for `.m4a` and `.mp3`.
  public var isSoundAlone = false
  /// The chapters that the file gets in place of the source's; `nil` where those are kept, as in the plans of
  /// earlier versions.
  public var chapters: [Chapter]?
  /// Whether MP4 is written in fragments, each with its own index, for streaming.
  public var isFragmented = false
  /// The maximum size of the written file in bytes; `nil` for no limit.
  public var mostBytes: Int64?

  /// The source whose format the others get where theirs differs; `nil` for that of the longest total
  /// duration.
  public var like: Int?
  /// What happens to pictures of another format; `nil` as for ``JoinMode/fit``.
  public var joinMode: JoinMode?

  /// Creates a request for one part of one source, with the audio copied where that is exact.
  public init(
    range: MediaTimeRange, mode: CutMode = .smart, verification: Verification = .edges
  ) {
    parts = [Part(range: range)]
    self.mode = mode
    self.verification = verification
  }

  /// Appends a part, which is shown after the existing ones, wherever it lies in its source.
  public mutating func join(_ range: MediaTimeRange, of source: Int = 0) {
    parts.append(Part(source: source, range: range))
  }

  /// The same request for other parts; for none it stays as it is.
  package func showing(_ parts: [Part]) -> CutRequest {
    var request = self
    if !parts.isEmpty { request.parts = parts }
    return request
  }

  /// Makes each part a chapter; `nil` for a part keeps the chapters of its source.
  public mutating func entitle(_ titles: [String?]) {
    for (place, title) in zip(parts.indices, titles) { parts[place].title = title }
  }

  /// A chapter, which lasts until the next one.
  public struct Chapter: Sendable, Hashable, Codable {
    /// Counted from the source's first presented sample.
    public var start: MediaTime
    /// The title.
    public var title: String

    /// Creates a chapter; the start counts from the source's first presented sample.
    public init(start: MediaTime, title: String) {
      self.start = start
      self.title = title
    }
  }

  /// How the written file is verified before it is published.
  public enum Verification: String, Sendable, Hashable, Codable, CaseIterable {
    /// Copied packets are compared by hash, all times are compared with the plan, and the edges are decoded;
    /// copied packets are also examined for damage: the bytes of every packet, and a decode of a short cut or
    /// of samples of a longer one.
    case edges
    /// As ``edges``, with every frame and every sample decoded.
    case full
    /// As ``edges``, without examining copied packets for damage from the source.
    case written
    /// Nothing is read back.
    case none
  }
}

/// How the audio is cut.
public enum AudioMode: String, Sendable, Hashable, Codable, CaseIterable {
  /// Packets are copied; lossless audio is re-encoded where that is the only sample-accurate way.
  case copy
  /// All of it is decoded and re-encoded.
  case reencode
}

/// How pictures of another format than the leading source's are joined with its own.
public enum JoinMode: String, Sendable, Hashable, Codable, CaseIterable {
  /// They are re-encoded to its format.
  case fit
  /// They are refused.
  case copy
}

/// How the video is cut.
public enum CutMode: String, Sendable, Hashable, Codable, CaseIterable {
  /// Whole GOPs are copied; only the edges are re-encoded.
  case smart
  /// Whole GOPs are copied and what lies outside the range is hidden by an edit list.
  case editList = "edit-list"
  /// Nothing is encoded: the ends move to keyframes.
  case copy
  /// Every frame is re-encoded.
  case reencode
}
