import ExactTime
import Testing
import Trimming

@Suite struct `Given a step that cannot be taken as requested` {
  struct Step: CustomTestStringConvertible, Sendable {
    let testDescription: String
    var place = at(10)
    let input: SessionInput
    let notice: SessionNotice
  }

  static let steps = [
    Step(
      testDescription: "back from the start", place: at(0),
      input: .nudge(.playhead, by: .seconds(Rational(-1))), notice: .playheadAtStart),
    Step(
      testDescription: "a frame back from the start", place: at(0),
      input: .nudge(.playhead, by: .frames(-1)), notice: .playheadAtStart),
    Step(
      testDescription: "on from the end", place: at(300),
      input: .nudge(.playhead, by: .seconds(Rational(1))), notice: .playheadAtEnd),
    Step(
      testDescription: "In beyond Out", input: .nudge(.inPoint, by: .seconds(Rational(100))),
      notice: .inAtOut),
    Step(
      testDescription: "Out before In", input: .nudge(.outPoint, by: .seconds(Rational(-100))),
      notice: .outAtIn),
    Step(
      testDescription: "no keyframe before", place: at(0),
      input: .nudge(.playhead, by: .keyframes(-1)), notice: .noKeyframeBefore),
    Step(
      testDescription: "an empty range", input: .timeRangeDidChange(from: at(60), to: at(60)),
      notice: .inAtOut),
    Step(
      testDescription: "a range outside", input: .timeRangeDidChange(from: at(400), to: at(500)),
      notice: .outsideVideo),
    Step(testDescription: "nothing to undo", input: .undoDidTap, notice: .nothingToUndo),
    Step(testDescription: "nothing to redo", input: .redoDidTap, notice: .nothingToRedo),
    Step(testDescription: "the only part", input: .partDidDelete(id: nil), notice: .onlyPart),
    Step(
      testDescription: "a split outside the part", place: at(100), input: .partDidSplit,
      notice: .playheadOutsidePart),
    Step(
      testDescription: "the first part, earlier", input: .partDidMove(by: -1), notice: .firstInOrder
    ),
    Step(
      testDescription: "no marker before", input: .markerDidStep(by: -1), notice: .noMarkerBefore),
    Step(testDescription: "no marker after", input: .markerDidStep(by: 1), notice: .noMarkerAfter),
    Step(
      testDescription: "no marker here", input: .markerDidDelete(id: nil), notice: .noMarkerHere),
    Step(
      testDescription: "the last part, later", input: .partDidMove(by: .max), notice: .lastInOrder),
  ]

  @Test(arguments: steps)
  func `then nothing changes, and the reason is shown until the next step`(_ step: Step) {
    var session = Clip.session(range(10, 60), isPlaying: false)
    session.after(.playheadDidMove(to: step.place))
    let before = session
    #expect(session.after(step.input) == [])
    #expect(session.notice == step.notice)
    #expect(session.list == before.list)
    #expect(session.playbackTime == before.playbackTime)
    session.after(
      .playbackTimeDidChange(currentTime: step.place), .exportDidProgress(id: 9, fraction: .one))
    #expect(session.notice == step.notice, "the player and the clock take no step")
    session.after(.pauseDidTap)
    #expect(session.notice == nil)
  }

  @Test func `then the reason may be that frames or keyframes are not known`() {
    var session = Clip.session(timings: VideoTimings())
    session.after(.nudge(.inPoint, by: .frames(1)))
    #expect(session.notice == .noFrames)
    session.after(.nudge(.outPoint, by: .keyframes(1)))
    #expect(session.notice == .noKeyframes)
  }

  @Test func `then a playing playhead stays in its part, with a notice`() {
    var session = Clip.session(range(10, 60))
    session.after(.playheadDidMove(to: at(200)))
    #expect(session.playbackTime == at(10))
    #expect(session.notice == .playheadStaysInPart)
  }
}
