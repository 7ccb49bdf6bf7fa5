import ExactTime
import Testing
import Trimming

@Suite struct `Given three changes of the range` {
  private static func session() -> TrimmingSession {
    var session = Clip.session(range(1, 60))
    for start in [2, 3, 4] as [Int64] { session.selecting(range(start, 60)) }
    return session
  }

  @Test func `then undo goes back through all of them, newest first, and then does nothing`() {
    var session = Self.session()
    var starts: [MediaTime] = []
    while session.canUndo {
      session.after(.undoDidTap)
      starts.append(session.timeRange.start)
    }
    #expect(starts == [at(3), at(2), at(1)])
    #expect(session.after(.undoDidTap) == [])
  }

  @Test func `then redo repeats what was undone, in order, and then does nothing`() {
    var session = Self.session()
    session.after(.undoDidTap, .undoDidTap, .undoDidTap)
    var starts: [MediaTime] = []
    while session.canRedo {
      session.after(.redoDidTap)
      starts.append(session.timeRange.start)
    }
    #expect(starts == [at(2), at(3), at(4)])
    #expect(session.after(.redoDidTap) == [])
  }

  @Test func `then a new change after an undo leaves nothing to redo`() {
    var session = Self.session()
    session.after(.undoDidTap)
    session.selecting(range(8, 9))
    #expect(!session.canRedo)
    session.after(.undoDidTap)
    #expect(session.timeRange == range(3, 60))
  }

  @Test func `then undo judges the length again`() {
    var session = Clip.session(range(0, 100))
    session.selecting(range(0, 10))
    #expect(session.isVideoLengthValid)
    session.after(.undoDidTap)
    #expect(!session.isVideoLengthValid)
  }

  @Test func `then undo and redo are logged`() {
    var session = Self.session()
    let effects = session.after(.undoDidTap, .redoDidTap)
    #expect(effects.logged.map(\.parameters.last?.value) == [.text("undo"), .text("redo")])
  }

  @Test func `then beyond a thousand steps the oldest are forgotten`() {
    var session = Clip.session(range(0, 299))
    for step in 1...1_500 { session.selecting(range(at(Int64(step), 10), at(299))) }
    var count = 0
    while session.canUndo {
      session.after(.undoDidTap)
      count += 1
    }
    #expect(count == 1_000)
    #expect(session.timeRange.start == at(50))
  }
}
