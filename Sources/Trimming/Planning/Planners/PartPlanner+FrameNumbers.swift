import ExactTime

extension PartPlanner {
  /// Why pictures of Theora cannot be numbered, where a container has nothing but their numbers; `nil` where
  /// they can.
  func unnumbered(_ index: Int, _ cut: VideoCut, until end: MediaTime) -> String? {
    let track = tracks[index]
    guard rules.endsByPosition, track.codec == "theora", let rate = track.frameRate,
      rate.isPositive, let length = try? Rational.one.divided(by: rate)
    else { return nil }
    let frame = MediaDuration(seconds: length)
    let encoded = Set(cut.head).union(cut.replaced).union(cut.tail)
    let places = encoded.union(cut.copied).sorted()
    var times = places.map { place in
      try? track.coded.grid.duration(ofTicks: track.coded.packets[place].pts)
    }
    times.append(try? end.distance(from: track.coded.origin))
    // Frames since a keyframe have room in a position (Theora specification, 6.2, KFGSHIFT).
    let most = Int64(1) << Int64(track.positionBits ?? 62)
    var since: Int64 = 0
    for (place, interval) in zip(places, zip(times, times.dropFirst())) {
      guard let time = interval.0, let next = interval.1,
        let count = FrameNumbers.frames(from: time, to: next, of: frame)
      else { return "do not follow each other at one rate" }
      // What is encoded is a keyframe each.
      let isKey = encoded.contains(place) || track.coded.packets[place].isKey
      since = (isKey ? 0 : since) + count
      if since > most { return "are further behind a keyframe than its header has room for" }
    }
    return nil
  }
}
