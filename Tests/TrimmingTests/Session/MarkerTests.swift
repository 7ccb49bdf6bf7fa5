import ExactTime
import Foundation
import Testing
import Trimming

@Suite struct `Given a session with markers` {
  /// Markers at 10 and 40, added in the other order.
  private static func session() -> TrimmingSession {
    var session = Clip.session(range(10, 60), isPlaying: false)
    session.after(
      .playheadDidMove(to: at(40)), .markerDidAdd, .playheadDidMove(to: at(10)), .markerDidAdd)
    return session
  }

  private func places(_ session: TrimmingSession) -> [MediaTime] {
    session.list.markers.map(\.position)
  }

  @Test func `they are in the order of the video, exactly where the playhead was`() {
    var session = Self.session()
    session.after(.playheadDidMove(to: at(1001, 30_000)), .markerDidAdd)
    #expect(places(session) == [at(1001, 30_000), at(10), at(40)])
    #expect(Set(session.list.markers.map(\.id)).count == 3)
    #expect(session.parts.map(\.range) == [range(10, 60)], "the parts are what they were")
  }

  @Test func `adding, naming and deleting are undone one by one`() throws {
    var session = Self.session()
    let last = try #require(session.list.markers.last)
    session.after(.markerDidRename(id: last.id, name: "goal"), .markerDidDelete(id: nil))
    #expect(places(session) == [at(40)])
    #expect(session.list.markers.first?.name == "goal")
    session.after(.undoDidTap)
    #expect(places(session) == [at(10), at(40)])
    session.after(.undoDidTap)
    #expect(session.list.markers.map(\.name) == ["", ""])
    session.after(.undoDidTap, .undoDidTap)
    #expect(places(session) == [])
    session.after(.redoDidTap)
    #expect(places(session) == [at(40)])
  }

  @Test func `the playhead goes to the next and to the previous one, and says if there is none`() {
    var session = Self.session()
    session.after(.playheadDidMove(to: at(20)), .markerDidStep(by: 1))
    #expect(session.playbackTime == at(40))
    session.after(.markerDidStep(by: 1))
    #expect(session.notice == .noMarkerAfter)
    session.after(.markerDidStep(by: -1))
    #expect(session.playbackTime == at(10))
    session.after(.markerDidStep(by: -1))
    #expect(session.notice == .noMarkerBefore)
  }

  @Test func `there is one in a place, and only one that is there is deleted`() {
    var session = Self.session()
    session.after(.markerDidAdd)
    #expect(session.notice == .markerIsHere)
    session.after(.playheadDidMove(to: at(11)), .markerDidDelete(id: nil))
    #expect(session.notice == .noMarkerHere)
    #expect(places(session) == [at(10), at(40)])
  }

  @Test func `they are sent and kept with the parts, and lists of before have none`() throws {
    let list = Self.session().list
    let bytes = try JSONEncoder().encode(list)
    #expect(try JSONDecoder().decode(PartList.self, from: bytes) == list)
    let old = #"{"parts":[{"id":1,"range":{"start":"0","end":"9"},"name":""}],"selected_index":0,"#
    let before = try JSONDecoder().decode(
      PartList.self, from: Data((old + #""joins":false}"#).utf8))
    #expect(before.markers.isEmpty)
    #expect(!String(decoding: try JSONEncoder().encode(before), as: UTF8.self).contains("markers"))
  }

  @Test func `when work returns, then those outside the video are left out`() {
    let kept = Self.session().list
    let short = VideoTimings(bounds: range(0, 30))
    var session = Clip.session(range(0, 20), isPlaying: false, timings: short)
    session.after(.partsDidReturn(kept))
    #expect(places(session) == [at(10)])
  }
}
