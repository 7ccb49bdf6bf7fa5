public import ExactTime
public import MediaFacts

/// What lies where in a film's time, packet by packet: what ``MediaFacts`` sum up.
public struct FilmTimeline: Sendable, Hashable {
  public var tracks: [TimelineTrack]

  public init(tracks: [TimelineTrack]) { self.tracks = tracks }

  /// From the first packet to the end of the last, hidden ones included.
  public var extent: MediaTimeRange? {
    let ranges = tracks.compactMap(\.extent)
    return ranges.dropFirst().reduce(ranges.first) { $0?.union($1) }
  }
}

/// One track of pictures or sound.
public struct TimelineTrack: Sendable, Hashable {
  public var id: Int
  public var kind: TrackKind
  /// What a player shows of it.
  public var presented: MediaTimeRange
  /// In the order of presentation.
  public var packets: [TimelinePacket]

  public init(id: Int, kind: TrackKind, presented: MediaTimeRange, packets: [TimelinePacket]) {
    self.id = id
    self.kind = kind
    self.presented = presented
    self.packets = packets
  }

  public var extent: MediaTimeRange? {
    guard let first = packets.first, let end = packets.map(\.end).max() else { return nil }
    return MediaTimeRange(from: first.start, to: max(first.start, end))
  }
}

/// A packet's place in time; one that is hidden lies where it would be if it were not.
public struct TimelinePacket: Sendable, Hashable {
  public var start: MediaTime
  public var end: MediaTime
  public var byteCount: Int
  public var isKey: Bool
  /// True where an edit list hides it wholly.
  public var isHidden: Bool

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
  /// Where sound is missing between two packets, and where two of them claim the same time.
  ///
  /// - Parameter tolerance: what the ticks of a container may be off.
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

  /// What edit lists hide, as far as it lies outside of what is shown.
  public var hidden: [MediaTimeRange] {
    guard let extent else { return [] }
    return [
      MediaTimeRange(from: extent.start, to: presented.start),
      MediaTimeRange(from: presented.end, to: extent.end),
    ].compactMap { $0 }.filter { !$0.isEmpty }
  }
}
