import ExactTime

/// What is clipped to the range: subtitles, chapters and timecode.
extension PartPlanner {
  mutating func planSubtitles(
    _ index: Int, _ report: inout TrackPlan
  ) throws(ExactTimeError) {
    let track = tracks[index].coded
    let ticks = try track.ticks(of: range)
    var places = track.packets.indices.filter { place in
      let packet = track.packets[place]
      return packet.pts < ticks.upperBound
        && packet.pts &+ max(1, packet.duration) > ticks.lowerBound
    }
    // What changes a screen needs what built it.
    if let first = places.first, let entry = (0...first).last(where: { track.packets[$0].isKey }) {
      places = Array(entry..<first) + places
    }
    guard !places.isEmpty || !tracks[index].isTimedMetadata else {
      drop(&report, because: "nothing of it lies in the range")
      return
    }
    report.packets = places.count
    report.copiedBytes = places.reduce(0) { $0 + Int64(track.packets[$1].byteCount) }
    try planClipped(index, places, &report)
  }

  mutating func planClipped(
    _ index: Int, _ places: [Int], _ report: inout TrackPlan
  ) throws(ExactTimeError) {
    report.source = range
    report.segments = [.init(.copied, part: number, source: range, packets: report.packets)]
    var plan = PartPlan.Track(source: index, shown: try relative(range), heard: range)
    plan.clipped = places
    planned.append((plan, report))
  }

  /// The label that is on where the part begins, and those with which samples begin in it: within a
  /// millisecond that one is meant.
  func labels(of track: CodedTrack) throws(ExactTimeError) -> Int {
    let reached = try range.start.advanced(by: TimecodeClock.tolerance)
    return try 1
      + track.packets.dropFirst().count { (packet) throws(ExactTimeError) in
        let begin = try track.time(atTick: packet.pts)
        return begin > reached && begin < range.end
      }
  }
}
