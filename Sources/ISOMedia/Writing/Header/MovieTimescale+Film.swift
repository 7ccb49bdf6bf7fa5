import ExactTime

extension ISOFilmLayout {
  /// The ticks a second for a file's edits and lengths.
  ///
  /// The timescale of a track where that states every length exactly: of one that begins with an
  /// empty edit, else of a track of pictures. Some readers (Firefox among them) take the length of
  /// an empty edit for ticks of the media.
  ///
  /// Otherwise one that is exact where 31 bits suffice, and finer than the ticks of any track:
  /// readers take an end within a tick of the file of the media's end for that end.
  package static func movieTimescale(for film: ISOOutputFilm) -> UInt32 {
    let lengths = film.tracks.flatMap { $0.edits.map(\.length.seconds) }
    let late = film.tracks.filter { $0.edits.first?.mediaTime == nil && !$0.edits.isEmpty }
    let candidates = (late + film.tracks.filter { $0.boxes.handler == "vide" })
      .map(\.boxes.timescale)
    let exact = candidates.first { timescale in
      timescale >= 600 && timescale <= UInt32(Int32.max)
        && lengths.allSatisfy { Int64(timescale).isMultiple(of: $0.denominator) }
        && film.tracks.allSatisfy { $0.tellsEnds(apartAt: timescale) }
    }
    if let exact { return exact }
    let least = Int64(max(1, movieTimescale(for: lengths).timescale))
    let finest = film.tracks.map { Int64($0.boxes.timescale) }.max() ?? 1
    let factor = (max(90_000, 2 * finest) + least - 1) / least
    return UInt32(clamping: least * max(1, min(factor, Int64(Int32.max) / least)))
  }
}

extension ISOOutputTrack {
  /// Whether the end of each edit is that of the media, or more than a tick of the file before it.
  fileprivate func tellsEnds(apartAt timescale: UInt32) -> Bool {
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

  /// The tick at which the sample ends that is shown last.
  private var mediaEnd: Int64 { samples.presentationEnd }
}
