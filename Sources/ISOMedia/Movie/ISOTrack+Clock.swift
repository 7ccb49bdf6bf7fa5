extension ISOTrack {
  /// Compares the timescale with what else the headers state, and uses the sample rate where that
  /// and the movie header agree against it.
  ///
  /// The media of sound usually counts in samples, whose number a wrong timescale does not change.
  mutating func settleTimescale(in movie: ISOMovie, _ log: inout ProblemLog) {
    guard let timescale, timing.totalDuration > 0, timing.sampleCount > 0 else { return }
    let rate = handler == "soun" ? firstEntry?.audio?.sampleRate.map { Int64($0) } : nil
    if let rate, rate > 0, rate != timescale, isContradicted(timescale, by: rate, movie) {
      log.note(
        .timescaleImpossible,
        "track \(id) states \(timescale) ticks per second, which contradicts its sample rate of "
          + "\(rate) Hz and the duration in the movie header; it is read at its sample rate")
      (statedTimescale, self.timescale) = (timescale, rate)
      return
    }
    guard isImpossible(timescale, rate: rate) else { return }
    log.note(
      .timescaleImpossible,
      "track \(id) states \(timescale) ticks per second, at which its \(timing.sampleCount) samples "
        + "of \(timing.totalDuration) ticks in all cannot last; it is not presented")
    timing.sampleCount = 0
  }

  /// Whether the stated duration of the track is that of its media at another timescale, and more
  /// than four times longer or shorter at the stated one.
  private func isContradicted(_ timescale: Int64, by rate: Int64, _ movie: ISOMovie) -> Bool {
    guard let ticks = headerDuration ?? movie.fragmentDuration ?? movie.duration,
      let second = movie.timescale
    else { return false }
    // Lengths as fractions: media over the timescale, the header's over that of the movie.
    let media = Int128(timing.totalDuration) * Int128(second)
    let (stated, isBeyond) = Int128(ticks).multipliedReportingOverflow(by: Int128(timescale))
    let (own, isOwnBeyond) = Int128(ticks).multipliedReportingOverflow(by: Int128(rate))
    guard !isBeyond, !isOwnBeyond, media < Int128.max / 64, stated < Int128.max / 64,
      media * 4 < stated || stated * 4 < media
    else { return false }
    let packets = Int128(timing.totalDuration / timing.sampleCount) * 2 * Int128(second)
    return (media - own).magnitude <= max(own / 50, packets).magnitude
  }

  /// Whether its samples are too short for any medium: packets shorter than a quarter of an audio
  /// sample, or pictures shorter than 10 microseconds.
  private func isImpossible(_ timescale: Int64, rate: Int64?) -> Bool {
    let most: Int64
    switch (isVideo, rate) {
    case (true, _): most = 100_000
    case (false, let rate?) where rate > 0: most = 4 * rate
    default: return false
    }
    return Int128(timing.totalDuration) * Int128(most)
      < Int128(timing.sampleCount) * Int128(timescale)
  }
}
