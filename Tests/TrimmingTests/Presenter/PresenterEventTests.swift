import ExactTime
import Observation
import Support
import Testing
import Trimming

@MainActor @Suite(.timeLimit(.minutes(1))) struct `Given the presenter of a range of 1 to 60 s` {
  @MainActor @Suite struct `When playback is reported at 60 s` {
    @Test func `then the playhead is already at 1 s when the restart is delivered, once`() {
      var seen: [MediaTime] = []
      var presenter: TrimmingPresenter?
      let stage = Stage(
        trace: { event in
          if case .restartedVideo = event, let presenter { seen.append(presenter.playbackTime) }
        })
      presenter = stage.presenter
      stage.presenter.playbackTimeDidChange(currentTime: at(599, 10))
      stage.presenter.playbackTimeDidChange(currentTime: at(60))
      #expect(seen == [at(1)])
      stage.expectLogged([.playbackRestarted])
    }

    @Test func `then every subscriber is notified, exactly once`() async {
      let stage = Stage()
      let readers = (0..<3).map { _ in stage.presenter.onRestartedVideo.subscribe() }
      stage.presenter.playbackTimeDidChange(currentTime: at(599, 10))
      stage.presenter.playbackTimeDidChange(currentTime: at(60))
      stage.presenter.onRestartedVideo.finish()
      for reader in readers {
        await confirmation { restarted in
          for await restart in reader {
            #expect(restart == Restart(position: at(1), passes: 1))
            #expect(stage.presenter.playbackTime == at(1))
            restarted()
          }
        }
      }
      stage.expectLogged([.playbackRestarted])
    }

    @Test func `then a later subscriber is not notified of it`() async {
      let stage = Stage()
      stage.presenter.playbackTimeDidChange(currentTime: at(60))
      let late = stage.presenter.onRestartedVideo.subscribe()
      stage.presenter.onRestartedVideo.finish()
      await confirmation(expectedCount: 0) { restarted in
        for await _ in late { restarted() }
      }
      stage.expectLogged([.playbackRestarted])
    }
  }

  @MainActor @Suite struct `When it wraps a thousand times` {
    @Test func `then three subscribers at full speed get a thousand restarts each`() async {
      let stage = Stage()
      let readers = (0..<3).map { _ in stage.presenter.onRestartedVideo.subscribe() }
      let counts = readers.map { reader in
        Task.detached {
          var count = 0
          for await _ in reader { count += 1 }
          return count
        }
      }
      for _ in 1...1_000 { stage.presenter.playbackTimeDidChange(currentTime: at(60)) }
      stage.presenter.onRestartedVideo.finish()
      for count in counts { #expect(await count.value == 1_000) }
      #expect(stage.presenter.passCount == 1_000)
      stage.expectLogged(Array(repeating: .playbackRestarted, count: 1_000))
    }
  }

  @MainActor @Suite struct `When a clock check is late by several passes` {
    @Test func `then one restart counts them, and the overshoot is carried over`() async {
      let stage = Stage()
      let reader = stage.presenter.events.subscribe()
      stage.presenter.playbackDidAdvance(LoopStep(passesEnded: 3, position: at(5)))
      #expect(stage.presenter.playbackTime == at(5))
      stage.presenter.events.finish()
      var restarts: [Restart] = []
      for await event in reader {
        if case .restartedVideo(let restart) = event { restarts.append(restart) }
      }
      #expect(restarts == [Restart(position: at(1), passes: 3)])
      stage.expectLogged([.playbackRestarted])
    }
  }

  @MainActor @Suite struct `When the user works` {
    @Test func `then the log has every step, in order, and nothing else`() {
      let stage = Stage()
      stage.presenter.viewDidAppear()
      stage.presenter.pauseDidTap()
      stage.presenter.playheadDidMove(to: at(20))
      stage.presenter.inPointDidSet()
      stage.presenter.snapDidChange(to: .keyframe)
      stage.presenter.playDidTap()
      stage.presenter.playbackTimeDidChange(currentTime: at(30))
      stage.presenter.playbackTimeDidChange(currentTime: at(60))
      stage.presenter.tutorialDidTap()
      stage.presenter.tutorialDidClose()
      stage.log.expect(
        LogEvent(.screenAppeared, [.init("location", .text("holiday.mp4"))]),
        LogEvent(.playbackPaused, [.init("position", .time(at(1)))]),
        LogEvent(.playheadMoved, [.init("position", .time(at(20)))]),
        LogEvent(
          .rangeChanged,
          [
            .init("from", .time(at(20))), .init("to", .time(at(60))),
            .init("length", .length(MediaDuration(40))), .init("is_valid", .flag(true)),
            .init("cause", .text("in_point")),
          ]),
        LogEvent(.snapChanged, [.init("snap", .text("keyframe"))]),
        LogEvent(.playbackStarted, [.init("position", .time(at(20)))]),
        LogEvent(
          .playbackRestarted, [.init("position", .time(at(20))), .init("passes", .count(1))]),
        LogEvent(.tutorialShown, [.init("asked", .flag(true))]),
        LogEvent(.tutorialClosed))
    }

    @Test func `then events, log entries included, come in one order`() async {
      let stage = Stage()
      let reader = stage.presenter.events.subscribe()
      stage.presenter.pauseDidTap()
      stage.presenter.events.finish()
      var events: [SessionEvent] = []
      for await event in reader { events.append(event) }
      let entry = LogEvent(.playbackPaused, [.init("position", .time(at(1)))])
      #expect(events == [.playingDidChange(isPlaying: false), .logged(entry)])
      stage.log.expect(entry)
    }
  }

  @MainActor @Suite struct `When a port calls back in the middle of an input` {
    @Test func `then its input is handled after the current one`() {
      var order: [SessionEvent] = []
      var presenter: TrimmingPresenter?
      let stage = Stage(
        trace: { event in
          order.append(event)
          if case .restartedVideo = event { presenter?.pauseDidTap() }
        })
      presenter = stage.presenter
      order = []
      stage.presenter.playbackTimeDidChange(currentTime: at(60))
      let names = order.compactMap { if case .logged(let entry) = $0 { entry.name } else { nil } }
      #expect(names == [.playbackRestarted, .playbackPaused])
      #expect(!stage.presenter.isPlaying)
      stage.expectLogged([.playbackRestarted, .playbackPaused])
    }
  }

  @MainActor @Suite struct `When its state is observed` {
    @Test func `then a change is reported and an equal value is not`() async {
      let stage = Stage()
      await confirmation(expectedCount: 1) { changed in
        withObservationTracking {
          _ = stage.presenter.isVideoLengthValid
        } onChange: {
          changed()
        }
        stage.presenter.timeRangeDidChange(range: range(2, 60))
        stage.presenter.timeRangeDidChange(range: range(2, 200))
      }
      stage.expectLogged([.rangeChanged, .rangeChanged])
    }

    @Test func `then the whole screen is observed at once`() async {
      let stage = Stage()
      await confirmation(expectedCount: 1) { changed in
        withObservationTracking {
          _ = stage.presenter.screen
        } onChange: {
          changed()
        }
        stage.presenter.playbackTimeDidChange(currentTime: at(2))
      }
    }

    @Test func `then the presenter shows what the session holds`() {
      let stage = Stage(range(at(0), at(121, 2)))
      let presenter = stage.presenter
      #expect(!presenter.isVideoLengthValid)
      presenter.timeRangeDidChange(range: range(at(0), at(604, 10)))
      #expect(presenter.isVideoLengthValid)
      #expect(presenter.isExportEnabled)
      presenter.timeRangeDidChange(range: range(at(0), at(121, 2)))
      #expect(!presenter.isVideoLengthValid)
      #expect(!presenter.isExportEnabled)
      #expect(presenter.canUndo)
      presenter.undoDidTap()
      #expect(presenter.canRedo)
      #expect(presenter.timeRange == presenter.session.timeRange)
      stage.expectLogged([.rangeChanged, .rangeChanged, .rangeChanged])
    }
  }
}
