import Dispatch
import Libav
package import MediaFiles
import Synchronization

/// Work on a separate thread that is abandoned when it does not return.
///
/// FFmpeg checks for cancellation between its steps, but not within one, and some steps take time
/// quadratic in the file's content (a hundred thousand different tags). No limit on a file's
/// content covers them all; a limit on the processor time of a step does. Wall-clock time would
/// reject an intact file on a busy machine; it limits only how long a step may make no progress.
///
/// ```
/// caller   start ·········· progress? yes ········ tick · tick · tick  "too long"
/// worker        ──read──read──report·──read──one endless step ───────────────── …
/// ```
package final class WatchedWork<Value: Sendable>: Sendable {
  private struct State {
    var result: Result<Value, MediaError>?
    /// A step that waits for the caller's answer.
    var step: ProbeProgress?
    var goesOn = true
    /// Incremented whenever the work reports that it is alive.
    var beats = 0
    /// The processor clock of its thread.
    var thread: WorkThread.Clock?
  }

  private let state = Mutex(State())
  private let news = DispatchSemaphore(value: 0)
  private let answer = DispatchSemaphore(value: 0)

  /// How often the caller checks the work.
  private static var tick: Duration { .milliseconds(50) }

  /// How long work that was told to end may take to do so.
  private static var patience: Duration { .seconds(1) }

  /// Does work and waits for it.
  ///
  /// - Parameters:
  ///   - deadline: when it must have finished.
  ///   - stepLimit: how much processor time it may use without a beat.
  ///   - standstill: how long it may neither compute nor beat, counted in ticks of this thread, so
  ///     that a stopped process or a sleeping machine does not count.
  ///   - isCancelled: called on the calling thread.
  ///   - progress: receives what the work reports, on the calling thread; false ends the work.
  /// - Throws: what the work throws; `timedOut`, `cancelled` or `limitExceeded` where it was
  ///   abandoned.
  package static func run(
    deadline: ContinuousClock.Instant, stepLimit: Duration,
    standstill: Duration = Limits.standard.standstill, isCancelled: () -> Bool,
    progress: (ProbeProgress) -> Bool,
    _ body: @escaping @Sendable (WatchedWork) throws(MediaError) -> Value
  ) throws(MediaError) -> Value {
    let work = WatchedWork()
    let isStarted = WorkThread.run {
      work.state.withLock { $0.thread = WorkThread.Clock() }
      let result = Result { () throws(MediaError) in try body(work) }
      work.state.withLock { $0.result = result }
      work.news.signal()
    }
    guard isStarted else {
      throw MediaError(.outOfMemory, "the system cannot start a thread")
    }
    return try work.wait(deadline, stepLimit, standstill, isCancelled, progress)
  }

  /// Called by the work often; true when it must end.
  package func shouldStop() -> Bool {
    state.withLock { state in
      state.beats &+= 1
      return !state.goesOn
    }
  }

  /// Called by the work now and then; waits for the caller's answer, which is false when the work
  /// must end.
  package func report(_ step: ProbeProgress) -> Bool {
    let asks = state.withLock { state in
      state.beats &+= 1
      if state.goesOn { state.step = step }
      return state.goesOn
    }
    guard asks else { return false }
    news.signal()
    answer.wait()
    return state.withLock { $0.goesOn }
  }

  private func stop() {
    let waits = state.withLock { state in
      state.goesOn = false
      defer { state.step = nil }
      return state.step != nil
    }
    if waits { answer.signal() }
  }

  private func wait(
    _ deadline: ContinuousClock.Instant, _ stepLimit: Duration, _ standstill: Duration,
    _ isCancelled: () -> Bool, _ progress: (ProbeProgress) -> Bool
  ) throws(MediaError) -> Value {
    var beats = -1
    var silence = StepClock(used: .zero)
    var overtime = Duration.zero
    var wasCancelled = false
    while true {
      let hasNews = news.wait(timeout: .now() + .milliseconds(50)) == .success
      let (result, step, newBeats, thread) = state.withLock {
        ($0.result, $0.step, $0.beats, $0.thread)
      }
      if let result { return try result.get() }
      if let step {
        let goesOn = progress(step)
        state.withLock { state in
          state.step = nil
          if !goesOn { state.goesOn = false }
        }
        if !goesOn { wasCancelled = true }
        answer.signal()
      }
      if !wasCancelled, isCancelled() {
        wasCancelled = true
        stop()
      }
      if hasNews { continue }
      if newBeats == beats {
        silence.passed(Self.tick)
      } else {
        silence.heard(used: thread?.time ?? .zero)
      }
      beats = newBeats
      if wasCancelled || ContinuousClock.now > deadline { overtime += Self.tick }
      if overtime > Self.patience {
        stop()
        if wasCancelled { throw MediaError.cancelled }
        throw MediaError.tookTooLong
      }
      if let refusal = silence.refusal(
        used: thread?.time ?? .zero, step: stepLimit, standstill: standstill)
      {
        stop()
        throw refusal
      }
    }
  }
}
