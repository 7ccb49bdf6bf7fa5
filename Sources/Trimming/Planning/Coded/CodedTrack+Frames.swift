public import ExactTime

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
