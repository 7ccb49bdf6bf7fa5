internal import CSystem

/// The time that a job has run: time while the shell has it stopped does not count.
///
/// It only pauses while a ``TerminalMode`` exists, which is notified of the stop.
package struct JobClock: Clock {
  package struct Instant: InstantProtocol {
    /// The time since an arbitrary moment.
    let time: Duration

    package func advanced(by duration: Duration) -> Instant { Instant(time: time + duration) }
    package func duration(to other: Instant) -> Duration { other.time - time }
    package static func < (a: Instant, b: Instant) -> Bool { a.time < b.time }
  }

  package init() {}

  package var now: Instant { Instant(time: .nanoseconds(trim_job_nanoseconds())) }
  package var minimumResolution: Duration { .nanoseconds(1) }

  package func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    // After a stop, the remaining time is the same as before it.
    while case let rest = now.duration(to: deadline), rest > .zero {
      try await Task.sleep(for: rest, tolerance: tolerance, clock: .continuous)
    }
    try Task.checkCancellation()
  }
}
