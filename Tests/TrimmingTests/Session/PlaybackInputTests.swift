import ExactTime
import Testing
import Trimming

@Suite struct `Given playback of 1 to 60 seconds` {
  @Suite struct `When a time inside the range is reported` {
    @Test func `then the playhead follows and nothing else happens`() {
      var session = Clip.session()
      #expect(session.after(.playbackTimeDidChange(currentTime: at(599, 10))) == [])
      #expect(session.playbackTime == at(599, 10))
    }
  }

  @Suite struct `When the end is reported` {
    @Test func `then the playhead is at the start and one restart is reported`() {
      var session = Clip.session()
      session.after(.playbackTimeDidChange(currentTime: at(599, 10)))
      let effects = session.after(.playbackTimeDidChange(currentTime: at(60)))
      #expect(session.playbackTime == at(1))
      #expect(
        effects == [
          .deliver(.restartedVideo(Restart(position: at(1), passes: 1))),
          .log(
            LogEvent(
              .playbackRestarted,
              [.init("position", .time(at(1))), .init("passes", .count(1))])),
        ])
      #expect(session.passCount == 1)
    }

    @Test func `then one tick before it does not restart`() {
      var session = Clip.session()
      #expect(session.after(.playbackTimeDidChange(currentTime: at(5_399_999, 90_000))) == [])
      #expect(session.playbackTime == at(5_399_999, 90_000))
    }
  }

  @Suite struct `When a time past the end is reported` {
    @Test(arguments: [at(5_400_001, 90_000), at(61), at(10_000), at(.max)])
    func `then it is one restart, however far past`(_ time: MediaTime) {
      var session = Clip.session()
      session.after(.playbackTimeDidChange(currentTime: at(599, 10)))
      #expect(session.after(.playbackTimeDidChange(currentTime: time)).restarts.count == 1)
      #expect(session.playbackTime == at(1))
    }

    @Test func `then each report past the end is a separate restart`() {
      var session = Clip.session()
      let effects = session.after(
        .playbackTimeDidChange(currentTime: at(60)), .playbackTimeDidChange(currentTime: at(2)),
        .playbackTimeDidChange(currentTime: at(60)))
      #expect(effects.restarts.count == 2)
    }
  }

  @Suite struct `When the range ends where the video ends` {
    @Test func `then the video's end restarts it`() {
      var session = Clip.session(range(280, 300))
      session.after(.playbackTimeDidChange(currentTime: at(299)))
      #expect(session.after(.playbackTimeDidChange(currentTime: at(300))).restarts.count == 1)
      #expect(session.playbackTime == at(280))
    }
  }

  @Suite struct `When the clock jumps back` {
    @Test func `then a time before the range becomes its start, and the player is notified`() {
      var session = Clip.session()
      session.after(.playbackTimeDidChange(currentTime: at(30)))
      let effects = session.after(.playbackTimeDidChange(currentTime: at(-100)))
      #expect(session.playbackTime == at(1))
      #expect(effects == [.deliver(.seek(to: at(1)))])
    }

    @Test func `then an earlier time inside the range is simply followed`() {
      var session = Clip.session()
      session.after(.playbackTimeDidChange(currentTime: at(30)))
      #expect(session.after(.playbackTimeDidChange(currentTime: at(3))) == [])
      #expect(session.playbackTime == at(3))
    }
  }

  @Suite struct `When it is paused at the end of the range` {
    @Test func `then a late report of the end restarts nothing`() {
      var session = Clip.session()
      session.after(.playbackTimeDidChange(currentTime: at(599, 10)), .pauseDidTap)
      #expect(session.after(.playbackTimeDidChange(currentTime: at(60))) == [])
      #expect(session.playbackTime == at(60))
      #expect(session.passCount == 0)
    }

    @Test func `then a late pass restarts nothing either`() {
      var session = Clip.session()
      session.after(.pauseDidTap)
      #expect(session.after(.playbackPassesDidEnd(count: 1)) == [])
    }

    @Test func `then resuming goes to the start without a restart`() {
      var session = Clip.session()
      session.after(.pauseDidTap, .playbackTimeDidChange(currentTime: at(60)))
      let effects = session.after(.playDidTap)
      #expect(session.playbackTime == at(1))
      #expect(effects.reported == [.playingDidChange(isPlaying: true), .seek(to: at(1))])
    }
  }

  @Suite struct `When it is paused` {
    @Test func `then the playhead roams the whole video`() {
      var session = Clip.session(isPlaying: false)
      let effects = session.after(.playheadDidMove(to: at(250)))
      #expect(session.playbackTime == at(250))
      #expect(effects.reported == [.seek(to: at(250))])
      session.after(.playheadDidMove(to: at(999)))
      #expect(session.playbackTime == at(300))
      session.after(.playheadDidMove(to: at(-1)))
      #expect(session.playbackTime == at(0))
    }

    @Test func `then resuming inside the range stays there`() {
      var session = Clip.session(isPlaying: false)
      session.after(.playheadDidMove(to: at(30)))
      #expect(session.after(.playDidTap).reported == [.playingDidChange(isPlaying: true)])
      #expect(session.playbackTime == at(30))
    }

    @Test func `then pausing again does nothing`() {
      var session = Clip.session()
      #expect(session.after(.pauseDidTap).logged.map(\.name) == [.playbackPaused])
      #expect(session.after(.pauseDidTap) == [])
    }
  }

  @Suite struct `When the playhead is moved while playing` {
    @Test func `then it goes there if inside the range, and otherwise to its start`() {
      var session = Clip.session()
      session.after(.playheadDidMove(to: at(44)))
      #expect(session.playbackTime == at(44))
      session.after(.playheadDidMove(to: at(60)))
      #expect(session.playbackTime == at(1))
    }

    @Test func `then moving it to where it is does nothing`() {
      var session = Clip.session()
      #expect(session.after(.playheadDidMove(to: at(1))) == [])
    }
  }

  @Suite struct `When a late tick spans several passes` {
    @Test func `then it is one restart that counts them`() {
      var session = Clip.session()
      let effects = session.after(.playbackPassesDidEnd(count: 3))
      #expect(effects.restarts == [Restart(position: at(1), passes: 3)])
      #expect(session.passCount == 3)
    }

    @Test(arguments: [0, -1, .min]) func `then zero or negative counts are ignored`(_ count: Int) {
      var session = Clip.session()
      #expect(session.after(.playbackPassesDidEnd(count: count)) == [])
    }

    @Test func `then the count saturates at its maximum`() {
      var session = Clip.session()
      session.after(.playbackPassesDidEnd(count: .max), .playbackPassesDidEnd(count: .max))
      #expect(session.passCount == .max)
    }
  }

  @Suite struct `When it wraps a thousand times` {
    @Test func `then a thousand restarts are reported, each at exactly the start`() {
      var session = Clip.session(range(at(1_001, 30_000), at(2_002, 30_000)))
      var restarts = 0
      for _ in 1...1_000 {
        session.after(.playbackTimeDidChange(currentTime: at(1_502, 30_000)))
        restarts +=
          session.after(.playbackTimeDidChange(currentTime: at(2_002, 30_000)))
          .restarts.count
        #expect(session.playbackTime == at(1_001, 30_000))
      }
      #expect(restarts == 1_000)
      #expect(session.passCount == 1_000)
    }
  }
}
