public import ExactTime
public import MediaFacts

/// The times of each packet of a file: the detail behind ``MediaFacts``.
public struct MediaTimeline: Sendable, Hashable {
  /// The video and audio tracks, in file order.
  public var tracks: [TimelineTrack]

  /// Creates a timeline from existing tracks.
  public init(tracks: [TimelineTrack]) { self.tracks = tracks }

  /// From the first packet to the end of the last over all tracks, hidden ones included; `nil`
  /// without packets.
  public var extent: MediaTimeRange? {
    let ranges = tracks.compactMap(\.extent)
    return ranges.dropFirst().reduce(ranges.first) { $0?.union($1) }
  }
}

/// One video or audio track.
public struct TimelineTrack: Sendable, Hashable {
  /// The container's own identifier, as ``TrackFacts/id``.
  public var id: Int
  /// Whether it is video or audio.
  public var kind: TrackKind
  /// When a player shows it, counted from the origin that the timeline was read with.
  public var presented: MediaTimeRange
  /// All packets, in presentation order.
  public var packets: [TimelinePacket]

  /// Creates a track; the packets must be in presentation order.
  public init(id: Int, kind: TrackKind, presented: MediaTimeRange, packets: [TimelinePacket]) {
    self.id = id
    self.kind = kind
    self.presented = presented
    self.packets = packets
  }

  /// From the first packet to the end of the last, hidden ones included; `nil` without packets.
  public var extent: MediaTimeRange? {
    guard let first = packets.first, let end = packets.map(\.end).max() else { return nil }
    return MediaTimeRange(from: first.start, to: max(first.start, end))
  }
}

/// A packet's times; a hidden one has the times it would have if it were shown.
public struct TimelinePacket: Sendable, Hashable {
  /// When it is presented, counted from the origin that the timeline was read with.
  public var start: MediaTime
  /// When its contents have ended.
  public var end: MediaTime
  /// Size of the coded packet in bytes.
  public var byteCount: Int
  /// True where the container flags it as a keyframe.
  public var isKey: Bool
  /// True where an edit list hides all of it.
  public var isHidden: Bool

  /// Creates a packet; both times count from the timeline's origin.
  public init(
    start: MediaTime, end: MediaTime, byteCount: Int, isKey: Bool = false, isHidden: Bool = false
  ) {
    self.start = start
    self.end = end
    self.byteCount = byteCount
    self.isKey = isKey
    self.isHidden = isHidden
  }
}

extension TimelineTrack {
  /// The gaps between audio packets, and the overlaps where two claim the same time.
  ///
  /// - Parameter tolerance: by how much the container's rounding may shift times.
  public func disorder(
    tolerance: MediaDuration
  ) -> (gaps: [MediaTimeRange], overlaps: [MediaTimeRange]) {
    var gaps: [MediaTimeRange] = []
    var overlaps: [MediaTimeRange] = []
    guard kind == .audio else { return ([], []) }
    for (packet, next) in zip(packets, packets.dropFirst()) {
      guard let distance = try? next.start.distance(from: packet.end),
        let size = try? distance.checkedMagnitude(), size > tolerance
      else { continue }
      if distance.isNegative {
        if let range = MediaTimeRange(from: next.start, to: packet.end) { overlaps.append(range) }
      } else if let range = MediaTimeRange(from: packet.end, to: next.start) {
        gaps.append(range)
      }
    }
    return (gaps, overlaps)
  }

  /// The ranges before and after the presented one whose packets an edit list hides.
  public var hidden: [MediaTimeRange] {
    guard let extent else { return [] }
    return [
      MediaTimeRange(from: extent.start, to: presented.start),
      MediaTimeRange(from: presented.end, to: extent.end),
    ].compactMap { $0 }.filter { !$0.isEmpty }
  }
}
