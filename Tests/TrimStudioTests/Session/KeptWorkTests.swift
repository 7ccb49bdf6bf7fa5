import ExactTime
import Synchronization
import Testing
import Trimming

@testable import TrimStudio

/// What a port keeps, for the next opening.
private final class Keeper: Sendable {
  private let work = Mutex<Project?>(nil)
  let isOfOtherVersion = Mutex(false)
  let wasChangedElsewhere = Mutex(false)
  let limit = Mutex<LengthLimit?>(nil)
  var now: Project? { work.withLock { $0 } }

  var port: WorkPort {
    var port = WorkPort(
      load: { self.now }, keep: { new in self.work.withLock { $0 = new } },
      forget: { self.work.withLock { $0 = nil } })
    port.isOfOtherVersion = { self.isOfOtherVersion.withLock { $0 } }
    port.wasChangedElsewhere = { self.wasChangedElsewhere.withLock { $0 } }
    return port
  }

  var limits: LimitPort {
    LimitPort(
      load: { self.limit.withLock { $0 } }, keep: { new in self.limit.withLock { $0 = new } })
  }
}

@MainActor @Suite(.timeLimit(.minutes(1))) struct `Given work on a file in the studio` {
  private let keeper = Keeper()
  private let limit = LengthLimit(maximum: nil)

  private func open(seconds: Int64 = 10, limit: LengthLimit? = nil) -> OpenFile {
    let media = StudioMedia(type: "video/mp4") { .init(descriptor: -1, size: 0) }
    var file = StudioStage.file("clip.mp4", seconds, nil, media)
    file.work = keeper.port
    file.isLimitGiven = limit != nil
    if limit == nil { file.limit = keeper.limits }
    return OpenFile(file, limit: limit ?? self.limit)
  }

  private func work(on file: OpenFile) {
    file.presenter.timeRangeDidChange(from: MediaTime(2), to: MediaTime(8))
    file.presenter.playheadDidMove(to: MediaTime(5))
    file.presenter.partDidSplit()
    file.presenter.markerDidAdd()
    file.presenter.limitDidChange(to: .standard)
  }

  @Test func `when the studio ends and the file is opened again, then the work is back`() {
    let before = open()
    work(on: before)
    before.keepNow()
    let after = open()
    #expect(after.presenter.list == before.presenter.list)
    #expect(after.presenter.list.parts.count == 2)
    #expect(after.presenter.list.markers.map(\.position) == [MediaTime(5)])
    #expect(after.presenter.limit == .standard)
    #expect(after.hasReturned)
    after.presenter.undoDidTap()
    #expect(after.presenter.list.parts.count == 1, "it is one step, which can be undone")
  }

  @Test func `when it starts over, then nothing is left of it`() {
    let before = open()
    work(on: before)
    before.keepNow()
    let after = open()
    after.forgetWork()
    after.keepNow()
    #expect(after.presenter.list.parts.count == 1)
    #expect(after.presenter.limit == limit)
    #expect(keeper.now == nil)
    #expect(!open().hasReturned)
  }

  @Test func `when nothing was done, then nothing is kept`() {
    open().keepNow()
    #expect(keeper.now == nil)
  }

  @Test func `when the length or the frames differ, then the parts are not applied`() {
    let before = open()
    work(on: before)
    before.keepNow()
    let after = open(seconds: 11)
    #expect(after.presenter.list.parts.count == 1)
    #expect(!after.hasReturned)
  }

  @Test func `when there is work on another version of the file, then a note says so`() {
    keeper.isOfOtherVersion.withLock { $0 = true }
    let file = open()
    #expect(!file.hasReturned)
    #expect(file.work.note?.contains("another version") == true)
    keeper.isOfOtherVersion.withLock { $0 = false }
    #expect(open().work.note == nil)
    work(on: file)
    file.keepNow()
    #expect(open(seconds: 11).work.note?.contains("another version") == true)
  }

  @Test func `when another studio has changed it, then the last change counts, with a note`() {
    let file = open()
    work(on: file)
    file.keepNow()
    #expect(file.work.note == nil)
    keeper.wasChangedElsewhere.withLock { $0 = true }
    file.presenter.partDidDelete()
    file.keepNow()
    #expect(file.work.note?.contains("last change counts") == true)
    #expect(keeper.now?.list.parts.count == 1)
  }

  @Test func `when a limit is changed, then other files start with it`() throws {
    let file = open()
    try file.take("9", for: .limit)
    let nine = LengthLimit(maximum: MediaDuration(9))
    #expect(keeper.limit.withLock { $0 } == nine)
    #expect(open().presenter.limit == nine)
    #expect(!open().hasReturned, "it is not work on a file")
  }

  @Test func `then it is unwritten while it differs from what was there and was exported`() async {
    let file = open()
    #expect(!file.isUnwritten)
    work(on: file)
    #expect(file.isUnwritten)
    file.keepNow()
    #expect(!open().isUnwritten, "what has returned was not changed in this run")
    file.presenter.limitDidChange(to: limit)
    file.take(.exportDidTap, from: "a")
    while file.isExporting { await Task.yield() }
    #expect(!file.isUnwritten)
    file.presenter.partDidDelete()
    #expect(file.isUnwritten)
    file.presenter.undoDidTap()
    #expect(!file.isUnwritten)
  }

  @Test func `when the studio ends, then each cause and what became of the work is said`() {
    for (cause, word) in [
      (StudioEnd.Cause.quit, "Quit"), (.interrupted, "Ctrl-C"), (.idle, "--idle-exit"),
    ] { #expect(StudioEnd(cause, .none).text.contains(word)) }
    #expect(StudioEnd(.quit, .kept).text.contains("it returns"))
    #expect(StudioEnd(.quit, .lost).text.contains("is lost"))
    #expect(!StudioEnd(.quit, .none).text.contains("work"))
  }

  @Test func `when a limit was given, then it is only lowered, and the kept one is not used`()
    throws
  {
    let before = open()
    work(on: before)
    before.keepNow()
    let given = LengthLimit(maximum: MediaDuration(5))
    let after = open(limit: given)
    #expect(after.presenter.limit == given)
    #expect(throws: VideoFailure.self) { try after.take("6", for: .limit) }
    try after.take("4", for: .limit)
    try after.take("5", for: .limit)
    #expect(after.presenter.limit == given)
  }
}
