import ExactTime
import Testing
import Trimming

@Suite struct `Given a nudge` {
  /// What is nudged, by what, and its new position; the range is 10…20 s, the playhead at 10 s.
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let handle: Handle
    let step: NudgeStep
    let expected: MediaTime
  }

  static let cases: [Case] = [
    Case(
      testDescription: "in-point a frame forward", handle: .inPoint, step: .frames(1),
      expected: at(1_004, 100)),
    Case(
      testDescription: "in-point a frame back", handle: .inPoint, step: .frames(-1),
      expected: at(996, 100)),
    Case(
      testDescription: "in-point ten seconds back", handle: .inPoint,
      step: .seconds(Rational(-10)), expected: at(0)),
    Case(
      testDescription: "in-point a thousand seconds back", handle: .inPoint,
      step: .seconds(Rational(-1_000)), expected: at(0)),
    Case(
      testDescription: "in-point a keyframe forward", handle: .inPoint, step: .keyframes(1),
      expected: at(12)),
    Case(
      testDescription: "in-point past the out-point", handle: .inPoint,
      step: .seconds(Rational(10)), expected: at(10)),
    Case(
      testDescription: "out-point a frame forward", handle: .outPoint, step: .frames(1),
      expected: at(2_004, 100)),
    Case(
      testDescription: "out-point two keyframes back", handle: .outPoint, step: .keyframes(-2),
      expected: at(16)),
    Case(
      testDescription: "out-point past the last frame", handle: .outPoint, step: .frames(.max),
      expected: at(300)),
    Case(
      testDescription: "out-point before the in-point", handle: .outPoint, step: .frames(.min),
      expected: at(20)),
    Case(
      testDescription: "playhead a frame forward", handle: .playhead, step: .frames(1),
      expected: at(1_004, 100)),
    Case(
      testDescription: "playhead to the next keyframe", handle: .playhead, step: .keyframes(1),
      expected: at(12)),
    Case(
      testDescription: "playhead past the last frame", handle: .playhead, step: .frames(.max),
      expected: at(29_996, 100)),
    Case(
      testDescription: "playhead before the video", handle: .playhead,
      step: .seconds(Rational(-500)), expected: at(0)),
    Case(
      testDescription: "playhead by more than 64 bits", handle: .playhead,
      step: .seconds(Rational(.max)), expected: at(10)),
    Case(
      testDescription: "nothing by no frames", handle: .inPoint, step: .frames(0),
      expected: at(10)),
  ]

  @Test(arguments: cases) func `then it moves there and no further`(_ nudge: Case) {
    var session = Clip.session(range(10, 20), isPlaying: false)
    session.after(.nudge(nudge.handle, by: nudge.step))
    let moved =
      switch nudge.handle {
      case .playhead: session.playbackTime
      case .inPoint: session.timeRange.start
      case .outPoint: session.timeRange.end
      }
    #expect(moved == nudge.expected)
  }

  @Suite struct `When the frame rate varies` {
    private let timings = VideoTimings(
      bounds: range(0, 30), frames: FrameInstants([at(0), at(1, 10), at(5), at(51, 10), at(29)]))

    @Test func `then a step is one frame, whatever its duration`() {
      var session = Clip.session(range(0, 29), isPlaying: false, timings: timings)
      var places: [MediaTime] = []
      for _ in 1...5 {
        session.after(.nudge(.playhead, by: .frames(1)))
        places.append(session.playbackTime)
      }
      #expect(places == [at(1, 10), at(5), at(51, 10), at(29), at(29)])
    }

    @Test func `then a step from between two frames goes to the adjacent one either way`() {
      var session = Clip.session(range(0, 29), isPlaying: false, timings: timings)
      session.after(.playheadDidMove(to: at(3)), .nudge(.playhead, by: .frames(-1)))
      #expect(session.playbackTime == at(1, 10))
      session.after(.playheadDidMove(to: at(3)), .nudge(.playhead, by: .frames(1)))
      #expect(session.playbackTime == at(5))
    }
  }

  @Suite struct `When the frames are not known` {
    @Test func `then a step by frames does nothing`() {
      var session = Clip.session(isPlaying: false, timings: VideoTimings(bounds: Clip.bounds))
      #expect(session.after(.nudge(.playhead, by: .frames(1))) == [])
      #expect(session.after(.nudge(.outPoint, by: .keyframes(-1))) == [])
    }
  }

  @Suite struct `When the video plays` {
    @Test func `then a playhead nudged out of the range goes to its start`() {
      var session = Clip.session(range(10, 20))
      session.after(
        .playbackTimeDidChange(currentTime: at(19)), .nudge(.playhead, by: .seconds(Rational(5))))
      #expect(session.playbackTime == at(10))
    }
  }
}
