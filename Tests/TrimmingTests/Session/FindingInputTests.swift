import ExactTime
import Testing
import Trimming

@Suite struct `Given a session in which something was found` {
  private static func finding(
    _ id: Int, _ kind: TrimmingFinding.Kind, _ range: MediaTimeRange
  ) -> TrimmingFinding {
    TrimmingFinding(id: id, kind: kind, range: range)
  }

  /// Silence at 20 and 40, and black that overlaps the second; the last one is outside the video.
  private static let found = [
    finding(1, .silence, range(20, 25)), finding(2, .silence, range(40, 50)),
    finding(3, .black, range(45, 55)), finding(4, .silence, range(400, 500)),
  ]

  private static func session(
    _ selected: MediaTimeRange = range(10, 100), _ found: [TrimmingFinding] = found,
    timings: VideoTimings = Clip.timings
  ) -> TrimmingSession {
    var session = Clip.session(
      selected, isPlaying: false, limit: LengthLimit(maximum: nil), timings: timings)
    session.after(.findingsDidArrive(found))
    return session
  }

  private func parts(_ session: TrimmingSession) -> [MediaTimeRange] { session.parts.map(\.range) }

  @Test func `it is told in order of time, without what is outside the video, and is no change`() {
    var session = Clip.session(range(10, 100), isPlaying: false)
    let effects = session.after(.findingsDidArrive(Self.found.reversed()))
    #expect(session.findings == Array(Self.found.prefix(3)))
    #expect(effects.reported == [.findingsDidChange(session.findings)])
    #expect(!session.canUndo)
    #expect(session.after(.findingsDidArrive(Self.found)).isEmpty, "it is the same")
  }

  @Test func `when it is removed, then the rest is joined, and one undo brings all back`() {
    var session = Self.session()
    session.after(.findingsDidRemove(ids: nil, margin: MediaDuration(1, 10)))
    #expect(
      parts(session) == [
        range(at(10), at(201, 10)), range(at(249, 10), at(401, 10)), range(at(549, 10), at(100)),
      ])
    #expect(session.list.joins)
    #expect(session.findings.count == 3, "it is still known where it was")
    session.after(.undoDidTap)
    #expect(parts(session) == [range(10, 100)])
    #expect(!session.list.joins)
    #expect(!session.canUndo)
  }

  @Test func `when a part begins or ends in it, then nothing is kept beyond`() {
    var session = Self.session(range(22, 48))
    session.after(.findingsDidRemove(ids: nil, margin: MediaDuration(1)))
    #expect(parts(session) == [range(24, 41)])
    #expect(!session.list.joins, "one part is left")
  }

  @Test func `when some are removed, then the others stay, and names and separate files too`() {
    var session = Self.session(range(10, 30))
    session.after(
      .partDidRename(id: 1, name: "talk"), .partDidAdd(range: range(35, 60)),
      .findingsDidRemove(ids: [1, 9], margin: .zero))
    #expect(parts(session) == [range(10, 20), range(25, 30), range(35, 60)])
    #expect(session.parts.map(\.name) == ["talk", "talk", ""])
    #expect(Set(session.parts.map(\.id)).count == 3)
    #expect(!session.list.joins)
  }

  @Test func `when only it is kept, then each is a part, and what overlaps is one`() {
    var session = Self.session(range(22, 100))
    session.after(.findingsDidKeep(ids: nil))
    #expect(parts(session) == [range(22, 25), range(40, 55)])
    session.after(.undoDidTap)
    #expect(parts(session) == [range(22, 100)])
  }

  @Test func `when scenes are kept, then each is a part of its own`() {
    let scenes = [
      Self.finding(1, .scene, range(0, 30)), Self.finding(2, .scene, range(30, 300)),
    ]
    var session = Self.session(range(10, 100), scenes)
    session.after(.findingsDidKeep(ids: nil))
    #expect(parts(session) == [range(10, 30), range(30, 100)])
    session.after(.undoDidTap, .findingsDidSplit(ids: nil))
    #expect(parts(session) == [range(10, 30), range(30, 100)])
    #expect(!session.list.joins)
    session.after(.undoDidTap)
    #expect(parts(session) == [range(10, 100)])
    #expect(!session.canUndo)
  }

  @Test func `when parts are split at silence, then in its middle, where a frame begins`() {
    let silence = [Self.finding(1, .silence, range(at(20), at(2101, 100)))]
    var session = Self.session(range(10, 100), silence)
    session.after(.findingsDidSplit(ids: nil))
    #expect(parts(session) == [range(at(10), at(513, 25)), range(at(513, 25), at(100))])
    var sound = Self.session(range(10, 100), silence, timings: VideoTimings(bounds: Clip.bounds))
    sound.after(.findingsDidSplit(ids: nil))
    #expect(parts(sound) == [range(at(10), at(4101, 200)), range(at(4101, 200), at(100))])
  }

  @Test func `when a piece would hold no frame, then it is left out`() {
    let close = [
      Self.finding(1, .silence, range(at(20), at(2001, 50))),
      Self.finding(2, .silence, range(at(4004, 100), at(50))),
    ]
    var session = Self.session(range(10, 100), close)
    session.after(.findingsDidRemove(ids: nil, margin: .zero))
    #expect(parts(session) == [range(10, 20), range(50, 100)])
  }

  @Test func `the playhead goes to the next and to the previous one, and says if there is none`() {
    var session = Self.session()
    session.after(.playheadDidMove(to: at(21)), .findingDidStep(by: 1, kind: nil))
    #expect(session.playbackTime == at(40))
    session.after(.findingDidStep(by: 1, kind: nil), .findingDidStep(by: 1, kind: nil))
    #expect((session.playbackTime, session.notice) == (at(45), .noFindingAfter))
    session.after(.playheadDidMove(to: at(20)), .findingDidStep(by: -1, kind: nil))
    #expect((session.playbackTime, session.notice) == (at(20), .noFindingBefore))
    session.after(.findingDidStep(by: 1, kind: .black))
    #expect(session.playbackTime == at(45))
  }

  @Test func `when nothing can follow from it, then it says why`() {
    var session = Self.session(range(60, 100))
    session.after(.findingsDidRemove(ids: nil, margin: .zero))
    #expect(session.notice == .nothingFoundInParts)
    session.after(.findingsDidSplit(ids: []))
    #expect(session.notice == .nothingFound)
    session.after(.findingsDidKeep(ids: nil))
    #expect(session.notice == .nothingWouldRemain)
    session.after(.selectingAll, .findingsDidRemove(ids: [1], margin: MediaDuration(3)))
    #expect(session.notice == .nothingFoundInParts, "the margins are longer than it")
    let many = (0..<1_100).map { number in
      Self.finding(number, .scene, range(at(Int64(number), 5), at(Int64(number) + 1, 5)))
    }
    session = Self.session(range(0, 300), many)
    session.after(.findingsDidSplit(ids: nil))
    #expect(session.notice == .tooManyParts)
    #expect(parts(session) == [range(0, 300)])
  }
}

extension SessionInput {
  fileprivate static var selectingAll: SessionInput {
    .timeRangeDidChange(from: at(0), to: at(300))
  }
}
