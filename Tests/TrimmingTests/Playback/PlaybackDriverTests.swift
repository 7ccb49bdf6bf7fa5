import ExactTime
import Support
import Testing
import Trimming

@MainActor @Suite(.timeLimit(.minutes(1))) struct `Given a playback driver on a test clock` {
  /// A running driver, synchronized after each of its looks at the clock.
  @MainActor struct Run {
    let stage: Stage
    let clock: ManualClock
    let steps = Recorder<LoopStep>()
    let task: Task<Void, any Error>

    init(
      _ selected: MediaTimeRange = range(1, 60), tick: Duration = .seconds(10),
      speed: Rational = .one
    ) throws {
      let stage = Stage(selected)
      let clock = ManualClock()
      let driver = try PlaybackDriver(
        presenter: stage.presenter, clock: clock, tick: tick, speed: speed)
      let steps = steps
      (self.stage, self.clock) = (stage, clock)
      task = Task {
        try await driver.run { step in
          steps.record(step)
          return true
        }
      }
    }

    func advance(by duration: Duration) async {
      await clock.sleepers(atLeast: 1)
      clock.advance(by: duration)
      await clock.sleepers(atLeast: 1)
    }

    /// Waits for the run to end by itself; an abandoned test ends it.
    func finished() async throws {
      try await withTaskCancellationHandler {
        try await task.value
      } onCancel: {
        task.cancel()
      }
    }

    func end(logged names: [LogEvent.Name] = []) async {
      task.cancel()
      _ = await task.result
      stage.expectLogged(names)
    }
  }

  @Test func `then each tick is reported to the presenter`() async throws {
    let run = try Run()
    await run.advance(by: .seconds(10))
    #expect(run.stage.presenter.playbackTime == at(11))
    await run.advance(by: .seconds(10))
    #expect(run.stage.presenter.playbackTime == at(21))
    run.steps.expect(
      LoopStep(passesEnded: 0, position: at(11)), LoopStep(passesEnded: 0, position: at(21)))
    await run.end()
  }

  @Test func `then it checks the clock exactly at the end of a pass, between two ticks`()
    async throws
  {
    let run = try Run()
    for _ in 1...5 { await run.advance(by: .seconds(10)) }
    await run.advance(by: .seconds(9))
    #expect(run.stage.presenter.passCount == 1)
    #expect(run.stage.presenter.playbackTime == at(1))
    #expect(run.steps.take().last == LoopStep(passesEnded: 1, position: at(1)))
    await run.end(logged: [.playbackRestarted])
  }

  @Test func `then a late tick over several passes is one counted restart`() async throws {
    let run = try Run()
    let reader = run.stage.presenter.onRestartedVideo.subscribe()
    await run.advance(by: .seconds(59 * 2 + 4))
    #expect(run.stage.presenter.playbackTime == at(5))
    await run.end(logged: [.playbackRestarted])
    run.stage.presenter.onRestartedVideo.finish()
    var restarts: [Restart] = []
    for await restart in reader { restarts.append(restart) }
    #expect(restarts == [Restart(position: at(1), passes: 2)])
    run.steps.take()
  }

  @Test func `then a moved range is followed from the current position`() async throws {
    let run = try Run()
    await run.advance(by: .seconds(10))
    run.stage.presenter.timeRangeDidChange(range: range(5, 20))
    await run.advance(by: .seconds(10))
    #expect(run.stage.presenter.playbackTime == at(6))
    #expect(run.stage.presenter.passCount == 1)
    run.steps.take()
    await run.end(logged: [.rangeChanged, .playbackRestarted])
  }

  @Test func `then playback continues from a moved playhead`() async throws {
    let run = try Run()
    await run.advance(by: .seconds(10))
    run.stage.presenter.playheadDidMove(to: at(40))
    await run.advance(by: .seconds(10))
    #expect(run.stage.presenter.playbackTime == at(40))
    await run.advance(by: .seconds(10))
    #expect(run.stage.presenter.playbackTime == at(50))
    run.steps.take()
    await run.end(logged: [.playheadMoved])
  }

  @Test func `then it ends when playback is paused, and the playhead stays put`() async throws {
    let run = try Run()
    await run.advance(by: .seconds(10))
    run.stage.presenter.pauseDidTap()
    await run.clock.sleepers(atLeast: 1)
    run.clock.advance(by: .seconds(10))
    try await run.finished()
    #expect(run.stage.presenter.playbackTime == at(11))
    run.steps.take()
    run.stage.expectLogged([.playbackPaused])
  }

  @Test func `then it ends when it is cancelled`() async throws {
    let run = try Run()
    await run.clock.sleepers(atLeast: 1)
    run.task.cancel()
    try await run.finished()
    #expect(run.clock.sleeperCount == 0)
  }

  @Test func `then at twenty times the speed it gets twenty times as far`() async throws {
    let run = try Run(tick: .seconds(1), speed: Rational(20))
    await run.advance(by: .seconds(1))
    #expect(run.stage.presenter.playbackTime == at(21))
    run.steps.take()
    await run.end()
  }

  @Test func `then a speed or a tick of zero is refused`() {
    let stage = Stage()
    for (tick, speed) in [(Duration.zero, Rational.one), (.seconds(1), .zero)] {
      #expect(throws: ExactTimeError.notPositive) {
        try PlaybackDriver(
          presenter: stage.presenter, clock: ManualClock(), tick: tick, speed: speed)
      }
    }
  }
}

@MainActor @Suite(.timeLimit(.minutes(1))) struct `Given a virtual clock` {
  @Test func `then sleeping advances it to the deadline, and never moves it back`() async throws {
    let clock = VirtualClock()
    try await clock.sleep(for: .seconds(3_600))
    #expect(clock.now.offset == .seconds(3_600))
    try await clock.sleep(until: VirtualClock.Instant(offset: .seconds(1)))
    #expect(clock.now.offset == .seconds(3_600))
  }

  @Test func `then a cancelled sleeper does not move it`() async {
    let clock = VirtualClock()
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await clock.sleep(for: .seconds(1))
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(clock.now.offset == .zero)
  }

  @Test func `then three loops of 1 to 60 s are three restarts at 59, 118 and 177 s`() async throws
  {
    let stage = Stage()
    let clock = VirtualClock()
    let driver = try PlaybackDriver(
      presenter: stage.presenter, clock: clock, tick: .seconds(4))
    var restarts: [Duration] = []
    try await driver.run { step in
      if step.passesEnded > 0 {
        #expect(step == LoopStep(passesEnded: 1, position: at(1)))
        restarts.append(clock.now.offset)
      }
      return restarts.count < 3
    }
    #expect(restarts == [.seconds(59), .seconds(118), .seconds(177)])
    stage.expectLogged(Array(repeating: .playbackRestarted, count: 3))
  }
}
