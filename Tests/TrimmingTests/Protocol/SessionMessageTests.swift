import ExactTime
import FoundationEssentials
import Testing
import Trimming

/// A message is unchanged after it is written and read.
func expectSame(
  _ content: SessionMessage.Content, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let message = SessionMessage(content)
  let bytes = try JSONEncoder().encode(message)
  let read = try JSONDecoder().decode(SessionMessage.self, from: bytes)
  #expect(read == message, sourceLocation: sourceLocation)
}

@Suite struct `Given a front end in another process` {
  private static let limit = LengthLimit(minimum: MediaDuration(1), maximum: MediaDuration(121, 2))
  private static let inputs: [SessionInput] = [
    .videoDidLoad(Clip.timings),
    .videoDidLoad(VideoTimings(frames: FrameInstants([at(0), at(1, 3), at(2)]))),
    .videoDidFail(VideoFailure("no", hint: "try another")), .retryDidTap, .viewDidAppear,
    .firstVisitDidResolve(.first), .firstVisitDidResolve(.visitedBefore),
    .firstVisitDidResolve(.unavailable(reason: "read-only")), .tutorialDidTap, .tutorialDidClose,
    .timeRangeDidChange(from: at(1001, 30_000), to: at(60)), .screenTimeDidFail(.notFinite),
    .dragDidBegin, .dragDidEnd, .inPointDidSet, .outPointDidSet,
    .timeDidType(.outPoint, at(1001, 30_000)), .nudge(.inPoint, by: .frames(-1)),
    .nudge(.playhead, by: .keyframes(2)),
    .nudge(.outPoint, by: .seconds(Rational(-1, 3))), .snapDidChange(.keyframe), .undoDidTap,
    .redoDidTap,
    .sourceDidAdd(TrimmingSource(location: "b.mp4", bounds: range(0, 9), timings: Clip.timings)),
    .partDidAppend(source: 1, range: nil), .partDidAppend(source: 2, range: range(3, 4)),
    .partDidAdd(range: nil), .partDidAdd(range: range(1, 2)), .partDidSplit,
    .partDidDelete(id: nil), .partDidDelete(id: 3), .partDidMove(by: -2),
    .partsDidSort(by: .length),
    .partDidRename(id: 1, name: "goal \u{1F3C6} \"x\""), .partDidSelect(id: 2), .rangeDidRemove,
    .markerDidAdd, .markerDidRename(id: 1, name: "goal"), .markerDidDelete(id: nil),
    .markerDidDelete(id: 2), .markerDidStep(by: -1),
    .findingsDidArrive([TrimmingFinding(id: 4, kind: .scene, range: range(1, 2))]),
    .findingsDidKeep(ids: nil), .findingsDidKeep(ids: [4]),
    .findingsDidRemove(ids: [], margin: MediaDuration(1, 7)), .findingsDidSplit(ids: [1, 4]),
    .findingDidStep(by: -1, kind: nil), .findingDidStep(by: 1, kind: .black),
    .joinDidChange(true), .partsDidReturn(Clip.session().list),
    .limitDidChange(limit), .limitDidChange(LengthLimit(maximum: nil)),
    .playbackTimeDidChange(currentTime: at(1, 7)), .playbackPassesDidEnd(count: 3),
    .playheadDidMove(to: at(-1)), .playheadDidDrag(to: at(7, 3)), .playDidTap, .pauseDidTap,
    .pictureDidArrive(id: 4, position: at(2)), .exportDidTap,
    .exportDidProgress(id: 1, fraction: Rational(2, 5)),
    .exportDidFinish(id: 1, locations: ["a.mp4", "b.mp4"]),
    .exportDidFail(id: 1, message: "disk full"), .exportDidCancel(id: 1), .exportCancelDidTap,
    .alertDidClose,
  ]

  @Test func `every input arrives as it was sent`() throws {
    for input in Self.inputs { try expectSame(.input(input)) }
  }

  @Test func `every event arrives as it was sent`() throws {
    var session = Clip.session()
    session.after(.partDidAdd(range: range(100, 110)))
    let events: [SessionEvent] = [
      .restartedVideo(Restart(position: at(1, 3), passes: 2)),
      .tutorialVisibilityDidChange(isVisible: true), .timeRangeDidChange(range(1, 2)),
      .partsDidChange(session.list),
      .findingsDidChange([TrimmingFinding(id: 1, kind: .black, range: range(1, 2))]),
      .validityDidChange(.valid), .validityDidChange(.empty),
      .validityDidChange(.tooLong(by: MediaDuration(1, 10))), .validityDidChange(.tooLong(by: nil)),
      .validityDidChange(.tooShort(by: MediaDuration(2))), .phaseDidChange(.loading),
      .phaseDidChange(.ready), .phaseDidChange(.failed(VideoFailure("no"))),
      .playingDidChange(isPlaying: false), .seek(to: at(3)),
      .exportDidFinish(locations: ["a.mp4"]), .alertDidAppear(TrimmingAlert("disk full")),
      .diagnostic("a note"),
      .logged(
        LogEvent(
          .rangeChanged,
          [
            .init("from", .time(at(1))), .init("length", .length(MediaDuration(2))),
            .init("count", .count(3)), .init("is_valid", .flag(false)), .init("cause", .text("x")),
          ])),
    ]
    for event in events { try expectSame(.event(event)) }
  }

  @Test func `every screen arrives as it was sent`() throws {
    var session = TrimmingSession(video: Clip.video())
    try expectSame(.screen(session.screen))
    session.after(.videoDidLoad(Clip.timings), .partDidAdd(range: range(100, 110)), .exportDidTap)
    try expectSame(.screen(session.screen))
    session.after(.exportCancelDidTap, .partDidMove(by: 1))
    try expectSame(.screen(session.screen))
    session.after(.exportDidFail(id: 1, message: "no"), .videoDidFail(VideoFailure("gone")))
    try expectSame(.screen(session.screen))
  }

  @Test func `it can drive a session with only text`() throws {
    var session = Clip.session(range(0, 100))
    for text in [
      #"{"version": 1, "input": {"type": "playhead_did_move", "position": "20"}}"#,
      #"{"version": 1, "input": {"type": "in_point_did_set", "new": "key"}}"#,
      #"{"version": 1, "input": {"type": "nudge", "handle": "out", "step": {"seconds": "-30"}}}"#,
      #"{"version": 1, "input": {"type": "export_did_tap"}}"#,
    ] {
      let message = try JSONDecoder().decode(SessionMessage.self, from: Data(text.utf8))
      guard case .input(let input) = message.content else {
        Issue.record("no input: \(text)")
        return
      }
      session.after(input)
    }
    #expect(session.timeRange == range(20, 70))
    #expect(session.exportState == .exporting(id: 1, fraction: .zero))
  }

  @Test func `keys and types are the documented ones`() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    func text(_ content: SessionMessage.Content) throws -> String {
      String(decoding: try encoder.encode(SessionMessage(content)), as: UTF8.self)
    }
    #expect(
      try text(.input(.nudge(.inPoint, by: .frames(1))))
        == #"{"input":{"handle":"in","step":{"frames":1},"type":"nudge"},"version":1}"#)
    #expect(
      try text(.event(.validityDidChange(.tooLong(by: MediaDuration(1, 10)))))
        == #"{"event":{"type":"validity_did_change","verdict":{"by":"1\/10","verdict":"too_long"}},"version":1}"#
    )
  }

  @Test(arguments: [
    #"{"version": 2, "input": {"type": "play_did_tap"}}"#, #"{"version": 1}"#,
    #"{"input": {"type": "play_did_tap"}}"#, #"{"version": 1, "input": {"type": "fly"}}"#,
    #"{"version": 1, "input": {"type": "nudge", "handle": "in"}}"#,
    #"{"version": 1, "input": {"type": "playhead_did_move", "position": 1.5}}"#,
    #"{"version": 1, "input": {"type": "playhead_did_move", "position": "1/0"}}"#,
  ])
  func `anything unknown is refused, and nothing is guessed`(_ text: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(SessionMessage.self, from: Data(text.utf8))
    }
  }
}
