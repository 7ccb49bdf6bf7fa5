import Bitstreams

extension StreamScan {
  /// Gives pictures without a PTS the times that follow from the order of all pictures.
  ///
  /// - Returns: the times by packet; empty where none is missing, or they are not known.
  mutating func fill(from untimed: UntimedPictures) -> [Int: Int64] {
    var starts: [Int] = []
    var count = 0
    for epoch in epochs {
      starts.append(count)
      count += epoch.pts.count
    }
    guard let times = untimed.times(stretches: starts, usual: fallbackDuration ?? 0),
      !times.isEmpty
    else { return [:] }
    // The demuxer made up a DTS from each invalid PTS.
    backwardCount = max(0, backwardCount - untimed.contradictionCount)
    movedCount = times.count(where: \.replacesStated)
    for index in epochs.indices { epochs[index].keepStated() }
    for time in times {
      guard let index = starts.lastIndex(where: { $0 <= time.picture }) else { continue }
      epochs[index].pts[time.picture - starts[index]] = time.pts
    }
    for index in epochs.indices { epochs[index].settle(from: starts[index], untimed) }
    return Dictionary(times.map { ($0.packet, $0.pts) }, uniquingKeysWith: { first, _ in first })
  }
}

extension StreamScan.Epoch {
  /// Determines again which picture is shown first and which last.
  fileprivate mutating func settle(from start: Int, _ untimed: UntimedPictures) {
    for place in keys.indices { keys[place].pts = pts[keys[place].decodeIndex] }
    let shown = pts.inPresentationOrder.dropFirst(hiddenCount)
    guard let first = shown.first, let last = shown.last else { return }
    let hasMoved = last != lastPTS
    (firstPTS, lastPTS) = (first, last)
    if hasMoved, let place = pts.lastIndex(of: last),
      let duration = untimed.duration(ofPicture: start + place)
    {
      lastDuration = duration
    }
  }
}
