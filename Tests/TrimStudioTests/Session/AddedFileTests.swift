import ExactTime
import Support
import Synchronization
import Testing
import Trimming

@testable import TrimStudio

@MainActor @Suite(.timeLimit(.minutes(1))) struct `Given a page that adds a file` {
  private static func file(_ name: String, _ seconds: Int64) -> StudioFile {
    let media = StudioMedia(type: "video/mp4") { .init(descriptor: -1, size: 0) }
    return StudioStage.file(name, seconds, nil, media)
  }

  @Test func `then its part follows the others, and an export is of both`() async throws {
    let stage = try StudioStage(opensFiles: true)
    defer { stage.stop() }
    let (heard, statuses) = try await BlockingWork.run {
      let visitor = try Visitor(stage)
      let page = try visitor.listen()
      let opened = try visitor.post("/open", "{\"file\":1}")
      let added = try visitor.post("/files/0/sources", "{\"file\":1}")
      let heard = page.read(until: "\"sources\":[{\"file\":0,\"name\":\"clip.mp4\"},{\"file\":1,")
      try visitor.input("{\"type\":\"export_did_tap\"}")
      return (heard, [opened.status, added.status])
    }
    #expect(statuses == [200, 204])
    #expect(heard.contains("\"source\":1"))
    let whole = try #require(MediaTimeRange(from: .zero, to: MediaTime(10)))
    let list = try #require(
      PartList(
        [.init(id: 1, range: whole), .init(id: 2, range: whole, source: 1)], joins: true))
    stage.exports.expect(
      ExportRequest(
        id: 1, location: "clip.mp4", sources: ["clip.mp4", "clip.mp4"], list: list,
        limit: .standard))
  }

  @Test func `when it names no file of the studio then it is refused`() async throws {
    let stage = try StudioStage(opensFiles: true)
    defer { stage.stop() }
    let statuses = try await BlockingWork.run {
      let visitor = try Visitor(stage)
      return try [
        "{\"file\":1}", "{\"file\":-1}", "{\"file\":\"../b.mp4\"}", "{\"path\":\"/b.mp4\"}", "",
      ].map {
        try visitor.post("/files/0/sources", $0).status
      }
    }
    #expect(statuses == [400, 400, 400, 400, 400])
  }

  @Test func `when a page sends the inputs itself then they are refused`() async throws {
    let stage = try StudioStage(opensFiles: true)
    defer { stage.stop() }
    let statuses = try await BlockingWork.run {
      let visitor = try Visitor(stage)
      let source =
        "{\"location\":\"/etc/passwd\",\"bounds\":{\"start\":\"0\",\"end\":\"9\"},"
        + "\"timings\":{\"frames\":{\"times\":[]},\"keyframes\":{\"times\":[]}}}"
      return try [
        "{\"type\":\"source_did_add\",\"video\":\(source)}",
        "{\"type\":\"part_did_append\",\"source\":0}",
      ].map { input in
        try visitor.post(
          "/files/0/input",
          "{\"page\":\"p\",\"message\":{\"version\":1,\"input\":\(input)}}"
        ).status
      }
    }
    #expect(statuses == [400, 400])
  }

  @Test func `then each file is one source, however often it is added`() async throws {
    let first = OpenFile(Self.file("a.mp4", 10), number: 4, limit: .standard)
    let other = OpenFile(Self.file("b.mp4", 20), number: 7, limit: .standard)
    let range = try #require(MediaTimeRange(from: MediaTime(2), to: MediaTime(3)))
    try await first.append(other, number: 7, ranges: nil)
    try await first.append(other, number: 7, ranges: [range])
    try await first.append(first, number: 4, ranges: nil)
    #expect(first.presenter.list.parts.map(\.source) == [0, 1, 1, 0])
    #expect(first.presenter.list.parts[2].range == range)
    #expect(first.presenter.session.sources.count == 2 && first.added.count == 1)
    #expect(first.shown.about.name == "a.mp4")
    first.presenter.partDidSelect(id: 2)
    #expect(first.shown.about.name == "b.mp4")
  }

  @Test func `when playback of a file is reported after another is selected then it is ignored`()
    async throws
  {
    let first = OpenFile(Self.file("a.mp4", 10), number: 4, limit: .standard)
    let other = OpenFile(Self.file("b.mp4", 20), number: 7, limit: .standard)
    try await first.append(other, number: 7, ranges: nil)
    let parts = first.presenter.list.parts.map(\.id)
    first.take(.partDidSelect(id: parts[0]), from: "p")
    first.take(.playDidTap, from: "p")
    first.take(.playbackTimeDidChange(currentTime: MediaTime(4)), from: "p")
    #expect(first.presenter.session.playbackTime == MediaTime(4))
    first.take(.partDidSelect(id: parts[1]), from: "p")
    first.take(.playbackTimeDidChange(currentTime: MediaTime(5)), from: "p")
    #expect(first.presenter.session.playbackTime == .zero)
    first.take(.playDidTap, from: "p")
    first.take(.playbackTimeDidChange(currentTime: MediaTime(6)), from: "p")
    #expect(first.presenter.session.playbackTime == MediaTime(6))
  }

  @Test func `when the work is opened again then it waits for the other file`() async throws {
    let kept = Mutex<Project?>(nil)
    func open() -> OpenFile {
      var file = Self.file("a.mp4", 10)
      file.work = WorkPort(
        load: { kept.withLock { $0 } }, keep: { new in kept.withLock { $0 = new } }, forget: {})
      return OpenFile(file, limit: .standard)
    }
    let (before, other) = (open(), OpenFile(Self.file("b.mp4", 20), number: 7, limit: .standard))
    try await before.append(other, number: 7, ranges: nil)
    before.keepNow()
    #expect(kept.withLock { $0?.list.sources.count } == 2)

    let after = open()
    #expect(after.presenter.list.parts.count == 1 && after.work.waiting != nil)
    await after.work.goOn { others in
      #expect(others.count == 1)
      return [try await after.index(of: other.file, number: 7)]
    }
    #expect(after.presenter.list == before.presenter.list && after.hasReturned)

    let without = open()
    await without.work.goOn { _ in throw VideoFailure("b.mp4 is gone.") }
    #expect(without.presenter.list.parts.count == 1 && !without.hasReturned)
    #expect(
      without.work.note?.hasPrefix("Your earlier work was not applied: b.mp4 is gone. ") == true)
    without.presenter.timeRangeDidChange(from: MediaTime(2), to: MediaTime(8))
    without.keepNow()
    #expect(kept.withLock { $0?.list.sources.count } == 2, "it is not overwritten")
    without.forgetWork()
    without.keepNow()
    #expect(kept.withLock { $0?.list.sources.count } == 1)
    #expect(without.presenter.timeRange.start == MediaTime(2), "new work stays")
  }

  @Test func `when work has parts of another file then a page shows the first one`() async throws {
    let stage = try StudioStage(opensFiles: true)
    defer { stage.stop() }
    var other = stage.studio.entries[0]
    other.identity = [1]
    #expect(try await stage.studio.accompany(other) == 1)
    #expect(stage.studio.onlyFile == 0 && stage.studio.entries.count == 2)
    let status = try await BlockingWork.run {
      let visitor = try Visitor(stage)
      return try visitor.post("/open", "{\"file\":1}").status
    }
    #expect(status == 200 && stage.studio.onlyFile == nil, "it was opened by a page")
  }

  @Test func `then a plan tells what is re-encoded of the file that is shown`() throws {
    let ranges = try [(1, 2), (3, 4)].map {
      try #require(MediaTimeRange(from: MediaTime($0), to: MediaTime($1)))
    }
    var outlook = StudioCutting.Outlook(sentence: "", encoded: ranges)
    #expect(outlook.shown(ofSource: 0).encoded == ranges)
    outlook.encodedSources = [1, 0]
    #expect(outlook.shown(ofSource: 0).encoded == [ranges[1]])
    #expect(outlook.shown(ofSource: 1).encoded == [ranges[0]])
  }
}
