public import ExactTime

/// Plays a presenter's range in a loop on a clock.
///
/// It reports the position to the presenter, follows changes to the range or the playhead, and ends
/// when playback is paused.
@MainActor public final class PlaybackDriver<C: Clock> where C.Duration == Duration {
  private let presenter: TrimmingPresenter
  private let clock: C
  private let tick: Duration
  /// Seconds of media per second of the clock; positive.
  public let speed: Rational

  /// - Parameter tick: the time between two reports; the end of a pass is reported when it occurs.
  /// - Throws: ``ExactTimeError/notPositive`` for a speed or a tick of zero or less.
  public init(
    presenter: TrimmingPresenter, clock: C, tick: Duration, speed: Rational = .one
  ) throws(ExactTimeError) {
    guard speed.isPositive, tick > .zero else { throw .notPositive }
    self.presenter = presenter
    self.clock = clock
    self.tick = tick
    self.speed = speed
  }

  /// Runs until playback is paused, the task is cancelled, or `onStep` returns false.
  ///
  /// - Parameter onStep: called after each report, once the presenter has processed it.
  /// - Throws: ``ExactTimeError`` for an empty range, which cannot be played.
  public func run(_ onStep: (LoopStep) -> Bool = { _ in true }) async throws {
    var loop = try makeLoop(at: clock.now)
    var reported = presenter.playbackTime
    var look = clock.now
    while presenter.isPlaying {
      do { try await clock.sleep(until: loop.nextLook(every: tick), tolerance: nil) } catch {
        return
      }
      guard presenter.isPlaying else { return }
      let now = clock.now
      if presenter.playbackTime != reported {
        // The playhead was moved: start over from there.
        loop = try makeLoop(at: now)
      } else if presenter.timeRange != loop.range {
        // Playback continues from the last clock reading, with the new endpoints.
        loop = try makeLoop(at: look)
      }
      let step = loop.advance(to: now)
      presenter.playbackDidAdvance(step)
      reported = presenter.playbackTime
      look = now
      guard onStep(step) else { return }
    }
  }

  private func makeLoop(at instant: C.Instant) throws(ExactTimeError) -> PlaybackLoop<C.Instant> {
    try PlaybackLoop(
      range: presenter.timeRange, position: presenter.playbackTime, at: instant, speed: speed)
  }
}
