public import ExactTime

/// What the endpoints of a range snap to.
public enum Snap: String, Hashable, Sendable, Codable, CaseIterable {
  /// Nothing, the start of a frame, or a keyframe; the out point may also be the video's end.
  case off, frame, keyframe
}

/// A step of a handle or of the playhead; negative steps go back.
public enum NudgeStep: Hashable, Sendable {
  /// By frames in presentation order.
  case frames(Int)
  /// By keyframes.
  case keyframes(Int)
  /// By exact seconds, regardless of frames.
  case seconds(Rational)
}

/// What can be moved on the timeline.
public enum Handle: String, Hashable, Sendable, Codable, CaseIterable {
  /// The current position: what is on screen while paused, and where playback is.
  case playhead
  /// The start of the range, which is shown.
  case inPoint = "in"
  /// The end of the range, which is not shown.
  case outPoint = "out"
}

/// The positions an endpoint may snap to: frame starts and, for the out point, also the end of the
/// video, which is the end of its last frame.
struct SnapPlaces {
  let times: FrameInstants
  let end: MediaTime?

  init(_ times: FrameInstants, end: MediaTime? = nil) {
    self.times = times
    self.end = end.flatMap { end in
      guard let last = times.time(at: times.count - 1), last < end else { return nil }
      return end
    }
  }

  private var count: Int { times.count + (end == nil ? 0 : 1) }

  private subscript(index: Int) -> MediaTime? { times.time(at: index) ?? end }

  /// The position nearest to an instant, the earlier of two equally near; `nil` when none is known.
  func nearest(to time: MediaTime) -> MediaTime? {
    let after = first(from: time)
    guard after < count else { return self[count - 1] }
    guard after > 0, let earlier = self[after - 1], let later = self[after] else { return self[0] }
    guard let below = try? time.distance(from: earlier), let above = try? later.distance(from: time)
    else { return earlier }
    return above < below ? later : earlier
  }

  /// The position `steps` away, clamped to the first and the last; `nil` when it would not move.
  func stepping(_ steps: Int, from time: MediaTime) -> MediaTime? {
    guard count > 0, steps != 0 else { return nil }
    let limited = min(max(steps, -count), count)
    let index: Int
    if limited > 0 {
      let here = first(from: time)
      let isOnPlace = here < count && self[here] == time
      index = min(here + limited - (isOnPlace ? 0 : 1), count - 1)
    } else {
      index = max(first(from: time) + limited, 0)
    }
    guard let place = self[index], limited > 0 ? place > time : place < time else { return nil }
    return place
  }

  /// The index of the first position at or after an instant.
  private func first(from time: MediaTime) -> Int {
    let index = times.firstIndex { $0 >= time }
    if index == times.count, let end, end < time { return count }
    return index
  }
}
