public import ExactTime
public import MediaFacts

/// One coded sample as a plan needs it: when it is shown and decoded, in ticks of its track.
public struct CodedPacket: Hashable, Sendable {
  public var pts: Int64
  public var dts: Int64
  /// Ticks; zero when not known.
  public var duration: Int64
  public var byteCount: Int
  /// What the container claims; the bitstream has the last word.
  public var isKey: Bool

  public init(pts: Int64, dts: Int64, duration: Int64, byteCount: Int, isKey: Bool) {
    self.pts = pts
    self.dts = dts
    self.duration = duration
    self.byteCount = byteCount
    self.isKey = isKey
  }
}

/// The packets of one track in decode order, and how its ticks lie on the film's timeline.
public struct CodedTrack: Sendable {
  /// The position in the file, from 0.
  public var index: Int
  public var kind: TrackKind
  /// FFmpeg's short codec name.
  public var codec: String
  public var grid: TickGrid
  /// When tick 0 of the media is shown, counted from the film's first presented sample.
  public var origin: MediaTime
  /// The media ticks that are shown: an edit list hides what lies outside.
  public var visible: Range<Int64>
  public var packets: ContiguousArray<CodedPacket>

  public init(
    index: Int, kind: TrackKind, codec: String, grid: TickGrid, origin: MediaTime,
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

  /// The first tick at or after an instant of the film.
  ///
  /// - Throws: ``ExactTimeError/overflow`` for a tick outside 64 bits.
  public func firstTick(notBefore time: MediaTime) throws(ExactTimeError) -> Int64 {
    try grid.ticks(of: time.distance(from: origin), rounding: .up)
  }

  /// When a tick is shown.
  public func time(atTick tick: Int64) throws(ExactTimeError) -> MediaTime {
    try origin.advanced(by: grid.duration(ofTicks: tick))
  }

  /// The media ticks of a stretch of the film that are shown: those that a half-open range of
  /// instants holds.
  public func ticks(of range: MediaTimeRange) throws(ExactTimeError) -> Range<Int64> {
    let from = max(visible.lowerBound, try firstTick(notBefore: range.start))
    let to = min(visible.upperBound, try firstTick(notBefore: range.end))
    return from..<max(from, to)
  }
}
