import ExactTime
import Testing
import Trimming

@Suite struct `Given a screen that appears` {
  @Suite struct `When it is the first visit` {
    @Test func `then the flag is claimed, and the tutorial changes from hidden to shown`() {
      var session = Clip.session()
      #expect(
        session.after(.viewDidAppear) == [
          .log(LogEvent(.screenAppeared, [.init("location", .text("holiday.mp4"))])),
          .claimFirstVisit,
        ])
      #expect(
        session.after(.firstVisitDidResolve(.first)) == [
          .deliver(.tutorialVisibilityDidChange(isVisible: false)),
          .deliver(.tutorialVisibilityDidChange(isVisible: true)),
          .log(LogEvent(.tutorialShown, [.init("asked", .flag(false))])),
        ])
      #expect(session.isTutorialVisible)
    }

    @Test func `then closing hides it, once`() {
      var session = Clip.session()
      session.after(.firstVisitDidResolve(.first))
      #expect(
        session.after(.tutorialDidClose) == [
          .deliver(.tutorialVisibilityDidChange(isVisible: false)),
          .log(LogEvent(.tutorialClosed)),
        ])
      #expect(session.after(.tutorialDidClose) == [])
      #expect(!session.isTutorialVisible)
    }
  }

  @Suite struct `When it is not the first visit` {
    @Test func `then nothing is shown`() {
      var session = Clip.session()
      #expect(session.after(.firstVisitDidResolve(.visitedBefore)) == [])
      #expect(!session.isTutorialVisible)
    }

    @Test func `then the tutorial can still be opened`() {
      var session = Clip.session()
      #expect(
        session.after(.tutorialDidTap) == [
          .deliver(.tutorialVisibilityDidChange(isVisible: true)),
          .log(LogEvent(.tutorialShown, [.init("asked", .flag(true))])),
        ])
      #expect(session.after(.tutorialDidTap) == [])
    }
  }

  @Suite struct `When the flag cannot be stored` {
    @Test func `then the tutorial is shown, with the reason as a note`() {
      var session = Clip.session()
      let effects = session.after(.firstVisitDidResolve(.unavailable(reason: "read-only")))
      #expect(
        effects.reported == [
          .diagnostic("read-only"), .tutorialVisibilityDidChange(isVisible: false),
          .tutorialVisibilityDidChange(isVisible: true),
        ])
      #expect(effects.logged.map(\.name) == [.firstVisitUnknown, .tutorialShown])
    }

    @Test func `then the same screen does not show it twice`() {
      var session = Clip.session()
      session.after(.firstVisitDidResolve(.unavailable(reason: "x")), .tutorialDidClose)
      let effects = session.after(.firstVisitDidResolve(.unavailable(reason: "x")))
      #expect(effects.reported == [.diagnostic("x")])
    }
  }

  @Suite struct `When the video has failed` {
    @Test func `then the flag is left alone`() {
      var session = Clip.session()
      session.after(.videoDidFail(VideoFailure("gone")))
      #expect(session.after(.viewDidAppear).logged.map(\.name) == [.screenAppeared])
      #expect(!session.after(.viewDidAppear).contains(.claimFirstVisit))
    }
  }
}

@Suite struct `Given a video that loads` {
  @Suite struct `When it has not loaded yet` {
    @Test func `then the screen has its name, and nothing can be exported`() throws {
      let session = TrimmingSession(video: Clip.video())
      guard case .loading(let screen) = session.screen else {
        Issue.record("the screen is \(session.screen)")
        return
      }
      #expect(screen.location == "holiday.mp4")
      #expect(!screen.isTutorialVisible)
      #expect(!session.isExportEnabled)
    }
  }

  @Suite struct `When it has loaded` {
    @Test func `then the screen is ready, with all that it shows`() throws {
      var session = TrimmingSession(video: Clip.video(range(at(1), at(62))))
      let effects = session.after(.videoDidLoad(Clip.timings))
      #expect(
        effects == [
          .deliver(.phaseDidChange(.ready)),
          .log(
            LogEvent(
              .videoLoaded, [.init("from", .time(at(0))), .init("to", .time(at(300)))])),
        ])
      session.after(.playbackTimeDidChange(currentTime: at(2)))
      guard case .ready(let screen) = session.screen else {
        Issue.record("the screen is \(session.screen)")
        return
      }
      #expect(screen.location == "holiday.mp4")
      #expect(screen.bounds == range(0, 300))
      #expect(screen.timeRange == range(1, 62))
      #expect(screen.verdict == .tooLong(by: MediaDuration(1, 2)))
      #expect(screen.playbackTime == at(2))
      #expect(screen.frame == 50)
      #expect(screen.isPlaying)
      #expect(!screen.isExportEnabled)
    }

    @Test func `then a range beyond its actual length is clamped, and judged again`() {
      var session = TrimmingSession(video: Clip.video(range(0, 62)))
      #expect(!session.isVideoLengthValid)
      let effects = session.after(.videoDidLoad(VideoTimings(bounds: range(0, 60))))
      #expect(session.timeRange == range(0, 60))
      #expect(session.isVideoLengthValid)
      #expect(
        effects.reported == [
          .phaseDidChange(.ready), .timeRangeDidChange(range(0, 60)),
          .validityDidChange(.valid),
        ])
      #expect(!session.canUndo)
    }

    @Test func `then a range outside it becomes the whole video, and the playhead follows`() {
      var session = TrimmingSession(video: Clip.video(range(100, 110)))
      session.after(.videoDidLoad(VideoTimings(bounds: range(2, 9))))
      #expect(session.timeRange == range(2, 9))
      #expect(session.playbackTime == at(2))
    }

    @Test(arguments: [range(0, 0), range(at(1, .max), at(.max - 2, .max - 1))])
    func `then a video without a usable length has failed`(_ bounds: MediaTimeRange) {
      var session = TrimmingSession(video: Clip.video())
      session.after(.videoDidLoad(VideoTimings(bounds: bounds)))
      guard case .failed = session.phase else {
        Issue.record("the phase is \(session.phase)")
        return
      }
    }
  }

  @Suite struct `When it fails` {
    private let failure = VideoFailure("no such file", hint: "look elsewhere")

    @Test func `then the screen says why and what to do`() {
      var session = TrimmingSession(video: Clip.video())
      let effects = session.after(.videoDidFail(failure))
      #expect(
        effects == [
          .deliver(.phaseDidChange(.failed(failure))),
          .log(LogEvent(.videoFailed, [.init("reason", .text("no such file"))])),
        ])
      guard case .failed(let screen) = session.screen else {
        Issue.record("the screen is \(session.screen)")
        return
      }
      #expect(screen.location == "holiday.mp4")
      #expect(screen.failure == failure)
      #expect(session.after(.videoDidFail(failure)) == [])
    }

    @Test func `then nothing on it can be edited, played or exported`() {
      var session = Clip.session()
      session.after(.videoDidFail(failure))
      let inputs: [SessionInput] = [
        .timeRangeDidChange(from: at(2), to: at(3)), .inPointDidSet, .outPointDidSet,
        .undoDidTap, .redoDidTap, .dragDidBegin, .dragDidEnd, .playDidTap, .pauseDidTap,
        .playbackTimeDidChange(currentTime: at(60)), .playbackPassesDidEnd(count: 1),
        .playheadDidMove(to: at(5)), .nudge(.inPoint, by: .frames(1)),
      ]
      for input in inputs { #expect(session.after(input) == [], "\(input)") }
      #expect(session.after(.exportDidTap).exports == [])
    }

    @Test func `then trying again loads it again`() {
      var session = TrimmingSession(video: Clip.video())
      session.after(.videoDidFail(failure))
      let effects = session.after(.retryDidTap)
      #expect(session.phase == .loading)
      #expect(
        effects == [
          .deliver(.phaseDidChange(.loading)), .log(LogEvent(.videoRetried)), .probe,
        ])
      #expect(session.after(.retryDidTap) == [])
    }
  }
}
