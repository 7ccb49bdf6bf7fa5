import ExactTime
import Synchronization
import Testing
import Trimming

@testable import TrimStudio

/// What a port keeps, for the next opening.
private final class Keeper: Sendable {
  private let work = Mutex<KeptWork?>(nil)
  var now: KeptWork? { work.withLock { $0 } }

  var port: WorkPort {
    WorkPort(
      load: { self.now }, keep: { new in self.work.withLock { $0 = new } },
      forget: { self.work.withLock { $0 = nil } })
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
