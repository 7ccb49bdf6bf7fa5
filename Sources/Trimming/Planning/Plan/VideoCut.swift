/// How the frames of one video track are cut: which are copied, which are re-encoded.
///
/// Packets are identified by their index in decode order, and every list of indices ascends. Frames of the
/// range are those on screen in it: the one on screen at IN, which is shown from there on, and those that
/// begin after IN and before OUT.
///
/// ```
/// source   I . . . I . . . I . . . I
/// range          [ . . . . . . . )
/// output         h h C C C C C C t
/// ```
public struct VideoCut: Hashable, Sendable {
  /// Frames re-encoded before the copied run.
  public var head: [Int] = []
  /// The run of packets that are copied, in decode order, except for ``left``.
  public var copied: Range<Int> = 0..<0
  /// Packets inside ``copied`` that are not copied: leading pictures of its first keyframe.
  public var left: [Int] = []
  /// The packets in ``left`` that are re-encoded at their own position in decode order.
  public var replaced: [Int] = []
  /// Packets inside ``copied`` whose frames lie outside the range, for an edit list to hide.
  public var hidden: [Int] = []
  /// Frames re-encoded after the copied run.
  public var tail: [Int] = []
  /// The frame that began before IN and is still on screen there: it is shown from IN on.
  public var lead: Int?
  /// Packets to decode for the head and the replaced pictures, in decode order.
  public var headSource: Range<Int> = 0..<0
  /// Packets to decode for the tail.
  public var tailSource: Range<Int> = 0..<0
  /// How decoding can start at the first packet of the copied run.
  public var entry: Entry = .none
  /// Why no more is copied; `nil` when everything that can be copied is.
  public var reason: Reason?

  /// How a decoder starts on the copied run.
  public enum Entry: String, Hashable, Sendable, Codable {
    /// Nothing is copied.
    case none
    /// The decoder restarts: nothing before the run matters.
    case closed
    /// Leading pictures, which follow the first packet and are shown before it, may refer to what came
    /// before.
    case open
  }

  /// Why frames are re-encoded that a smart cut could normally copy; spelled as in JSON.
  public enum Reason: String, Hashable, Sendable, Codable, CaseIterable {
    /// No random access point lies inside the range.
    case noRandomAccess = "no_random_access_point"
    /// Re-encoding was requested.
    case asked = "asked_for"
    /// The codec's bitstream cannot be joined seamlessly.
    case unjoinable = "cannot_be_joined"
    /// They are joined with those of another source, whose format is another.
    case otherFormat = "other_format"
    /// The source has none, and black ones are shown.
    case noPictures = "no_pictures"
    /// The output holds no such codec: they become H.264.
    case codecNotHeld = "codec_does_not_fit"
  }

  /// Creates a cut without frames.
  public init() {}

  /// How many frames are re-encoded.
  public var encodedCount: Int { head.count + replaced.count + tail.count }
  /// How many frames are copied, hidden ones included.
  public var copiedCount: Int { copied.count - left.count }
  /// How many frames are shown, hidden ones left out.
  public var shownCount: Int { frameCount - hidden.count }
  /// How many frames are in the output, hidden ones included.
  public var frameCount: Int { encodedCount + copiedCount }
}

extension VideoCut: Codable {
  private enum CodingKeys: String, CodingKey {
    case head, copied, left, replaced, hidden, tail, lead, headSource, tailSource, entry, reason
  }

  /// Reads what ``encode(to:)`` writes; absent lists are empty.
  ///
  /// - Throws: `DecodingError` for anything else.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    func places(_ key: CodingKeys) throws -> [Int] {
      try container.decodeIfPresent(PlaceRuns.self, forKey: key)?.places ?? []
    }
    head = try places(.head)
    copied = try container.decode(Range<Int>.self, forKey: .copied)
    left = try places(.left)
    replaced = try places(.replaced)
    hidden = try places(.hidden)
    tail = try places(.tail)
    lead = try container.decodeIfPresent(Int.self, forKey: .lead)
    headSource = try container.decode(Range<Int>.self, forKey: .headSource)
    tailSource = try container.decode(Range<Int>.self, forKey: .tailSource)
    entry = try container.decode(Entry.self, forKey: .entry)
    reason = try container.decodeIfPresent(Reason.self, forKey: .reason)
  }

  /// Writes lists of indices as runs, and omits empty ones.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    func encode(_ places: [Int], _ key: CodingKeys) throws {
      if !places.isEmpty { try container.encode(PlaceRuns(places), forKey: key) }
    }
    try encode(head, .head)
    try container.encode(copied, forKey: .copied)
    try encode(left, .left)
    try encode(replaced, .replaced)
    try encode(hidden, .hidden)
    try encode(tail, .tail)
    try container.encodeIfPresent(lead, forKey: .lead)
    try container.encode(headSource, forKey: .headSource)
    try container.encode(tailSource, forKey: .tailSource)
    try container.encode(entry, forKey: .entry)
    try container.encodeIfPresent(reason, forKey: .reason)
  }
}
