import CSystem
import Testing

/// A stop is heard twice, of SIGTSTP and of SIGCONT, and on two threads where there are two.
@Suite(.timeLimit(.minutes(1)))
struct `Given a clock of a job` {
  private var clock = trim_job_clock()

  private var machine: Int64 {
    // A clock that was never stopped shows the machine's.
    var other = trim_job_clock()
    return trim_job_clock_nanoseconds(&other)
  }

  @Test mutating func `while it stands, no time passes`() {
    let before = trim_job_clock_nanoseconds(&clock)
    trim_job_clock_stop(&clock)
    let first = trim_job_clock_nanoseconds(&clock)
    #expect(first >= before)
    pass(1_000_000)
    #expect(trim_job_clock_nanoseconds(&clock) == first)
  }

  @Test mutating func `a second stop does not lose what passed since the first`() {
    trim_job_clock_stop(&clock)
    let shown = trim_job_clock_nanoseconds(&clock)
    pass(1_000_000)
    trim_job_clock_stop(&clock)
    #expect(trim_job_clock_nanoseconds(&clock) == shown)
    trim_job_clock_start(&clock)
    #expect(clock.state >= 1_000_000)
  }

  @Test mutating func `a second start changes nothing`() {
    trim_job_clock_stop(&clock)
    pass(1_000_000)
    trim_job_clock_start(&clock)
    let leftOut = clock.state
    #expect(leftOut >= 1_000_000)
    trim_job_clock_start(&clock)
    #expect(clock.state == leftOut)
  }

  @Test mutating func `every stop is left out`() {
    for _ in 1...3 {
      trim_job_clock_stop(&clock)
      pass(1_000_000)
      trim_job_clock_start(&clock)
    }
    #expect(clock.state >= 3_000_000)
  }

  private func pass(_ nanoseconds: Int64) {
    let end = machine + nanoseconds
    while machine < end {}
  }
}
