import ExactTime
import Support
import Testing
import Trimming

private typealias Loop = PlaybackLoop<ManualClock.Instant>

private let zero = ManualClock().now

/// An instant of the clock after the given attoseconds, so that no test needs a Double.
private func clock(_ seconds: Int64, _ denominator: Int64 = 1) -> ManualClock.Instant {
  let attoseconds = Int128(seconds) * 1_000_000_000_000_000_000 / Int128(denominator)
  return zero.advanced(by: Duration(attoseconds: attoseconds))
}

@Suite struct `Given a loop over 1 to 60 seconds` {
  private static func loop(
    _ selected: MediaTimeRange = range(1, 60), from position: MediaTime = at(1),
    speed: Rational = .one
  ) throws -> PlaybackLoop<ManualClock.Instant> {
    try PlaybackLoop(range: selected, position: position, at: zero, speed: speed)
  }

  @Suite struct `When time passes` {
    @Test func `then the position is the clock's, exactly`() throws {
      var loop = try loop()
      #expect(loop.advance(to: clock(1, 3)).position < at(4, 3))
      #expect(loop.advance(to: clock(1, 2)) == LoopStep(passesEnded: 0, position: at(3, 2)))
      #expect(loop.advance(to: clock(58)) == LoopStep(passesEnded: 0, position: at(59)))
    }

    @Test func `then a nanosecond is a nanosecond`() throws {
      var loop = try loop()
      let step = loop.advance(to: clock(1, 1_000_000_000))
      #expect(step.position == at(1_000_000_001, 1_000_000_000))
    }

    @Test func `then at exactly the end it is back at the start`() throws {
      var loop = try loop()
      #expect(loop.advance(to: clock(59)) == LoopStep(passesEnded: 1, position: at(1)))
    }

    @Test func `then it starts at the playback position`() throws {
      var loop = try loop(from: at(50))
      #expect(loop.advance(to: clock(10)) == LoopStep(passesEnded: 1, position: at(1)))
    }

    @Test func `then a start outside the range becomes the range's start`() throws {
      var loop = try loop(from: at(60))
      #expect(loop.advance(to: clock(2)) == LoopStep(passesEnded: 0, position: at(3)))
    }
  }

  @Suite struct `When the clock is checked late` {
    @Test func `then the overshoot is carried over into the next pass`() throws {
      var loop = try loop()
      let step = loop.advance(to: clock(5_902, 100))
      #expect(step == LoopStep(passesEnded: 1, position: at(102, 100)))
    }

    @Test func `then several passes are counted, and the last overshoot is carried over`() throws {
      var loop = try loop()
      #expect(
        loop.advance(to: clock(59 * 3 + 7)) == LoopStep(passesEnded: 3, position: at(8)))
      #expect(loop.advance(to: clock(59 * 4)) == LoopStep(passesEnded: 1, position: at(1)))
    }
  }

  @Suite struct `When the clock jumps` {
    @Test func `then a jump back moves nothing, and playback continues from its position`() throws {
      var loop = try loop()
      _ = loop.advance(to: clock(30))
      #expect(loop.advance(to: clock(10)) == LoopStep(passesEnded: 0, position: at(31)))
      #expect(loop.advance(to: clock(12)) == LoopStep(passesEnded: 0, position: at(33)))
    }

    @Test func `then a jump forward by a day counts every pass`() throws {
      var loop = try loop()
      let step = loop.advance(to: clock(86_400))
      #expect(step == LoopStep(passesEnded: 1_464, position: at(25)))
    }
  }

  @Suite struct `When it plays at another speed` {
    @Test func `then twenty times the speed is exactly twenty times as far`() throws {
      var loop = try loop(speed: Rational(20))
      #expect(loop.advance(to: clock(1)) == LoopStep(passesEnded: 0, position: at(21)))
      #expect(loop.advance(to: clock(59, 20)) == LoopStep(passesEnded: 1, position: at(1)))
    }

    @Test func `then a fractional speed stays exact`() throws {
      var loop = try loop(speed: Rational(1_001, 1_000))
      #expect(loop.advance(to: clock(30)) == LoopStep(passesEnded: 0, position: at(31_030, 1_000)))
    }
  }

  @Suite(.timeLimit(.minutes(1))) struct `When it wraps a thousand times` {
    /// A range, and the ticks of a clock that does not divide it evenly.
    struct Case: CustomTestStringConvertible, Sendable {
      let testDescription: String
      let range: MediaTimeRange
      let tick: Duration
    }

    @Test(arguments: [
      Case(
        testDescription: "59 s by 5/3 s", range: range(1, 60), tick: .nanoseconds(1_666_666_667)),
      Case(
        testDescription: "one NTSC frame by 7 ms",
        range: range(at(1_001, 30_000), at(2_002, 30_000)), tick: .milliseconds(7)),
      Case(
        testDescription: "1/90000 s by 1 us", range: range(at(0), at(1, 90_000)),
        tick: .microseconds(1)),
      Case(testDescription: "1 s by 2.5 s", range: range(0, 1), tick: .milliseconds(2_500)),
    ])
    func `then there are a thousand passes and no drift`(_ wrap: Case) throws {
      var loop = try PlaybackLoop(range: wrap.range, position: wrap.range.start, at: zero)
      var now = zero
      var passes = 0
      var ticks: Int64 = 0
      while passes < 1_000 {
        now = now.advanced(by: wrap.tick)
        ticks += 1
        let step = loop.advance(to: now)
        passes += step.passesEnded
        // The elapsed clock time is the played time, to the last tick.
        let played = wrap.range.length.seconds * Rational(Int64(passes))
        let here = (step.position - wrap.range.start).seconds
        let elapsed =
          Rational(
            Int64(wrap.tick.attoseconds / 1_000_000_000), 1_000_000_000) * Rational(ticks)
        if played + here != elapsed || !wrap.range.contains(step.position) {
          Issue.record("drift after \(ticks) ticks: \(played + here) instead of \(elapsed)")
          return
        }
      }
    }

    @Test func `then checking at its own deadlines hits every start exactly`() throws {
      var loop = try loop()
      for pass in 1...1_000 {
        var step = LoopStep(passesEnded: 0, position: at(1))
        while step.passesEnded == 0 {
          step = loop.advance(to: loop.nextLook(every: .seconds(7)))
        }
        #expect(step == LoopStep(passesEnded: 1, position: at(1)), "pass \(pass)")
      }
    }
  }

  @Suite struct `When it determines when to check next` {
    @Test func `then it is the next tick counted from the anchor, not from now`() throws {
      var loop = try loop()
      _ = loop.advance(to: clock(105, 100))
      #expect(loop.nextLook(every: .milliseconds(100)) == clock(11, 10))
    }

    @Test func `then the end of a pass comes before the tick after it`() throws {
      var loop = try loop()
      _ = loop.advance(to: clock(5_895, 100))
      #expect(loop.nextLook(every: .seconds(1)) == clock(59))
    }

    @Test func `then it is always later than now`() throws {
      var loop = try loop(range(at(0), at(1, 90_000)))
      for _ in 1...100 {
        let next = loop.nextLook(every: .zero)
        _ = loop.advance(to: next)
        #expect(loop.nextLook(every: .zero) > next)
      }
    }
  }

  @Suite struct `When the range cannot be played` {
    @Test func `then an empty range is refused`() {
      #expect(throws: ExactTimeError.notPositive) { try loop(range(5, 5)) }
    }

    @Test(arguments: [Rational.zero, Rational(-1)])
    func `then so is a speed of zero or less`(_ speed: Rational) {
      #expect(throws: ExactTimeError.notPositive) { try loop(speed: speed) }
    }

    @Test func `then so is a length beyond 64 bits`() {
      #expect(throws: ExactTimeError.overflow) {
        try loop(range(at(1, .max), at(.max - 2, .max - 1)))
      }
    }
  }

  @Suite struct `When sums need more than 64 bits` {
    @Test func `then the clock is rounded down, and the position still moves`() throws {
      var loop = try loop(range(at(0), at(3_000_000_001, 300_000_007)), from: at(0))
      let step = loop.advance(to: clock(1_234_567_891, 1_000_000_000))
      #expect(step.position > at(123, 100))
      #expect(step.position <= at(1_234_567_891, 1_000_000_000))
    }

    @Test func `then the position stays where nothing fits`() throws {
      let odd = range(at(1, 4_611_686_018_427_387_847), at(2, 4_611_686_018_427_387_847))
      var loop = try loop(odd, speed: Rational(4_611_686_018_427_387_761))
      #expect(loop.advance(to: clock(1)) == LoopStep(passesEnded: 0, position: odd.start))
    }
  }
}
