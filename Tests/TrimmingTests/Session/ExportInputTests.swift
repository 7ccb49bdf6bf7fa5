import ExactTime
import Testing
import Trimming

@Suite struct `Given a valid range on a ready screen` {
  private static func exporting() -> TrimmingSession {
    var session = Clip.session(range(1, 60))
    session.after(.exportDidTap)
    return session
  }

  @Suite struct `When export is tapped` {
    @Test func `then the exact range is exported, with the limit for the cutter`() {
      var session = Clip.session(range(1, 60))
      #expect(session.isExportEnabled)
      let effects = session.after(.exportDidTap)
      #expect(
        effects == [
          .log(
            LogEvent(
              .exportStarted,
              [
                .init("from", .time(at(1))), .init("to", .time(at(60))),
                .init("length", .length(MediaDuration(59))),
              ])),
          .startExport(
            ExportRequest(
              id: 1, location: "holiday.mp4", range: range(1, 60), limit: .standard)),
        ])
      #expect(session.exportState == .exporting(id: 1, fraction: .zero))
      #expect(!session.isExportEnabled)
    }
  }

  @Suite struct `When export is tapped again` {
    @Test func `then no second export starts`() {
      var session = exporting()
      let effects = session.after(.exportDidTap)
      #expect(effects == [.log(LogEvent(.exportRefused, [.init("reason", .text("exporting"))]))])
      #expect(session.exportState == .exporting(id: 1, fraction: .zero))
    }
  }

  @Suite struct `When the length is not valid` {
    @Test(arguments: [at(121, 2), at(100)])
    func `then nothing is exported, whatever the screen assumed`(_ end: MediaTime) {
      var session = Clip.session(range(at(0), end))
      #expect(!session.isExportEnabled)
      let effects = session.after(.exportDidTap)
      #expect(
        effects == [.log(LogEvent(.exportRefused, [.init("reason", .text("invalid_length"))]))])
      #expect(session.exportState == .idle)
    }
  }

  @Suite struct `When the video has not loaded` {
    @Test func `then nothing is exported`() {
      var session = TrimmingSession(video: Clip.video())
      let effects = session.after(.exportDidTap)
      #expect(effects == [.log(LogEvent(.exportRefused, [.init("reason", .text("not_ready"))]))])
    }
  }

  @Suite struct `When it makes progress` {
    @Test func `then the fraction only grows, and never beyond one`() {
      var session = exporting()
      var seen: [Rational] = []
      for fraction in [Rational(1, 4), Rational(1, 8), Rational(1, 2), Rational(3)] {
        #expect(session.after(.exportDidProgress(id: 1, fraction: fraction)) == [])
        if case .exporting(_, let shown) = session.exportState { seen.append(shown) }
      }
      #expect(seen == [Rational(1, 4), Rational(1, 4), Rational(1, 2), .one])
    }

    @Test func `then progress of another export is ignored`() {
      var session = exporting()
      session.after(.exportDidProgress(id: 7, fraction: Rational(1, 2)))
      #expect(session.exportState == .exporting(id: 1, fraction: .zero))
    }
  }

  @Suite struct `When it succeeds` {
    @Test func `then the file is announced and the screen is ready for another`() {
      var session = exporting()
      let effects = session.after(.exportDidFinish(id: 1, location: "out.mp4"))
      #expect(
        effects == [
          .deliver(.exportDidFinish(locations: ["out.mp4"])),
          .log(LogEvent(.exportFinished, [.init("location", .text("out.mp4"))])),
        ])
      #expect(session.exportedLocation == "out.mp4")
      #expect(session.isExportEnabled)
      #expect(session.after(.exportDidTap).exports.map(\.id) == [2])
    }
  }

  @Suite struct `When it fails` {
    @Test func `then an alert appears and the screen stays`() {
      var session = exporting()
      let effects = session.after(.exportDidFail(id: 1, message: "disk full"))
      #expect(
        effects == [
          .deliver(.alertDidAppear(TrimmingAlert("disk full"))),
          .log(LogEvent(.exportFailed, [.init("reason", .text("disk full"))])),
        ])
      #expect(session.phase == .ready)
      #expect(session.timeRange == range(1, 60))
      #expect(session.alert == TrimmingAlert("disk full"))
      #expect(session.isExportEnabled)
      #expect(session.after(.alertDidClose) == [.log(LogEvent(.alertClosed))])
      #expect(session.alert == nil)
      #expect(session.after(.alertDidClose) == [])
    }
  }

  @Suite struct `When it is cancelled` {
    @Test func `then the cutter is notified, and the screen is ready once it has stopped`() {
      var session = exporting()
      #expect(session.after(.exportCancelDidTap) == [.cancelExport(id: 1)])
      #expect(session.exportState == .cancelling(id: 1))
      #expect(!session.isExportEnabled)
      #expect(session.after(.exportDidCancel(id: 1)) == [.log(LogEvent(.exportCancelled))])
      #expect(session.isExportEnabled)
    }

    @Test func `then an error while stopping is not an alert`() {
      var session = exporting()
      session.after(.exportCancelDidTap)
      let effects = session.after(.exportDidFail(id: 1, message: "broken pipe"))
      #expect(effects == [.log(LogEvent(.exportCancelled))])
      #expect(session.alert == nil)
    }

    @Test func `then a file that was finished anyway is announced`() {
      var session = exporting()
      session.after(.exportCancelDidTap)
      let effects = session.after(.exportDidFinish(id: 1, location: "out.mp4"))
      #expect(effects.reported == [.exportDidFinish(locations: ["out.mp4"])])
    }

    @Test func `then cancelling without an export does nothing`() {
      var session = Clip.session()
      #expect(session.after(.exportCancelDidTap) == [])
    }
  }

  @Suite struct `When a response comes from an export that has ended` {
    @Test func `then it is ignored`() {
      var session = exporting()
      session.after(.exportDidFinish(id: 1, location: "out.mp4"), .exportDidTap)
      #expect(session.after(.exportDidFinish(id: 1, location: "late.mp4")) == [])
      #expect(session.after(.exportDidFail(id: 1, message: "late")) == [])
      #expect(session.after(.exportDidCancel(id: 1)) == [])
      #expect(session.exportState == .exporting(id: 2, fraction: .zero))
    }
  }
}
