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

extension EditList {
  /// The list whose kept parts lack the ranges of a source.
  ///
  /// Each piece of a part keeps its name and tracks. Parts that are not kept, and markers, stay as they are.
  public func removing(_ removed: RangeSet, fromSource source: Int = 0) -> EditList {
    replacingKept(ofSource: source) { removed.complement(within: $0).ranges }
  }

  /// The list of what is kept: removals are taken out of the kept parts of their source, or out of
  /// `whole` where the list only says what is removed of it.
  ///
  /// `whole` has the range of each source by its index. A source without one, of which the list keeps
  /// nothing, adds nothing.
  public func kept(within whole: [Int: MediaTimeRange]) -> EditList {
    var list = self
    list.parts = parts.filter(\.isKept)
    let keepers = Set(list.parts.map(\.source))
    var removals: [Int: [MediaTimeRange]] = [:]
    for part in parts where !part.isKept { removals[part.source, default: []].append(part.range) }
    for source in removals.keys.sorted() {
      if !keepers.contains(source), let range = whole[source] {
        list.parts.append(Part(range, source: source))
      }
      list = list.removing(RangeSet(removals[source, default: []]), fromSource: source)
    }
    return list
  }

  /// The list of what is removed where this one says what is kept: what no kept part has, in the order
  /// of the sources and their times.
  ///
  /// `whole` has the range of each source by its index; a source without one adds nothing.
  public func removedInstead(within whole: [Int: MediaTimeRange]) -> EditList {
    var list = self
    list.parts = whole.keys.sorted().flatMap { source -> [Part] in
      guard let range = whole[source] else { return [] }
      let kept = RangeSet(parts.filter { $0.isKept && $0.source == source }.map(\.range))
      return kept.complement(within: range).ranges.map { Part($0, source: source, isKept: false) }
    }
    return list
  }

  /// The list without what lies outside a source's range, markers included; parts of which nothing
  /// is left are gone.
  public func clipped(to range: MediaTimeRange, ofSource source: Int = 0) -> EditList {
    var list = self
    list.parts = parts.compactMap { part in
      guard part.source == source else { return part }
      guard let inside = part.range.intersection(range), !inside.isEmpty else { return nil }
      var clipped = part
      clipped.range = inside
      return clipped
    }
    list.markers = markers.filter { $0.source != source || range.contains($0.time) }
    return list
  }

  /// The list whose parts of a source end, and start again, at an instant that is inside of them.
  public func split(at time: MediaTime, ofSource source: Int = 0) -> EditList {
    var list = self
    list.parts = parts.flatMap { part -> [Part] in
      guard part.source == source, part.range.start < time,
        let before = MediaTimeRange(from: part.range.start, to: time),
        let after = MediaTimeRange(from: time, to: part.range.end), !after.isEmpty
      else { return [part] }
      return part.withRanges([before, after])
    }
    return list
  }

  /// The list with all times of a source moved, back if the length is negative.
  ///
  /// - Throws: ``ExactTimeError/overflow`` where a time needs more than 64 bits.
  public func shifted(
    by length: MediaDuration, ofSource source: Int = 0
  ) throws(ExactTimeError) -> EditList {
    var list = self
    for index in parts.indices where parts[index].source == source {
      let range = parts[index].range
      list.parts[index].range = try MediaTimeRange(
        from: range.start.advanced(by: length), length: range.checkedLength())
    }
    for index in markers.indices where markers[index].source == source {
      list.markers[index].time = try markers[index].time.advanced(by: length)
    }
    return list
  }

  /// The length of all kept parts together; what two parts share counts twice.
  ///
  /// - Throws: ``ExactTimeError/overflow`` where it needs more than 64 bits.
  public func keptLength() throws(ExactTimeError) -> MediaDuration {
    var length = MediaDuration.zero
    for part in parts where part.isKept { length = try length.adding(part.range.checkedLength()) }
    return length
  }

  /// How much longer than a limit the kept parts are together; `nil` where they are not longer.
  ///
  /// - Throws: ``ExactTimeError/overflow`` where the lengths need more than 64 bits.
  public func excess(over limit: MediaDuration) throws(ExactTimeError) -> MediaDuration? {
    let excess = try keptLength().subtracting(limit)
    return excess.isPositive ? excess : nil
  }

  private func replacingKept(
    ofSource source: Int, with pieces: (MediaTimeRange) -> [MediaTimeRange]
  ) -> EditList {
    var list = self
    list.parts = parts.flatMap { part in
      part.isKept && part.source == source ? part.withRanges(pieces(part.range)) : [part]
    }
    return list
  }
}

extension EditList.Part {
  fileprivate func withRanges(_ ranges: [MediaTimeRange]) -> [EditList.Part] {
    ranges.map { range in
      var part = self
      part.range = range
      return part
    }
  }
}
