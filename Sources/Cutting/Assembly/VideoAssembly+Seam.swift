#if FFmpeg
  import Bitstreams
  import MediaFacts

  extension VideoAssembly {
    /// Which encoded pictures before the copied run begin a sequence of their own, so that none that a
    /// decoder may still hold has the order count of the CRA picture behind them, which becomes a BLA
    /// picture.
    ///
    /// Counting begins again there (ITU-T H.265, 8.3.1), but FFmpeg 8 takes two pictures of one count
    /// for the same, and leaves out the BLA picture and all that refers to it.
    ///
    /// - Parameters:
    ///   - head: the places of the encoded pictures, in the order in which they are shown.
    ///   - interval: how many pictures an encoder's group has.
    func beginning(
      in head: [Int], before entry: Int?, interval: Int
    ) throws(CutError) -> Set<Int> {
      let track = source.tracks[index]
      guard track.facts.codec == "hevc", let entry, !head.isEmpty,
        source.access(ofTrack: index, entry) == .cra
      else { return [] }
      var counts = try source.orderCounts(ofTrack: index)
      try source.prepare([index: [entry..<entry + 1]])
      let bytes = try source.bytes(ofTrack: index, entry)
      guard let count = counts.count(ofPicture: bytes, track.framing),
        let length = Self.lastGroup(of: head.count, interval, avoiding: Int64(count))
      else { return [] }
      return [head[head.count - length]]
    }

    /// How many pictures the last group of a run is to have; `nil` where it may be as it is.
    static func lastGroup(of count: Int, _ interval: Int, avoiding order: Int64) -> Int? {
      let length = (count - 1) % max(1, interval) + 1
      guard (Int64(max(0, length - HEVCOrderCounts.held))..<Int64(length)).contains(order) else {
        return nil
      }
      // A group of one picture has the count 0 alone; of a long one, it is no longer held.
      let wanted = order == 0 ? HEVCOrderCounts.held + 1 : 1
      return wanted <= count ? wanted : nil
    }
  }
#endif
