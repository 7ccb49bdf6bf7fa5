/// A wrapper around a clock that wakes every sleeper at a deadline at the latest: for
/// `--stop-after`.
struct DeadlineClock<Base: Clock>: Clock where Base.Duration == Duration {
  let base: Base
  let start: Base.Instant
  /// The deadline; `nil` for never.
  let deadline: Base.Instant?

  /// - Parameter time: counted from now.
  init(_ base: Base, stoppingAfter time: Duration?) {
    self.base = base
    let start = base.now
    self.start = start
    deadline = time.map { start.advanced(by: $0) }
  }

  var now: Base.Instant { base.now }
  var minimumResolution: Duration { base.minimumResolution }

  /// The time since the clock was created.
  var elapsed: Duration { start.duration(to: now) }
  var isOver: Bool { deadline.map { now >= $0 } ?? false }

  func sleep(until instant: Base.Instant, tolerance: Duration?) async throws {
    try await base.sleep(
      until: deadline.map { min($0, instant) } ?? instant, tolerance: tolerance)
  }
}
