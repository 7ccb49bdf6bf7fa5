/// Another clock that wakes every sleeper at a deadline at the latest: for `--stop-after`.
struct DeadlineClock<Base: Clock>: Clock where Base.Duration == Duration {
  let base: Base
  let start: Base.Instant
  /// `nil` for never.
  let deadline: Base.Instant?

  /// - Parameter time: from now on.
  init(_ base: Base, stoppingAfter time: Duration?) {
    self.base = base
    let start = base.now
    self.start = start
    deadline = time.map { start.advanced(by: $0) }
  }

  var now: Base.Instant { base.now }
  var minimumResolution: Duration { base.minimumResolution }

  /// Since the clock was made.
  var elapsed: Duration { start.duration(to: now) }
  var isOver: Bool { deadline.map { now >= $0 } ?? false }

  func sleep(until instant: Base.Instant, tolerance: Duration?) async throws {
    try await base.sleep(
      until: deadline.map { min($0, instant) } ?? instant, tolerance: tolerance)
  }
}
