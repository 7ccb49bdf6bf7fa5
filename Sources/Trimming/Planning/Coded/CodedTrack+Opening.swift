public import ExactTime

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
