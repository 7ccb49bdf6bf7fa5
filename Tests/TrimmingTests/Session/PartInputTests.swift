import ExactTime
import Testing
import Trimming

@Suite struct `Given a session with several parts` {
  /// 10..20, 30..45 and 100..110, the last one selected.
  private static func session(joins: Bool = false) -> TrimmingSession {
    var session = Clip.session(range(10, 20), isPlaying: false)
    session.after(
      .partDidAdd(range: range(30, 45)), .partDidAdd(range: range(100, 110)),
      .joinDidChange(joins))
    return session
  }

  private func ranges(_ session: TrimmingSession) -> [MediaTimeRange] { session.parts.map(\.range) }

  @Test func `a part that is added is selected, and all are kept in their order`() {
    let session = Self.session()
    #expect(ranges(session) == [range(10, 20), range(30, 45), range(100, 110)])
    #expect(session.timeRange == range(100, 110))
    #expect(Set(session.parts.map(\.id)).count == 3)
  }

  @Test func `without a range it begins at the playhead and ends where the next one begins`() {
    var session = Clip.session(range(100, 110), isPlaying: false)
    session.after(.playheadDidMove(to: at(50)), .partDidAdd(range: nil))
    #expect(ranges(session) == [range(100, 110), range(50, 100)])
    session.after(.playheadDidMove(to: at(105)), .partDidSelect(id: 1), .partDidAdd(range: nil))
    #expect(session.timeRange == range(110, 300), "inside a part it begins behind the selected one")
  }

  @Test func `handles move only the selected part`() {
    var session = Self.session()
    session.after(.partDidSelect(id: session.parts[1].id))
    session.selecting(range(31, 44))
    #expect(ranges(session) == [range(10, 20), range(31, 44), range(100, 110)])
    #expect(session.playbackTime == at(31))
  }

  @Test func `a split makes two that meet at the playhead`() {
    var session = Self.session()
    session.after(.playheadDidMove(to: at(104)), .partDidSplit)
    #expect(
      ranges(session) == [range(10, 20), range(30, 45), range(100, 104), range(104, 110)])
    #expect(session.timeRange == range(104, 110))
  }

  @Test func `the part under the playhead is split, whichever is selected`() {
    var session = Self.session()
    session.after(
      .partDidSelect(id: session.parts[0].id), .playheadDidMove(to: at(104)), .partDidSplit)
    #expect(
      ranges(session) == [range(10, 20), range(30, 45), range(100, 104), range(104, 110)])
    #expect(session.timeRange == range(104, 110))
  }

  @Test func `parts that return replace the current ones, inside the video and as one step`() {
    let kept = Self.session().list
    var session = Clip.session(range(0, 30), isPlaying: false)
    session.after(.partsDidReturn(kept))
    #expect(session.list == kept)
    session.after(.partDidAdd(range: range(200, 210)))
    #expect(Set(session.parts.map(\.id)).count == session.parts.count, "new parts have new numbers")
    session.after(.undoDidTap, .undoDidTap)
    #expect(ranges(session) == [range(0, 30)])
  }

  @Test func `a split never makes a part of less than a frame`() {
    var session = Clip.session(range(10, 60), isPlaying: false)
    session.after(.playheadDidMove(to: at(59_999, 1_000)), .partDidSplit)
    #expect(ranges(session) == [range(10, 60)])
    #expect(session.notice == .partShorterThanFrame)
  }

  @Test func `the middle is removed in one step, and the rest is joined`() {
    var session = Clip.session(range(20, 30), isPlaying: false)
    session.after(.rangeDidRemove)
    #expect(ranges(session) == [range(0, 20), range(30, 300)])
    #expect(session.list.joins)
    session.after(.undoDidTap)
    #expect(ranges(session) == [range(20, 30)])
    #expect(!session.list.joins)
    session.after(.redoDidTap)
    #expect(ranges(session) == [range(0, 20), range(30, 300)])
  }

  @Test func `a removed part is also cut out of the others`() {
    var session = Self.session()
    session.selecting(range(15, 35))
    session.after(.rangeDidRemove)
    #expect(ranges(session) == [range(10, 15), range(35, 45)])
  }

  @Test func `the whole video cannot be removed`() {
    var session = Clip.session(range(0, 300))
    #expect(session.after(.rangeDidRemove) == [])
    #expect(session.notice == .nothingWouldRemain)
  }

  @Test func `parts can be reordered, deleted and named`() {
    var session = Self.session()
    let ids = session.parts.map(\.id)
    session.after(.partDidMove(by: -2))
    #expect(session.parts.map(\.id) == [ids[2], ids[0], ids[1]])
    #expect(session.list.selected.id == ids[2])
    session.after(.partDidDelete(id: ids[0]))
    #expect(session.parts.map(\.id) == [ids[2], ids[1]])
    session.after(.partDidDelete(id: nil))
    #expect(session.parts.map(\.id) == [ids[1]])
    session.after(.partDidRename(id: ids[1], name: "goal"))
    #expect(session.parts[0].name == "goal")
    #expect(session.after(.partDidDelete(id: nil)) == [])
  }

  @Test func `sorting changes the order of export, and one undo restores it`() {
    var session = Clip.session(range(50, 55), isPlaying: false)
    session.after(.partDidAdd(range: range(0, 20)))
    session.after(.partDidAdd(range: range(30, 40)))
    for (id, name) in [(1, "part 10"), (3, "Part 2")] {
      session.after(.partDidRename(id: id, name: name))
    }
    let before = session.list
    for (order, ids) in [
      (PartOrder.time, [2, 3, 1]), (.name, [3, 1, 2]), (.length, [1, 3, 2]),
    ] {
      session.after(.partsDidSort(by: order))
      #expect(session.parts.map(\.id) == ids, "by \(order)")
      #expect(session.list.selected.id == before.selected.id)
      session.after(.undoDidTap)
      #expect(session.list == before)
    }
    session.after(.partsDidSort(by: .time))
    session.after(.partsDidSort(by: .time))
    #expect(session.parts.map(\.id) == [1, 3, 2], "the second time, they are reversed")
  }

  @Test func `undo goes back through all of that, and redo forward`() {
    var session = Clip.session(range(10, 20), isPlaying: false)
    var lists = [session.list]
    for input: SessionInput in [
      .partDidAdd(range: range(30, 45)), .partDidMove(by: -1), .joinDidChange(true),
      .partDidRename(id: 2, name: "goal"), .timeRangeDidChange(from: at(31), to: at(44)),
      .partDidDelete(id: 1),
    ] {
      session.after(input)
      lists.append(session.list)
    }
    #expect(Set(lists).count == lists.count)
    for list in lists.dropLast().reversed() {
      session.after(.undoDidTap)
      #expect(session.list == list)
    }
    #expect(!session.canUndo)
    for list in lists.dropFirst() {
      session.after(.redoDidTap)
      #expect(session.list == list)
    }
  }

  @Suite struct `When their length is judged` {
    @Test func `then separate files are judged individually`() {
      var session = Clip.session(range(0, 60), isPlaying: false)
      session.after(.partDidAdd(range: range(100, 160)))
      #expect(session.isVideoLengthValid)
      session.selecting(range(100, 161))
      #expect(session.verdict == .tooLong(by: MediaDuration(1, 2)))
      session.after(.partDidSelect(id: 1))
      #expect(!session.isVideoLengthValid, "the other one is still too long")
    }

    @Test func `then joined parts are judged by their sum, which is exact`() {
      var session = Clip.session(range(at(0), at(30)), isPlaying: false)
      session.after(.partDidAdd(range: range(at(100), at(261, 2))), .joinDidChange(true))
      #expect(session.verdict == .tooLong(by: .zero))
      session.selecting(range(at(100), at(13_049, 100)))
      #expect(session.isVideoLengthValid)
      session.after(.joinDidChange(false))
      #expect(session.isVideoLengthValid)
    }

    @Test func `then a new limit applies at once`() {
      var session = Clip.session(range(0, 100))
      let effects = session.after(.limitDidChange(LengthLimit(maximum: nil)))
      #expect(session.isVideoLengthValid)
      #expect(effects.reported == [.validityDidChange(.valid)])
      session.after(.limitDidChange(LengthLimit(maximum: MediaDuration(100))))
      #expect(session.verdict == .tooLong(by: .zero))
    }
  }

  @Suite struct `When they are exported` {
    @Test func `then the request has all of them, their order and whether they are joined`() throws
    {
      for joins in [false, true] {
        var session = `Given a session with several parts`.session(joins: joins)
        session.after(.partDidMove(by: -2))
        let request = try #require(session.after(.exportDidTap).exports.first)
        #expect(request.parts.map(\.range) == [range(100, 110), range(10, 20), range(30, 45)])
        #expect(request.joins == joins)
        session.after(.exportDidFinish(id: request.id, locations: ["a.mp4", "b.mp4"]))
        #expect(session.exportedLocations == ["a.mp4", "b.mp4"])
      }
    }

    @Test func `then one that is too long prevents the export of all`() {
      var session = `Given a session with several parts`.session()
      session.selecting(range(100, 200))
      session.after(.partDidSelect(id: 1))
      let effects = session.after(.exportDidTap)
      #expect(effects.exports.isEmpty)
      #expect(effects.logged.map(\.name) == [.exportRefused])
    }
  }
}
