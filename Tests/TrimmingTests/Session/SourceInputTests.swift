import ExactTime
import FoundationEssentials
import Testing
import Trimming

@Suite struct `Given a session with parts of several files` {
  /// 60 s from 1 s on, at 10 frames a second.
  private static let other = TrimmingSource(
    location: "party.mp4", bounds: range(1, 61),
    timings: VideoTimings(
      frames: FrameInstants(first: at(1), frameLength: MediaDuration(1, 10), count: 600)
        ?? .unknown, keyframes: FrameInstants([at(1), at(31)])))

  /// 10..20 of the first file, and the whole other one, which is shown.
  private static func session(limit: LengthLimit = .standard) -> TrimmingSession {
    var session = Clip.session(range(10, 20), isPlaying: false, limit: limit)
    session.after(.sourceDidAdd(other), .partDidAppend(source: 1, range: nil))
    return session
  }

  private func ranges(_ session: TrimmingSession) -> [MediaTimeRange] { session.parts.map(\.range) }

  @Test func `a file that is added changes no part`() {
    var session = Clip.session(range(10, 20), isPlaying: false)
    let before = session.list
    let effects = session.after(.sourceDidAdd(Self.other))
    #expect(session.list == before && effects.isEmpty && !session.canUndo)
    #expect(session.bounds == Clip.bounds)
    #expect(session.sources.map(\.location) == [Clip.location, "party.mp4"])
  }

  @Test func `its part follows the others, is shown, and makes one file of all`() {
    let session = Self.session()
    #expect(ranges(session) == [range(10, 20), range(1, 61)])
    #expect(session.parts.map(\.source) == [0, 1])
    #expect(session.list.joins && session.shownSource == 1)
    #expect(session.bounds == range(1, 61) && session.playbackTime == at(1))
    #expect(session.timings.frames.count == 600)
  }

  @Test func `a part outside its file, or of no file, is refused`() {
    var session = Self.session()
    session.after(.partDidAppend(source: 1, range: range(61, 70)))
    #expect(session.notice == .outsideVideo)
    session.after(.partDidAppend(source: 2, range: nil), .partDidAppend(source: -1, range: nil))
    #expect(session.parts.count == 2)
    session.after(.partDidAppend(source: 1, range: range(50, 70)))
    #expect(session.timeRange == range(50, 61))
  }

  @Test func `one step undoes it, and the first file is shown again`() {
    var session = Self.session()
    let reported = session.after(.undoDidTap).reported
    #expect(ranges(session) == [range(10, 20)] && session.shownSource == 0)
    #expect(reported.contains(.seek(to: at(10))) && session.playbackTime == at(10))
    session.after(.redoDidTap)
    #expect(session.shownSource == 1 && session.bounds == range(1, 61))
  }

  @Test func `selecting a part of another file pauses, and goes to its start`() {
    var session = Self.session()
    session.after(.playDidTap)
    let reported = session.after(.partDidSelect(id: session.parts[0].id)).reported
    #expect(!session.isPlaying && session.playbackTime == at(10))
    #expect(
      reported.contains(.playingDidChange(isPlaying: false)) && reported.contains(.seek(to: at(10)))
    )
    #expect(reported.contains(.timeRangeDidChange(range(10, 20))))
    #expect(session.bounds == Clip.bounds)
  }

  @Test func `handles, steps and snapping are on the timeline of the file that is shown`() {
    var session = Self.session()
    session.after(.snapDidChange(.frame))
    session.selecting(range(at(105, 50), at(30)))
    #expect(session.timeRange == range(at(21, 10), at(30)))
    session.after(.nudge(.inPoint, by: .frames(1)), .nudge(.outPoint, by: .keyframes(1)))
    #expect(session.timeRange == range(at(22, 10), at(31)))
    session.after(.partDidSelect(id: session.parts[0].id), .nudge(.inPoint, by: .frames(1)))
    #expect(ranges(session) == [range(at(251, 25), at(20)), range(at(22, 10), at(31))])
  }

  @Test func `parts are added and split in the file that is shown`() {
    var session = Self.session(limit: LengthLimit(maximum: nil))
    session.selecting(range(1, 12))
    session.after(.playheadDidMove(to: at(15)), .partDidSplit)
    #expect(session.notice == .playheadOutsidePart, "10..20 is of the other file")
    session.after(.partDidAdd(range: nil))
    #expect(ranges(session) == [range(10, 20), range(1, 12), range(15, 61)])
    #expect(session.parts.map(\.source) == [0, 1, 1])
    session.after(.playheadDidMove(to: at(20)), .partDidSplit)
    #expect(session.parts.map(\.source) == [0, 1, 1, 1])
  }

  @Test func `what is removed is removed from one file only`() {
    var session = Self.session(limit: LengthLimit(maximum: nil))
    session.selecting(range(11, 15))
    session.after(.rangeDidRemove)
    #expect(ranges(session) == [range(10, 20), range(1, 11), range(15, 61)])
    #expect(session.parts.map(\.source) == [0, 1, 1] && session.shownSource == 1)
  }

  @Test func `parts are moved and sorted across files`() {
    var session = Self.session()
    session.after(.partDidMove(by: -1))
    #expect(session.parts.map(\.source) == [1, 0] && session.shownSource == 1)
    session.after(.partsDidSort(by: .time))
    #expect(session.parts.map(\.source) == [0, 1], "files keep their order")
  }

  @Test func `joined parts of all files are judged together, separate ones alone`() {
    var session = Self.session()
    #expect(session.verdict == .tooLong(by: MediaDuration(19, 2)))
    session.selecting(range(at(1), at(103, 2)))
    #expect(session.verdict == .tooLong(by: .zero), "60.5 s is not below 60.5 s")
    session.after(.joinDidChange(false))
    #expect(session.verdict == .valid)
  }

  @Test func `an export names all files, and each part its own`() throws {
    var session = Self.session()
    session.selecting(range(1, 5))
    let request = try #require(session.after(.exportDidTap).exports.first)
    #expect(request.location == Clip.location)
    #expect(request.sources == [Clip.location, "party.mp4"])
    #expect(request.parts.map(\.source) == [0, 1] && request.joins)
  }

  @Test func `markers belong to their file`() {
    var session = Self.session()
    session.after(.playheadDidMove(to: at(12)), .markerDidAdd)
    session.after(.partDidSelect(id: session.parts[0].id), .playheadDidMove(to: at(12)))
    session.after(.markerDidDelete(id: nil))
    #expect(session.notice == .noMarkerHere)
    session.after(.playheadDidMove(to: at(11)), .markerDidStep(by: 1))
    #expect(session.notice == .noMarkerAfter)
    session.after(.markerDidAdd)
    #expect(session.list.markers.map(\.source) == [0, 1])
  }

  @Test func `what was found is of the first file`() {
    var session = Self.session(limit: LengthLimit(maximum: nil))
    session.after(
      .findingsDidArrive([TrimmingFinding(id: 1, kind: .black, range: range(12, 14))]),
      .findingDidStep(by: 1, kind: nil))
    #expect(session.notice == .noFindingAfter)
    session.after(.findingsDidRemove(ids: nil, margin: .zero))
    #expect(ranges(session) == [range(10, 12), range(14, 20), range(1, 61)])
    #expect(session.parts.map(\.source) == [0, 0, 1])
  }

  @Test func `parts that return are inside their files, or left out`() throws {
    var session = Self.session()
    let kept = try #require(
      PartList(
        [
          .init(id: 7, range: range(0, 5), source: 1), .init(id: 8, range: range(0, 5), source: 2),
          .init(id: 9, range: range(290, 310)),
        ], selectedIndex: 1, joins: true))
    session.after(.partsDidReturn(kept))
    #expect(ranges(session) == [range(1, 5), range(290, 300)])
    #expect(session.parts.map(\.source) == [1, 0])
  }

  @Test func `pictures are wanted of the file that is shown`() {
    var session = Self.session()
    let wanted = session.after(.partDidSelect(id: session.parts[0].id)).pictureRequests
    #expect(wanted.map(\.source) == [0] && wanted.map(\.position) == [at(10)])
    #expect(session.selecting(range(10, 15)).pictureRequests.map(\.source) == [0])
  }

  @Test func `there can be no more than a hundred files`() {
    var session = Clip.session()
    for _ in 1..<TrimmingSession.mostSources { session.after(.sourceDidAdd(Self.other)) }
    #expect(session.sources.count == 100 && session.notice == nil)
    session.after(.sourceDidAdd(Self.other))
    #expect(session.sources.count == 100 && session.notice == .tooManySources)
  }

  @Test func `a session of one file is written as before`() throws {
    var session = Clip.session(range(10, 20))
    session.after(.markerDidAdd)
    let text = String(
      decoding: try JSONEncoder().encode(SessionMessage(.screen(session.screen))), as: UTF8.self)
    #expect(!text.contains("source"))
    let several = String(
      decoding: try JSONEncoder().encode(SessionMessage(.screen(Self.session().screen))),
      as: UTF8.self)
    #expect(several.contains("\"sources\":[\"holiday.mp4\",\"party.mp4\"]"))
  }
}
