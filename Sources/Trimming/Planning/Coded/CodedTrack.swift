public import ExactTime
public import MediaFacts

/// One coded sample as a plan needs it: when it is shown and decoded, in ticks of its track.
public struct CodedPacket: Hashable, Sendable {
  /// Presentation timestamp, in ticks of the track before its edit list.
  public var pts: Int64
  /// Decoding timestamp, in ticks of the track; it ascends from packet to packet.
  public var dts: Int64
  /// Duration in ticks; zero when not known.
  public var duration: Int64
  /// Size of the coded sample in bytes; containers state it in 32 bits.
  public var byteCount: Int {
    get { Int(size) }
    set { size = UInt32(clamping: newValue) }
  }
  /// Whether the container flags it as a keyframe; the bitstream is authoritative.
  public var isKey: Bool
  /// 32 bits to save memory: a file of several hours has hundreds of thousands of packets.
  private var size: UInt32

  /// Creates a packet; all times are in ticks of its track.
  public init(pts: Int64, dts: Int64, duration: Int64, byteCount: Int, isKey: Bool) {
    self.pts = pts
    self.dts = dts
    self.duration = duration
    self.isKey = isKey
    size = UInt32(clamping: byteCount)
  }
}

/// The packets of one track in decode order, and how its ticks map to the file's timeline.
public struct CodedTrack: Sendable {
  /// The position in the file, from 0.
  public var index: Int
  /// Which planner handles the track: video, audio, or clipped content.
  public var kind: TrackKind
  /// FFmpeg's short codec name.
  public var codec: Codec
  /// The time base of every tick of the track.
  public var grid: TickGrid
  /// When tick 0 of the media is shown, counted from the file's first presented sample.
  public var origin: MediaTime
  /// The media ticks that are shown: an edit list hides what lies outside.
  public var visible: Range<Int64>
  /// All packets in decode order; plans refer to them by index.
  public var packets: ContiguousArray<CodedPacket>

  /// Creates a track; packets must already be in decode order and are not sorted.
  public init(
    index: Int, kind: TrackKind, codec: Codec, grid: TickGrid, origin: MediaTime,
    visible: Range<Int64>, packets: ContiguousArray<CodedPacket>
  ) {
    self.index = index
    self.kind = kind
    self.codec = codec
    self.grid = grid
    self.origin = origin
    self.visible = visible
    self.packets = packets
  }

  /// Whether any packet's PTS differs from its DTS, so that others are decoded in between.
  package var isReordered: Bool { packets.contains { $0.pts != $0.dts } }

  /// The first tick at or after an instant of the file.
  ///
  /// - Throws: ``ExactTimeError/overflow`` for a tick outside 64 bits.
  public func firstTick(notBefore time: MediaTime) throws(ExactTimeError) -> Int64 {
    try grid.ticks(of: time.distance(from: origin), rounding: .up)
  }

  /// When a tick is shown, counted from the file's first presented sample.
  ///
  /// - Throws: ``ExactTimeError/overflow`` for an instant outside 64 bits.
  public func time(atTick tick: Int64) throws(ExactTimeError) -> MediaTime {
    try origin.advanced(by: grid.duration(ofTicks: tick))
  }

  /// The media ticks that are shown within a half-open range of the file; empty if there are none.
  ///
  /// - Throws: ``ExactTimeError/overflow`` for a tick outside 64 bits.
  public func ticks(of range: MediaTimeRange) throws(ExactTimeError) -> Range<Int64> {
    let from = max(visible.lowerBound, try firstTick(notBefore: range.start))
    let to = min(visible.upperBound, try firstTick(notBefore: range.end))
    return from..<max(from, to)
  }
}

/// The frames of a track in presentation order, numbered as in time expressions such as `12f`.
public struct ShownTicks: Sendable {
  /// The start of each frame, ascending, in ticks of the track.
  public var starts: ContiguousArray<Int64>
  /// The end of the last frame.
  public var end: Int64
}

extension CodedTrack {
  /// The frames that are shown, as the probe counts them; `nil` if there are none.
  ///
  /// Where the edit list begins inside a frame (ISO 14496-12, 8.6.6), that frame is on screen first, from
  /// there on: it is frame 0. Frames before the first keyframe, which cannot be decoded, are not counted
  /// either.
  ///
  /// ```
  /// frames   |    |    |    |
  /// shown       [ 0  |  1   |  2 …
  /// ```
  ///
  /// - Parameter presented: when the track is first shown, as reported by the probe.
  public func shownTicks(from presented: MediaTime?) -> ShownTicks? {
    var first = visible.lowerBound
    if let presented, let tick = try? firstTick(notBefore: presented) { first = max(first, tick) }
    var starts = ContiguousArray(packets.lazy.map(\.pts).filter { $0 < visible.upperBound })
    if !zip(starts, starts.dropFirst()).allSatisfy({ $0 <= $1 }) { starts.sort() }
    var lost = starts.firstIndex { $0 >= first } ?? starts.count
    // The previous frame stays on screen until the next begins.
    if lost > 0, lost == starts.count || starts[lost] > first {
      lost -= 1
      starts[lost] = first
    }
    starts.removeFirst(lost)
    guard let last = starts.last else { return nil }
    let ends = packets.lazy.filter { $0.pts <= last && $0.pts < visible.upperBound }
      .map { (begin: $0.pts, end: $0.pts &+ $0.duration) }
    let end = ends.max { ($0.begin, $0.end) < ($1.begin, $1.end) }?.end ?? last
    return ShownTicks(starts: starts, end: max(last &+ 1, min(end, visible.upperBound)))
  }
}

/// The part of a video track that is on screen in a range: starting with the rest of the frame on
/// screen at IN.
public struct OpenedTrack: Sendable {
  /// The track with that frame moved to begin at IN, rounded down to a tick.
  public var coded: CodedTrack
  /// The ticks of the range; every frame that is shown begins in them.
  public var ticks: Range<Int64>
  /// The packet of the frame that began before IN; `nil` where a frame begins at IN, or none is on
  /// screen yet.
  public var lead: Int?
}

extension CodedTrack {
  /// The part of the track that is on screen in a range.
  ///
  /// - Throws: ``ExactTimeError/overflow`` for a tick outside 64 bits.
  public func opened(at range: MediaTimeRange) throws(ExactTimeError) -> OpenedTrack {
    let exact = try firstTick(notBefore: range.start)
    let from = max(
      visible.lowerBound,
      try grid.ticks(of: range.start.distance(from: origin), rounding: .down))
    let to = min(visible.upperBound, try firstTick(notBefore: range.end))
    var opened = OpenedTrack(coded: self, ticks: from..<max(from, to))
    guard from < to else { return opened }
    var (lead, next): (Int?, Int64) = (nil, .max)
    for place in packets.indices {
      let pts = packets[place].pts
      if pts > from {
        next = min(next, pts)
      } else if lead.map({ packets[$0].pts <= pts }) ?? true {
        lead = place
      }
    }
    // A frame that begins at IN needs no change.
    guard let lead, packets[lead].pts < from || exact > from else {
      return opened
    }
    let end = next < .max ? next : self.end(ofLast: lead)
    guard end > from else { return opened }
    opened.lead = lead
    opened.coded.packets[lead].pts = from
    opened.coded.packets[lead].duration = end &- from
    return opened
  }

  /// The end of the last frame: without a duration, it lasts as long as the previous frame.
  private func end(ofLast place: Int) -> Int64 {
    let last = packets[place]
    guard last.duration <= 0 else { return last.pts &+ last.duration }
    let before = packets.lazy.map(\.pts).filter { $0 < last.pts }.max() ?? last.pts
    return last.pts &+ (last.pts &- before)
  }
}
