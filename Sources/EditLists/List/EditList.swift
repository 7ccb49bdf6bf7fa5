public import ExactTime

/// An ordered list of parts of one or several sources, with exact times.
///
/// Each time is on the timeline of the source that it belongs to. As JSON, the list has a `version`,
/// and its times are exact fractions of seconds as text.
public struct EditList: Hashable, Sendable {
  /// The version of the JSON form; a list with another version is refused.
  public static let version = 1

  /// A file that parts are taken from.
  public struct Source: Hashable, Sendable, Codable {
    /// Where the file was, as the list has it: never a reason to open a file.
    public var hint: String?
    /// What distinguishes the file from others, where the list has it.
    public var identity: Identity?

    /// Creates a source from what is known about it, which may be nothing.
    public init(hint: String? = nil, identity: Identity? = nil) {
      self.hint = hint
      self.identity = identity
    }
  }

  /// What distinguishes one file from others.
  public struct Identity: Hashable, Sendable, Codable {
    /// In bytes.
    public var size: Int64
    /// The hash of the first 64 KiB, in hexadecimal digits.
    public var head: String
    /// The hash of the times of all packets, in hexadecimal digits.
    public var packets: String

    /// Creates an identity from the size in bytes and both hashes.
    public init(size: Int64, head: String, packets: String) {
      self.size = size
      self.head = head
      self.packets = packets
    }
  }

  /// A stretch of one source.
  public struct Part: Hashable, Sendable, Codable {
    /// The index of its source in ``EditList/sources``.
    public var source: Int
    /// Half-open, on the source's timeline.
    public var range: MediaTimeRange
    /// What the list calls the part.
    public var name: String?
    /// The source's tracks that are written; all, if `nil`.
    public var tracks: [Int]?
    /// False for a part that the list removes.
    public var isKept: Bool

    /// Creates a part, by default one that is kept, of the first source and all its tracks.
    public init(
      _ range: MediaTimeRange, source: Int = 0, name: String? = nil, tracks: [Int]? = nil,
      isKept: Bool = true
    ) {
      self.source = source
      self.range = range
      self.name = name
      self.tracks = tracks
      self.isKept = isKept
    }
  }

  /// A named instant of a source, such as a scene mark.
  public struct Marker: Hashable, Sendable, Codable {
    /// The index of its source in ``EditList/sources``.
    public var source: Int
    /// On the source's timeline.
    public var time: MediaTime
    /// What the list calls it.
    public var name: String?

    /// Creates a marker, by default one of the first source.
    public init(_ time: MediaTime, source: Int = 0, name: String? = nil) {
      self.source = source
      self.time = time
      self.name = name
    }
  }

  /// The files, in the order of their first mention.
  public var sources: [Source]
  /// The parts, in the order in which they are written.
  public var parts: [Part]
  /// Named instants, in the list's order.
  public var markers: [Marker]
  /// Frames per second that the list counts in, where it has such a rate.
  public var rate: Rational?

  /// Creates a list, by default one of parts of one unnamed source.
  public init(
    sources: [Source] = [Source()], parts: [Part] = [], markers: [Marker] = [],
    rate: Rational? = nil
  ) {
    self.sources = sources
    self.parts = parts
    self.markers = markers
    self.rate = rate
  }
}

extension EditList: Codable {
  private enum CodingKeys: String, CodingKey {
    case version, sources, parts, markers, rate
  }

  /// Reads what ``encode(to:)`` writes.
  ///
  /// - Throws: `DecodingError`, also for another version, and for a part or marker of a source that
  ///   the list does not have.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let version = try container.decode(Int.self, forKey: .version)
    guard version == Self.version else {
      throw DecodingError.dataCorruptedError(
        forKey: .version, in: container,
        debugDescription: "version \(version) of an edit list; only \(Self.version) is known")
    }
    let sources = try container.decode([Source].self, forKey: .sources)
    let parts = try container.decode([Part].self, forKey: .parts)
    let markers = try container.decodeIfPresent([Marker].self, forKey: .markers) ?? []
    for (key, used) in [(CodingKeys.parts, parts.map(\.source)), (.markers, markers.map(\.source))]
    {
      guard let wrong = used.firstIndex(where: { !sources.indices.contains($0) }) else { continue }
      throw DecodingError.dataCorruptedError(
        forKey: key, in: container,
        debugDescription:
          "\(key.stringValue)[\(wrong)] is of source \(used[wrong]) of \(sources.count)")
    }
    let rate = try container.decodeIfPresent(Rational.self, forKey: .rate)
    if let rate, !rate.isPositive {
      throw DecodingError.dataCorruptedError(
        forKey: .rate, in: container, debugDescription: "the rate \(rate) is not positive")
    }
    self.init(sources: sources, parts: parts, markers: markers, rate: rate)
  }

  /// Writes the list with its version.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(Self.version, forKey: .version)
    try container.encode(sources, forKey: .sources)
    try container.encode(parts, forKey: .parts)
    try container.encode(markers, forKey: .markers)
    try container.encodeIfPresent(rate, forKey: .rate)
  }
}
