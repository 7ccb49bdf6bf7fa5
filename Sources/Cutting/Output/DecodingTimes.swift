extension ContiguousArray<OutputPacket> {
  /// Derives decoding times from the presentation times, in ticks: strictly increasing, none
  /// later than its frame's PTS, and evenly spaced where the frames are.
  ///
  /// - Parameters:
  ///   - delay: minimum distance from each picture's DTS to its PTS.
  ///   - pace: the spacing of the source's decoding times, if constant. It is kept across missing
  ///     frames if that does not increase the delay.
  mutating func stampDecoding(delay: Int64, pace: Int64?) {
    var times = map(\.pts).sorted()
    // Two frames may share a PTS, but not a DTS.
    for place in times.indices.dropFirst() {
      times[place] = Swift.max(times[place], times[place - 1] + 1)
    }
    var shift = self.delay(for: times, atLeast: delay)
    if let pace, let first = times.first {
      let even = indices.map { first &+ Int64($0) &* pace }
      if self.delay(for: even, atLeast: delay) <= shift { times = even }
    }
    shift = self.delay(for: times, atLeast: delay)
    guard let ahead = framesAhead(in: times, atLeast: delay) else {
      for place in indices { self[place].dts = times[place] - shift }
      return
    }
    // A single delay for all would decode every picture as early as the longest-displayed frame
    // requires, and players that seek by DTS (VLC) would land that much too far. So each is
    // decoded when the picture `ahead` frames before it is shown, as encoders do.
    // The lead of the first ones makes up for the last ones, so that all are decoded over as long
    // as they are shown.
    let last = times.count - 1
    let lead = Swift.max(times[ahead] &- times[0], times[last] &- times[last - ahead])
    let isMuchLater = lead <= shift / 2
    for place in indices {
      self[place].dts =
        !isMuchLater
        ? times[place] &- shift : place < ahead ? times[place] &- lead : times[place - ahead]
    }
  }

  /// By how many pictures each must be decoded ahead; `nil` where there are not that many.
  private func framesAhead(in shown: [Int64], atLeast delay: Int64) -> Int? {
    var ahead = 0
    for place in indices {
      while place >= ahead, shown[place - ahead] > self[place].pts { ahead += 1 }
    }
    while ahead < shown.count, shown[ahead] &- shown[0] < delay { ahead += 1 }
    return ahead < shown.count ? ahead : nil
  }

  private func delay(for times: [Int64], atLeast least: Int64) -> Int64 {
    var delay = least
    for (place, packet) in enumerated() { delay = Swift.max(delay, times[place] - packet.pts) }
    return delay
  }
}
