import CSystem
import Testing

/// A stop is seen twice, at SIGTSTP and at SIGCONT, and on two threads if there are two.
@Suite(.timeLimit(.minutes(1)))
struct `Given a job clock` {
  private var clock = trim_job_clock()

  private var machine: Int64 {
    // A clock that was never stopped shows the machine's.
    var other = trim_job_clock()
    return trim_job_clock_nanoseconds(&other)
  }

  /// How far it lags behind the machine's clock, read before and after it.
  private mutating func leftOut() -> ClosedRange<Int64> {
    let before = machine
    let shown = trim_job_clock_nanoseconds(&clock)
    return before - shown...machine - shown
  }

  @Test mutating func `while it is stopped, no time passes`() {
    let before = trim_job_clock_nanoseconds(&clock)
    trim_job_clock_stop(&clock)
    let first = trim_job_clock_nanoseconds(&clock)
    #expect(first >= before)
    pass(1_000_000)
    #expect(trim_job_clock_nanoseconds(&clock) == first)
  }

  @Test mutating func `a second stop does not add the time since the first`() {
    trim_job_clock_stop(&clock)
    let shown = trim_job_clock_nanoseconds(&clock)
    pass(1_000_000)
    trim_job_clock_stop(&clock)
    #expect(trim_job_clock_nanoseconds(&clock) == shown)
  }

  @Test mutating func `it runs again when started as often as stopped`() {
    for _ in 1...2 { trim_job_clock_stop(&clock) }
    trim_job_clock_start(&clock)
    let shown = trim_job_clock_nanoseconds(&clock)
    pass(1_000_000)
    #expect(trim_job_clock_nanoseconds(&clock) == shown, "the other stop goes on")
    trim_job_clock_start(&clock)
    pass(1_000_000)
    #expect(trim_job_clock_nanoseconds(&clock) >= shown + 1_000_000)
    #expect(leftOut().upperBound >= 1_000_000)
  }

  @Test mutating func `an extra start changes nothing`() {
    trim_job_clock_stop(&clock)
    pass(1_000_000)
    trim_job_clock_start(&clock)
    let leftOut = leftOut()
    trim_job_clock_start(&clock)
    #expect(self.leftOut().overlaps(leftOut))
    trim_job_clock_stop(&clock)
    let shown = trim_job_clock_nanoseconds(&clock)
    pass(1_000_000)
    #expect(trim_job_clock_nanoseconds(&clock) == shown)
  }

  @Test mutating func `every stop is excluded`() {
    for _ in 1...3 {
      trim_job_clock_stop(&clock)
      pass(1_000_000)
      trim_job_clock_start(&clock)
    }
    #expect(leftOut().upperBound >= 3_000_000)
  }

  private func pass(_ nanoseconds: Int64) {
    let end = machine + nanoseconds
    while machine < end {}
  }
}
