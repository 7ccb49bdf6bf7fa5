import ExactTime
import Libav
import MediaFacts

/// The error in a track's times from FFmpeg's rounding of the codec delay.
enum CodecDelay {
  /// Matroska stores block times in whole milliseconds, and FFmpeg also subtracts the codec delay
  /// in milliseconds; the delay itself is exact (RFC 9559, 5.1.4.1.25 CodecDelay).
  ///
  /// - Parameter format: our name, as in ``ContainerNames``.
  static func correction(
    of track: LibavTrack, _ grid: TickGrid, format: String
  ) -> MediaDuration {
    guard SourceRules(format).isMatroska, track.initialPadding > 0,
      let rate = track.sampleRate, rate > 0,
      let exact = try? TickGrid(ticksPerSecond: Int64(rate)).duration(
        ofTicks: Int64(track.initialPadding)),
      // FFmpeg rounds halves away from zero (av_rescale_q).
      let half = try? MediaDuration(seconds: grid.secondsPerTick.divided(by: Rational(2))),
      let ticks = try? grid.ticks(of: exact.adding(half), rounding: .down),
      let rounded = try? grid.duration(ofTicks: ticks),
      let correction = try? rounded.subtracting(exact)
    else { return .zero }
    return correction
  }
}
