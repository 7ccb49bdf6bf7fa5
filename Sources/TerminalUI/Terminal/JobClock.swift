internal import CSystem

/// The time that a job has run: what passes while the shell has it stopped does not count.
///
/// It stands still only while a ``TerminalMode`` exists, which hears of the stop.
public struct JobClock: Clock {
  public struct Instant: InstantProtocol {
    /// Since some moment of the machine.
    let time: Duration

    public func advanced(by duration: Duration) -> Instant { Instant(time: time + duration) }
    public func duration(to other: Instant) -> Duration { other.time - time }
    public static func < (a: Instant, b: Instant) -> Bool { a.time < b.time }
  }

  public init() {}

  public var now: Instant { Instant(time: .nanoseconds(trim_job_nanoseconds())) }
  public var minimumResolution: Duration { .nanoseconds(1) }

  public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    // After a stop as much is left as was before it.
    while case let rest = now.duration(to: deadline), rest > .zero {
      try await Task.sleep(for: rest, tolerance: tolerance, clock: .continuous)
    }
    try Task.checkCancellation()
  }
}
