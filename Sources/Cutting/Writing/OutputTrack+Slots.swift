#if FFmpeg
  import ExactTime

  extension OutputTrack {
    /// The duration in AVI slots of the last decoded picture packet, such that there are as many
    /// slots as the pictures are shown for: the picture shown last may stay longer.
    var slotsLeft: Int64 {
      guard video != nil, let first = packets.first, let last = packets.last,
        let length = try? shown.end.distance(from: shown.start),
        let ticks = try? grid.ticks(of: length, rounding: .nearest)
      else { return 0 }
      return first.dts &+ ticks &- last.dts
    }
  }
#endif
