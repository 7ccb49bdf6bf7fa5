package import ExactTime

/// Where a stretch of the file's clock is placed on the file's timeline.
package struct ClockBeginning {
  /// The clock's first presented instant.
  package var clock: MediaTime
  /// When that is shown on the file's timeline.
  package var timeline: MediaTime

  package func onTimeline(_ time: MediaTime) throws(ExactTimeError) -> MediaTime {
    try timeline.advanced(by: time.distance(from: clock))
  }

  /// The beginnings of a file's stretches, by number: these are shown one after another, each from
  /// the first instant of any track to the end of the last track.
  package static func all(
    of tracks: [PresentedTrack], origin: MediaTime
  ) throws(ExactTimeError) -> [Int: ClockBeginning] {
    var unions: [Int: MediaTimeRange] = [:]
    for stretch in tracks.flatMap(\.stretches) {
      unions[stretch.number] = unions[stretch.number]?.union(stretch.range) ?? stretch.range
    }
    var beginnings: [Int: ClockBeginning] = [:]
    var timeline: MediaTime?
    for (number, union) in unions.sorted(by: { $0.key < $1.key }) {
      // The first clock is the file's own timeline.
      let start: MediaTime
      if let timeline { start = timeline } else { start = try union.start.counted(from: origin) }
      beginnings[number] = ClockBeginning(clock: union.start, timeline: start)
      timeline = try start.advanced(by: union.checkedLength())
    }
    return beginnings
  }
}

/// Where the clock of a stream is reset, and the shift that brings later times to a common clock.
package struct ClockStep {
  /// The number of the first packet of the stream that has the new clock.
  package var packet: Int
  /// What is added to its times and those of later packets.
  package var shift: MediaDuration
}

extension MediaTime {
  /// The same instant on a timeline that starts with `origin`.
  package func counted(from origin: MediaTime) throws(ExactTimeError) -> MediaTime {
    MediaTime(seconds: try distance(from: origin).seconds)
  }
}
