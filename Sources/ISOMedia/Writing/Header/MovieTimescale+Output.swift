import ExactTime

extension ISOFileLayout {
  /// The ticks per second for a file's edits and durations.
  ///
  /// A track's timescale if it expresses every duration exactly: preferably that of a track that
  /// begins with an empty edit, otherwise that of a video track. Some readers (including Firefox)
  /// read the duration of an empty edit in media ticks.
  ///
  /// Otherwise a timescale that is exact if 31 bits suffice, and finer than the ticks of any track:
  /// readers treat an edit that ends within a movie tick of the media's end as ending there.
  package static func movieTimescale(for output: ISOOutputFile) -> UInt32 {
    let lengths = output.tracks.flatMap { $0.edits.map(\.length.seconds) }
    let late = output.tracks.filter { $0.edits.first?.mediaTime == nil && !$0.edits.isEmpty }
    let candidates = (late + output.tracks.filter { $0.boxes.handler == "vide" })
      .map(\.boxes.timescale)
    let exact = candidates.first { timescale in
      timescale >= 600 && timescale <= UInt32(Int32.max)
        && lengths.allSatisfy { Int64(timescale).isMultiple(of: $0.denominator) }
        && output.tracks.allSatisfy { $0.separatesEnds(apartAt: timescale) }
    }
    if let exact { return exact }
    let least = Int64(max(1, movieTimescale(for: lengths).timescale))
    let finest = output.tracks.map { Int64($0.boxes.timescale) }.max() ?? 1
    let factor = (max(90_000, 2 * finest) + least - 1) / least
    return UInt32(clamping: least * max(1, min(factor, Int64(Int32.max) / least)))
  }
}

extension ISOOutputTrack {
  /// Whether each edit ends at the end of the media, or more than a movie tick before it.
  fileprivate func separatesEnds(apartAt timescale: UInt32) -> Bool {
    guard boxes.timescale > 0 else { return false }
    let grid = TickGrid(ticksPerSecond: Int64(boxes.timescale))
    let tick = Rational(1, Int64(timescale))
    return edits.allSatisfy { edit in
      guard let start = edit.mediaTime else { return true }
      guard let media = try? grid.duration(ofTicks: mediaEnd &- start).seconds,
        let hidden = try? media.subtracting(edit.length.seconds)
      else { return false }
      return !hidden.isPositive || tick < hidden
    }
  }

  /// The tick at which the last sample in presentation order ends.
  private var mediaEnd: Int64 { samples.presentationEnd }
}
