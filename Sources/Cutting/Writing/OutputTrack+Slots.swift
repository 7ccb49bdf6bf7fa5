import ExactTime

extension OutputTrack {
  /// The duration in ticks of the last picture packet in decode order, so that AVI's slots cover
  /// the time for which pictures are shown: the picture shown last may stay longer.
  var slotsLeft: Int64 {
    guard video != nil, let first = packets.first, let last = packets.last,
      let length = try? shown.end.distance(from: shown.start),
      let ticks = try? grid.ticks(of: length, rounding: .nearest)
    else { return 0 }
    return first.dts &+ ticks &- last.dts
  }
}
