public import ExactTime

/// What of a video track is on screen in a range: from the frame on screen at IN, for what is left
/// of it.
public struct OpenedTrack: Sendable {
  /// The track with that frame as if it began at IN, to the tick before.
  public var coded: CodedTrack
  /// The ticks of the range; in them begins every frame that is shown.
  public var ticks: Range<Int64>
  /// The packet of the frame that began before IN; `nil` where one begins there, or none is on
  /// screen yet.
  public var lead: Int?
}

extension CodedTrack {
  /// What of the track is on screen in a range.
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
    // A frame that begins at IN needs nothing.
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

  /// Without a duration it lasts as long as the frame before.
  private func end(ofLast place: Int) -> Int64 {
    let last = packets[place]
    guard last.duration <= 0 else { return last.pts &+ last.duration }
    let before = packets.lazy.map(\.pts).filter { $0 < last.pts }.max() ?? last.pts
    return last.pts &+ (last.pts &- before)
  }
}
