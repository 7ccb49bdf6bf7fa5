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
