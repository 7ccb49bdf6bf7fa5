import ExactTime
package import ISOMedia
package import MediaFacts

/// What the headers of a file and its tracks declare, and what the tables add up to.
package enum ISODurations {
  package static func declared(_ movie: ISOMovie) -> DurationFact? {
    guard let timescale = movie.timescale else { return nil }
    // A fragmented file states its total duration in `mehd`; `mvhd` then covers only the moov.
    let ticks = movie.fragmentDuration ?? movie.duration
    return fact(ticks, timescale, .containerHeader, nil)
  }

  package static func of(_ track: ISOTrack, in movie: ISOMovie, id: Int) -> Durations {
    var durations = Durations()
    if let timescale = movie.timescale {
      durations.declared = fact(track.headerDuration, timescale, .containerHeader, id)
    }
    if let timescale = track.timescale {
      durations.track = fact(track.mediaDuration, timescale, .trackHeader, id)
      let total = track.timing.totalDuration
      durations.indexed =
        track.unread == nil ? fact(total > 0 ? total : nil, timescale, .sampleTable, id) : nil
    }
    return durations
  }

  private static func fact(
    _ ticks: Int64?, _ timescale: Int64, _ source: DurationSource, _ track: Int?
  ) -> DurationFact? {
    guard let ticks, ticks >= 0, timescale > 0,
      let length = try? TickGrid(ticksPerSecond: timescale).duration(ofTicks: ticks)
    else { return nil }
    return DurationFact(length: length, source: source, trackID: track)
  }
}
