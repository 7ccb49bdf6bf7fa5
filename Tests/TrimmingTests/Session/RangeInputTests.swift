import ExactTime
import Testing
import Trimming

@Suite struct `Given a screen with a video of 300 seconds` {
  @Suite struct `When it opens` {
    @Test func `then a range of exactly 60.5 s is invalid from the start`() {
      let session = TrimmingSession(video: Clip.video(range(at(0), at(121, 2))))
      #expect(!session.isVideoLengthValid)
      #expect(session.verdict == .tooLong(by: .zero))
    }

    @Test func `then the playhead is at the start of the range`() {
      #expect(TrimmingSession(video: Clip.video(range(7, 9))).playbackTime == at(7))
    }

    @Test func `then a range that exceeds the video is clamped`() {
      #expect(TrimmingSession(video: Clip.video(range(-5, 400))).timeRange == Clip.bounds)
    }

    @Test func `then a range outside the video selects all of it`() {
      #expect(TrimmingSession(video: Clip.video(range(301, 400))).timeRange == Clip.bounds)
    }

    @Test func `then a negative duration is a video without length`() {
      let video = TrimmingVideo(duration: MediaDuration(-1), location: "a")
      #expect(video.bounds == range(0, 0))
      #expect(!TrimmingSession(video: video).isVideoLengthValid)
    }
  }

  @Suite struct `When the range changes` {
    @Test func `then 60.4 s makes it valid and 60.5 s invalid again`() {
      var session = Clip.session(range(at(0), at(121, 2)))
      let shorter = session.selecting(range(at(0), at(604, 10)))
      #expect(session.isVideoLengthValid)
      #expect(shorter.reported.contains(.validityDidChange(.valid)))
      let longer = session.selecting(range(at(0), at(121, 2)))
      #expect(!session.isVideoLengthValid)
      #expect(longer.reported.contains(.validityDidChange(.tooLong(by: .zero))))
    }

    @Test func `then all effects follow, in this order`() {
      var session = Clip.session(range(1, 60))
      let effects = session.selecting(range(10, 90))
      #expect(
        effects == [
          .deliver(.timeRangeDidChange(range(10, 90))),
          .deliver(.validityDidChange(.tooLong(by: MediaDuration(39, 2)))),
          .log(
            LogEvent(
              .rangeChanged,
              [
                .init("from", .time(at(10))), .init("to", .time(at(90))),
                .init("length", .length(MediaDuration(80))), .init("is_valid", .flag(false)),
                .init("cause", .text("change")),
              ])),
          .requestPicture(PictureRequest(id: 1, handle: .inPoint, position: at(10))),
          .deliver(.seek(to: at(10))),
        ])
    }

    @Test func `then it is clamped into the video`() {
      var session = Clip.session()
      session.selecting(range(-10, 1_000))
      #expect(session.timeRange == range(0, 300))
    }

    @Test func `then boundaries in the wrong order are swapped`() {
      var session = Clip.session()
      session.after(.timeRangeDidChange(from: at(50), to: at(20)))
      #expect(session.timeRange == range(20, 50))
    }

    @Test(arguments: [range(5, 5), range(400, 500), range(-9, -1), range(300, 300), range(-5, 0)])
    func `then one that contains nothing of the video is refused`(_ asked: MediaTimeRange) {
      var session = Clip.session(range(1, 60))
      #expect(session.selecting(asked) == [])
      #expect(session.timeRange == range(1, 60))
    }

    @Test func `then one whose length needs more than 64 bits is refused`() {
      var session = Clip.session(range(1, 60))
      let effects = session.after(
        .timeRangeDidChange(from: at(1, .max), to: at(.max - 2, .max - 1)))
      #expect(effects == [])
      #expect(session.timeRange == range(1, 60))
    }

    @Test func `then the same range again has no effect`() {
      var session = Clip.session(range(1, 60))
      #expect(session.selecting(range(1, 60)) == [])
    }

    @Test func `then a change that keeps the verdict does not report it again`() {
      var session = Clip.session(range(1, 60))
      #expect(session.selecting(range(1, 59)).reported == [.timeRangeDidChange(range(1, 59))])
    }
  }

  @Suite struct `When the range moves away from the playhead` {
    @Test func `then the playhead goes to its start`() {
      var session = Clip.session(range(1, 60))
      session.after(.playbackTimeDidChange(currentTime: at(50)))
      let effects = session.selecting(range(1, 40))
      #expect(session.playbackTime == at(1))
      #expect(effects.reported.last == .seek(to: at(1)))
      #expect(effects.restarts == [])
    }

    @Test func `then a playhead exactly at the new end counts as outside`() {
      var session = Clip.session(range(1, 60))
      session.after(.playbackTimeDidChange(currentTime: at(40)))
      session.selecting(range(1, 40))
      #expect(session.playbackTime == at(1))
    }

    @Test func `then a playhead that is still inside stays`() {
      var session = Clip.session(range(1, 60))
      session.after(.playbackTimeDidChange(currentTime: at(30)))
      let effects = session.selecting(range(30, 40))
      #expect(session.playbackTime == at(30))
      #expect(!effects.reported.contains(.seek(to: at(30))))
    }

    @Test func `then a paused playhead goes there too`() {
      var session = Clip.session(range(1, 60), isPlaying: false)
      session.after(.playheadDidMove(to: at(200)))
      session.selecting(range(2, 60))
      #expect(session.playbackTime == at(2))
    }
  }

  @Suite struct `When a time is typed` {
    @Test(arguments: [Snap.off, .frame, .keyframe])
    func `then a handle goes exactly there, whatever handles snap to`(_ snap: Snap) {
      var session = Clip.session(range(1, 60), isPlaying: false)
      session.after(
        .snapDidChange(snap), .timeDidType(.inPoint, at(1001, 700)),
        .timeDidType(.outPoint, at(1001, 30)), .timeDidType(.playhead, at(20, 3)))
      #expect(session.timeRange.start == at(1001, 700))
      #expect(session.timeRange.end == at(1001, 30))
      #expect(session.playbackTime == at(20, 3))
    }

    @Test func `then it is one step for undo`() {
      var session = Clip.session(range(1, 60), isPlaying: false)
      session.after(.timeDidType(.inPoint, at(2)), .timeDidType(.inPoint, at(3)), .undoDidTap)
      #expect(session.timeRange == range(2, 60))
    }

    @Test func `then one beyond the video goes to its end`() {
      var session = Clip.session(range(1, 60), isPlaying: false)
      session.after(.timeDidType(.inPoint, at(-5)), .timeDidType(.outPoint, at(999)))
      #expect(session.timeRange == range(0, 300))
    }

    @Test func `then a handle does not pass the other, with a notice`() {
      var session = Clip.session(range(1, 60), isPlaying: false)
      #expect(session.after(.timeDidType(.inPoint, at(60))) == [])
      #expect(session.notice == .inAtOut)
      #expect(session.after(.timeDidType(.outPoint, at(1))) == [])
      #expect(session.notice == .outAtIn)
      #expect(session.timeRange == range(1, 60))
    }
  }

  @Suite struct `When points are set at a paused playhead` {
    @Test func `then the in point goes there`() {
      var session = Clip.session(range(1, 60), isPlaying: false)
      session.after(.playheadDidMove(to: at(20)), .inPointDidSet)
      #expect(session.timeRange == range(20, 60))
      #expect(session.playbackTime == at(20))
    }

    @Test func `then an in point after the out point takes the rest of the video, with a notice`() {
      var session = Clip.session(range(1, 60), isPlaying: false)
      session.after(.playheadDidMove(to: at(100)), .inPointDidSet)
      #expect(session.timeRange == range(100, 300))
      #expect(session.notice == .outMovedToEnd)
    }

    @Test func `then the out point goes there and the playhead stays`() {
      var session = Clip.session(range(1, 60), isPlaying: false)
      session.after(.playheadDidMove(to: at(20)), .outPointDidSet)
      #expect(session.timeRange == range(1, 20))
      #expect(session.playbackTime == at(20))
    }

    @Test func `then an out point before the in point is refused, with the reason`() {
      var session = Clip.session(range(50, 60), isPlaying: false)
      session.after(.playheadDidMove(to: at(20)))
      #expect(session.after(.outPointDidSet) == [])
      #expect(session.timeRange == range(50, 60))
      #expect(session.notice == .outAtIn)
    }

    @Test func `then an out point can be the very end, and an in point cannot`() {
      var session = Clip.session(range(50, 60), isPlaying: false)
      session.after(.playheadDidMove(to: at(300)), .outPointDidSet)
      #expect(session.timeRange == range(50, 300))
      #expect(session.after(.inPointDidSet) == [])
      #expect(session.timeRange == range(50, 300))
    }

    @Test func `then an out point at the video's start is refused`() {
      var session = Clip.session(range(50, 60), isPlaying: false)
      session.after(.playheadDidMove(to: at(0)))
      #expect(session.after(.outPointDidSet) == [])
    }
  }

  @Suite struct `When a handle is dragged` {
    @Test func `then the whole drag is one entry of the log, written at its end`() {
      var session = Clip.session(range(1, 60))
      session.after(.dragDidBegin)
      let moves = (2...9).flatMap { session.selecting(range($0, 60)) }
      #expect(moves.logged == [])
      let end = session.after(.dragDidEnd)
      #expect(end.logged.map(\.name) == [.rangeChanged])
      #expect(end.logged.first?.parameters.last == .init("cause", .text("drag")))
    }

    @Test func `then it is one step for undo`() {
      var session = Clip.session(range(1, 60))
      session.after(.dragDidBegin)
      for start in 2...9 { session.selecting(range(Int64(start), 60)) }
      #expect(session.canUndo)
      session.after(.dragDidEnd, .undoDidTap)
      #expect(session.timeRange == range(1, 60))
      #expect(!session.canUndo)
    }

    @Test func `then undo in the middle of it reverts the drag`() {
      var session = Clip.session(range(1, 60))
      session.after(.dragDidBegin)
      session.selecting(range(2, 60))
      session.after(.undoDidTap)
      #expect(session.timeRange == range(1, 60))
    }

    @Test func `then one that comes back to where it began leaves no trace`() {
      var session = Clip.session(range(1, 60))
      session.after(.dragDidBegin)
      session.selecting(range(2, 60))
      session.selecting(range(1, 60))
      #expect(session.after(.dragDidEnd) == [])
      #expect(!session.canUndo)
    }
  }
}
