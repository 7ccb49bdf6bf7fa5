#if FFmpeg
  import ExactTime

  extension OutputTrack {
    /// How long the packet of pictures that is decoded last must last in an AVI, which counts slots, so that
    /// there are as many as its pictures are shown for: the one that is shown last may stand longer.
    var slotsLeft: Int64 {
      guard video != nil, let first = packets.first, let last = packets.last,
        let length = try? shown.end.distance(from: shown.start),
        let ticks = try? grid.ticks(of: length, rounding: .nearest)
      else { return 0 }
      return first.dts &+ ticks &- last.dts
    }
  }
#endif
