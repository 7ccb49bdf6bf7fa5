#if FFmpeg
  extension ContiguousArray<OutputPacket> {
    /// Decoding times made from the presentation times, in ticks: as many as there are, in order,
    /// none later than its frame, and evenly spaced where the frames are.
    ///
    /// - Parameters:
    ///   - delay: how much earlier than it is shown each picture is decoded, at least.
    ///   - pace: the spacing of the source's decoding times, where they have one. It is kept where
    ///     frames are missing too, if that makes none wait longer.
    mutating func stampDecoding(delay: Int64, pace: Int64?) {
      var times = map(\.pts).sorted()
      // Two frames may be shown at one time; none are decoded at one.
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
      // By one delay for all, every picture would be decoded as early as the frame that stands longest
      // wants, and players that seek by decoding times (VLC) would come that much too far. So each is
      // decoded when the one is shown that comes so many before it, as encoders have it.
      // The first ones make up for the length of the last, so that all last as long as they are shown.
      let last = times.count - 1
      let lead = Swift.max(times[ahead] &- times[0], times[last] &- times[last - ahead])
      let isMuchLater = lead <= shift / 2
      for place in indices {
        self[place].dts =
          !isMuchLater
          ? times[place] &- shift : place < ahead ? times[place] &- lead : times[place - ahead]
      }
    }

    /// By how many pictures each has to be decoded ahead; `nil` where there are not so many.
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
#endif
