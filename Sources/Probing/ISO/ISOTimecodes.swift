package import ExactTime
package import ISOMedia

/// Start timecodes of QuickTime's timecode tracks.
package enum ISOTimecodes {
  /// The clock of a timecode track, or of the timecode track that a track refers to (QuickTime File
  /// Format, "Timecode Media"): it begins with the first label that is shown.
  package static func clock(of track: ISOTrack, in movie: ISOMovie) -> TimecodeClock? {
    if track.timecode != nil { return clock(track, movie) }
    for id in track.references["tmcd"] ?? [] {
      if let other = movie.tracks.first(where: { $0.id == id }), other.timecode != nil {
        return clock(other, movie)
      }
    }
    return nil
  }

  package static func label(_ timecode: ISOTimecode) -> String? { first(timecode)?.description }

  private static func first(_ timecode: ISOTimecode) -> Timecode? {
    guard let frame = timecode.startFrame, let rate = rate(of: timecode) else { return nil }
    return Timecode(frame: frame, rate: rate)
  }

  /// The clock of a timecode track: its first label is at media tick 0, wherever the edit list maps
  /// that.
  private static func clock(_ track: ISOTrack, _ movie: ISOMovie) -> TimecodeClock? {
    guard let timecode = track.timecode, let first = first(timecode) else { return nil }
    guard let timescale = track.timescale, timescale > 0 else {
      return TimecodeClock(first: first, start: .zero)
    }
    let edits = EditedTimeline(
      edits: track.edits.map {
        EditedTimeline.Edit(
          length: $0.segmentDuration, mediaStart: $0.isEmpty ? nil : $0.mediaTime, rate: $0.rate)
      },
      grid: TickGrid(ticksPerSecond: timescale),
      movie: movie.timescale.map { TickGrid(ticksPerSecond: $0) },
      mediaEnd: Int64(clamping: track.mediaDuration ?? 0), isFragmented: movie.isFragmented)
    let start = edits.extendedTime(of: 0) ?? .zero
    let whole = TimecodeClock(
      first: first, start: start, later: later(timecode, first, from: start, edits))
    guard let shown = edits.segments.first?.start else { return whole }
    return (try? whole.clipped(from: shown)) ?? whole
  }

  /// The samples whose label does not continue the count from the previous one.
  private static func later(
    _ timecode: ISOTimecode, _ first: Timecode, from start: MediaTime, _ edits: EditedTimeline
  ) -> [TimecodeClock.Stretch] {
    var result: [TimecodeClock.Stretch] = []
    var last = TimecodeClock.Stretch(first: first, start: start)
    for sample in timecode.later {
      let label = Timecode(frame: sample.frame, rate: first.rate)
      guard let start = edits.extendedTime(of: sample.tick), start > last.start,
        let count = try? start.distance(from: last.start).seconds
          .multiplied(by: first.rate.framesPerSecond).rounded(.nearest),
        label != last.first.advanced(byFrames: count)
      else { continue }
      last = TimecodeClock.Stretch(first: label, start: start)
      result.append(last)
    }
    return result
  }

  private static func rate(of timecode: ISOTimecode) -> TimecodeRate? {
    guard timecode.timescale > 0, timecode.frameDuration > 0,
      let stated = try? Rational(
        checked: Int128(timecode.timescale), over: Int128(timecode.frameDuration))
    else { return nil }
    if let rate = try? TimecodeRate(framesPerSecond: stated, isDropFrame: timecode.isDropFrame) {
      return rate
    }
    // Rates are also written rounded, such as 2997 over 100; the number of labels per second is
    // not.
    let labels = Rational(Int64(timecode.framesPerSecond))
    let exact = try? labels.multiplied(by: Rational(1000, 1001))
    return [exact, labels].compactMap { $0 }.lazy.compactMap {
      try? TimecodeRate(framesPerSecond: $0, isDropFrame: timecode.isDropFrame)
    }.first
  }
}
