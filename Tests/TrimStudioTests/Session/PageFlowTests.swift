import ExactTime
import Support
import Testing
import Trimming

@testable import TrimStudio

@MainActor @Suite(.timeLimit(.minutes(1))) struct `Given a page of a studio` {
  /// Runs the work of an admitted browser on its own thread.
  private func visiting<Value: Sendable>(
    _ stage: StudioStage, _ work: @escaping @Sendable (Visitor) throws -> Value
  ) async throws -> Value {
    defer { stage.stop() }
    return try await BlockingWork.run { try work(Visitor(stage)) }
  }

  @Test func `then it gets the facts of the file and the session state`() async throws {
    let (opening, heard) = try await visiting(try StudioStage()) { visitor in
      (try visitor.get("/files/0/opening"), try visitor.listen().read(until: "\"output\""))
    }
    #expect(
      String(decoding: opening.body, as: UTF8.self)
        .contains(#""frames":{"first":"0","length":"1/25","count":250}"#))
    #expect(heard.contains(#""screen":"ready""#))
    #expect(heard.contains(#""snap":"frame""#))
  }

  @Test func `then it gets the times of three hours of unevenly spaced frames`()
    async throws
  {
    let starts = (0..<300_000).map { number in
      MediaTime(seconds: Rational(Int64(number) * 3003 + Int64(number % 2), 90_000))
    }
    let stage = try StudioStage(seconds: 10_010, frames: FrameInstants(starts))
    let (opening, heard) = try await visiting(stage) { visitor in
      (try visitor.get("/files/0/opening"), try visitor.listen().read(until: "\"output\""))
    }
    #expect(opening.status == 200)
    #expect(opening.body.count > 1 << 20)
    #expect(heard.contains(#""screen":"ready""#))
  }

  @Test func `when a listed file is opened, then it is one of the files, once`() async throws {
    let stage = try StudioStage(opensFiles: true)
    let (listing, replies, files) = try await visiting(stage) { visitor in
      (
        try visitor.get("/folders"),
        try [1, 1, 2].map { try visitor.post("/open", "{\"file\":\($0)}") },
        try visitor.get("/files")
      )
    }
    #expect(listing.text.contains(#""files":[{"id":1,"name":"other.mp4"}]"#))
    #expect(replies.map(\.status) == [200, 200, 422])
    #expect(replies[0].text == replies[1].text)
    #expect(replies[0].text.contains(#"{"number":1}"#))
    #expect(files.text.contains(#""id":1,"name":"other.mp4""#))
    #expect(!files.text.contains(#""id":2"#))
  }

  @Test func `then paths, unknown numbers and other members open nothing`() async throws {
    let stage = try StudioStage(opensFiles: true)
    let statuses = try await visiting(stage) { visitor in
      try ["/folders/..", "/folders/1", "/folders/-1", "/folders/0/1", "/folders/00"].map {
        try visitor.get($0).status
      }
        + [#"{"file":"../x"}"#, #"{"path":"/etc/passwd"}"#, #"{"file":1,"path":"x"}"#].map {
          try visitor.post("/open", $0).status
        }
    }
    #expect(statuses.allSatisfy { (400...422).contains($0) }, "\(statuses)")
    let without = try await visiting(try StudioStage()) { visitor in
      [try visitor.get("/folders").status, try visitor.post("/open", "{\"file\":1}").status]
    }
    #expect(without == [422, 400])
  }

  @Test func `when the studio is quit, then every page is told why it ended`() async throws {
    let stage = try StudioStage()
    let running = Task { await stage.studio.run { false } }
    let heard = try await visiting(stage) { visitor in
      let page = try visitor.listen()
      _ = page.read(until: #""output""#)
      try visitor.post("/quit", "{}")
      return page.read(until: "event: end")
        + page.read(until: "close this page")
    }
    await running.value
    #expect(heard.contains("Quit was pressed on a page."))
  }

  @Test func `when handles are dragged, then every page gets the session's range`()
    async throws
  {
    let heard = try await visiting(try StudioStage()) { visitor in
      let (one, other) = (try visitor.listen(page: "a"), try visitor.listen(page: "b"))
      for input in [
        #"{"type":"drag_did_begin"}"#,
        #"{"type":"time_range_did_change","from":"1000001/500000","to":"10"}"#,
        #"{"type":"time_range_did_change","from":"3000001/1000000","to":"10"}"#,
        #"{"type":"drag_did_end"}"#,
      ] { try visitor.input(input) }
      let wanted = #""time_range":{"start":"3","end":"10"}"#
      return [one, other].map { $0.read(until: wanted).contains(wanted) }
    }
    #expect(heard == [true, true])
  }

  @Test func `when a step is undone and redone, then both are announced`() async throws {
    let heard = try await visiting(try StudioStage()) { visitor in
      let page = try visitor.listen()
      try visitor.input(#"{"type":"nudge","handle":"in","step":{"frames":25}}"#)
      let changed = page.read(until: #""start":"1","end":"10"},"list""#)
      try visitor.input(#"{"type":"undo_did_tap"}"#)
      let undone = page.read(until: #""can_redo":true"#)
      try visitor.input(#"{"type":"redo_did_tap"}"#)
      return [changed, undone, page.read(until: #""can_redo":false"#)]
    }
    #expect(heard[0].contains(#""can_undo":true"#))
    #expect(heard[1].contains(#""time_range":{"start":"0","end":"10"}"#))
    #expect(heard[2].contains(#""time_range":{"start":"1","end":"10"}"#))
  }

  @Test func `when a frame is saved, then it is the one on screen, named after when it begins`()
    async throws
  {
    let reply = try await visiting(try StudioStage()) { visitor in
      try visitor.get("/files/0/snapshot?at=1001/10000")
    }
    #expect(reply.status == 200)
    #expect(reply.value("content-type") == "image/png")
    #expect(
      reply.value("content-disposition")
        == "attachment; filename=\"clip _ 2_25.png\"; filename*=UTF-8''clip%20%C3%A9%202%2F25.png")
    #expect(Array(reply.body) == [8, 9])
  }

  @Test func `when another audio track is chosen, then its sound and levels come, and no other's`()
    async throws
  {
    let replies = try await visiting(try StudioStage()) { visitor in
      try [
        "sounds/3/segment?kind=sound&as=made&from=0&to=1", "sounds/3/levels?from=0&to=1&count=2",
        "levels?from=0&to=1&count=2", "sounds/4/levels?from=0&to=1&count=2",
        "sounds/3/segment?kind=video&as=made&from=0&to=1", "sounds/3/media",
      ].map { try visitor.get("/files/0/" + $0) }
    }
    #expect(replies.map(\.status) == [200, 200, 200, 422, 404, 404])
    #expect(replies.prefix(3).map { Array($0.body) } == [[33], [3, 3], [9, 9]])
  }

  @Test func `when a marker gets a name that hides something, then it is refused`() async throws {
    let status = try await visiting(try StudioStage()) { visitor in
      try visitor.input(#"{"type":"marker_did_add"}"#)
      return try visitor.post(
        "/files/0/input",
        "{\"page\":\"a\",\"message\":{\"version\":1,\"input\":{\"type\":\"marker_did_rename\","
          + "\"id\":1,\"name\":\"a\\u202Eb\"}}}"
      ).status
    }
    #expect(status == 422)
  }

  @Test func `when a time is typed, then it is exact, or refused with a message`()
    async throws
  {
    let (heard, refusal) = try await visiting(try StudioStage()) { visitor in
      let page = try visitor.listen()
      try visitor.post("/files/0/text", #"{"purpose":"in","text":"1001/30000"}"#)
      let heard = page.read(until: #""start":"1001/30000""#)
      return (heard, try visitor.post("/files/0/text", #"{"purpose":"out","text":"soon"}"#))
    }
    #expect(heard.contains(#""start":"1001/30000""#))
    #expect(refusal.status == 422)
    #expect(refusal.text == "no time: soon\n")
  }

  @Test func `when the part is too long, then the verdict says so, and Export does nothing`()
    async throws
  {
    let stage = try StudioStage()
    let heard = try await visiting(stage) { visitor in
      let page = try visitor.listen()
      try visitor.post("/files/0/text", #"{"purpose":"limit","text":"19/2"}"#)
      let heard = page.read(until: "too_long")
      try visitor.input(#"{"type":"export_did_tap"}"#)
      return heard
    }
    #expect(heard.contains(#""verdict":{"verdict":"too_long","by":"1/2"}"#))
    stage.exports.expect()
  }

  @Test func `when one page plays, then its reports count and those of others do not`()
    async throws
  {
    let heard = try await visiting(try StudioStage()) { visitor in
      let page = try visitor.listen(page: "a")
      try visitor.input(#"{"type":"play_did_tap"}"#)
      try visitor.input(#"{"type":"playback_time_did_change","position":"7"}"#, page: "b")
      try visitor.input(#"{"type":"playback_time_did_change","position":"4"}"#)
      let going = page.read(until: #""playback_time":"4""#)
      try visitor.input(#"{"type":"playback_time_did_change","position":"10"}"#)
      return [going, page.read(until: "restarted_video")]
    }
    #expect(!heard[0].contains(#""playback_time":"7""#))
    #expect(heard[0].contains(#""player":"a""#))
    #expect(heard[1].contains(#""type":"restarted_video","position":"0""#))
  }

  @Test func `when the page that plays goes away, then playback is paused`() async throws {
    let stage = try StudioStage()
    let running = Task { await stage.studio.run { false } }
    let heard = try await visiting(stage) { visitor in
      let other = try visitor.listen(page: "b")
      do {
        let page = try visitor.listen(page: "a")
        _ = page.read(until: "event: state")
        try visitor.input(#"{"type":"play_did_tap"}"#)
        _ = other.read(until: #""is_playing":true"#)
      }
      return other.read(until: #""is_playing":false"#, silence: 15)
    }
    await running.value
    #expect(heard.contains(#""is_playing":false"#))
  }

  @Test func `when Export is pressed, then the file is written, announced and served`()
    async throws
  {
    let stage = try StudioStage()
    let (heard, result) = try await visiting(stage) { visitor in
      let page = try visitor.listen()
      try visitor.input(#"{"type":"nudge","handle":"out","step":{"seconds":"-4"}}"#)
      try visitor.input(#"{"type":"export_did_tap"}"#)
      let heard = page.read(until: #""results":[{"#)
      return (heard, try visitor.get("/files/0/results/0", more: "Range: bytes=0-9\r\n"))
    }
    #expect(heard.contains(#""place":"/out/clip-trimmed.mp4""#))
    #expect(result.status == 206)
    #expect(result.body.count == 10)
    #expect(result.value("content-range") == "bytes 0-9/5000")
    #expect(
      result.value("content-disposition")
        == "attachment; filename=\"clip-trimmed.mp4\"; filename*=UTF-8''clip-trimmed.mp4")
    let range = try #require(MediaTimeRange(from: .zero, to: MediaTime(6)))
    stage.exports.expect(
      ExportRequest(id: 1, location: "clip.mp4", range: range, limit: .standard))
  }

  @Test func `when an export is cancelled, then it ends and another may begin`() async throws {
    let stage = try StudioStage(ending: .never)
    let heard = try await visiting(stage) { visitor in
      let page = try visitor.listen()
      try visitor.input(#"{"type":"export_did_tap"}"#)
      let going = page.read(until: #""fraction":"1/2""#)
      try visitor.input(#"{"type":"export_cancel_did_tap"}"#)
      return [going, page.read(until: #""export_state":{"state":"idle"}"#)]
    }
    #expect(heard[0].contains(#""state":"exporting""#))
    #expect(heard[1].contains(#""is_export_enabled":true"#))
    await stage.exports.events(atLeast: 1)
    stage.exports.expect(
      ExportRequest(
        id: 1, location: "clip.mp4",
        range: try #require(MediaTimeRange(from: .zero, to: MediaTime(10))), limit: .standard))
  }

  @Test func `when an export fails, then the alert says why until it is closed`() async throws {
    let stage = try StudioStage(ending: .failure("the disk is full"))
    let heard = try await visiting(stage) { visitor in
      let page = try visitor.listen()
      try visitor.input(#"{"type":"export_did_tap"}"#)
      let failed = page.read(until: "\"words\":{\"verdict\":\"valid\",\"alert\"")
      try visitor.input(#"{"type":"alert_did_close"}"#)
      return failed + page.read(until: "\"output\"")
    }
    #expect(heard.contains("the disk is full"))
    stage.exports.expect(
      ExportRequest(
        id: 1, location: "clip.mp4",
        range: try #require(MediaTimeRange(from: .zero, to: MediaTime(10))), limit: .standard))
  }

  @Test func `then the video is served in the requested parts`() async throws {
    let replies = try await visiting(try StudioStage()) { visitor in
      [
        try visitor.get("/files/0/media"),
        try visitor.get("/files/0/media", more: "Range: bytes=4990-\r\n"),
        try visitor.get("/files/0/media", more: "Range: bytes=9000-\r\n"),
      ]
    }
    #expect(replies.map(\.status) == [200, 206, 416])
    #expect(replies.map(\.body.count) == [5000, 10, 0])
    #expect(replies[0].value("accept-ranges") == "bytes")
  }

  @Test func `then every answer forbids foreign scripts, framing and content sniffing`()
    async throws
  {
    let replies = try await visiting(try StudioStage()) { visitor in
      try ["/", "/studio.js", "/files", "/nothing", "/files/0/media"].map { try visitor.get($0) }
    }
    for reply in replies {
      let policy = try #require(reply.value("content-security-policy"))
      #expect(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"))
      #expect(!policy.contains("unsafe"))
      #expect(reply.value("x-content-type-options") == "nosniff")
      #expect(reply.value("referrer-policy") == "no-referrer")
      #expect(reply.value("cross-origin-resource-policy") == "same-origin")
    }
  }

  @Test(arguments: [
    "<img src=x onerror=alert(1)>.mp4", "a\" onload=\"x.mp4", "b'&lt;.mp4",
    "c\r\nSet-Cookie: x.mp4",
    "</script><script>alert(1)</script>.mp4",
  ])
  func `when a name contains markup, then it is text in JSON and in no header`(_ name: String)
    async throws
  {
    let heard = try await visiting(try StudioStage(name: name)) { visitor in
      [try visitor.get("/files").text, try visitor.listen().read(until: "\"output\"")]
    }
    #expect(heard.allSatisfy { !$0.contains("\r\nSet-Cookie: x") })
    // The page itself is the same for every file.
    let page = try #require(StaticPage.bytes("index.html"))
    #expect(!String(decoding: page, as: UTF8.self).contains(name))
  }

  @Test func `then no script of the page writes markup`() throws {
    let scripts = try ["studio", "controls", "player", "timeline", "wire", "keys"].map {
      String(decoding: try #require(StaticPage.bytes($0 + ".js")), as: UTF8.self)
    }
    for word in ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("] {
      #expect(scripts.allSatisfy { !$0.contains(word) }, "\(word)")
    }
    #expect(scripts.reduce(0) { $0 + $1.utf8.count } < 200_000)
  }

  @Test func `when Quit is pressed, then the studio ends`() async throws {
    let stage = try StudioStage()
    let running = Task { await stage.studio.run { false } }
    let status = try await BlockingWork.run { try Visitor(stage).post("/quit", "{}").status }
    #expect(status == 204)
    await running.value
  }

  @Test func `when no page has been connected for long, then the studio ends`() async throws {
    let entry = StudioEntry(
      name: "clip.mp4", open: { throw VideoFailure("nobody opens it") },
      look: { throw VideoFailure("nobody looks into it") },
      glance: { .init(length: "", verdict: "", isValid: true) })
    var settings = Studio.Settings()
    settings.idleExit = .seconds(30)
    let clock = ManualClock()
    let studio = Studio([entry], settings: settings, clock: clock)
    _ = try studio.start()
    let running = Task { await studio.run { false } }
    for _ in 0..<300 {
      await clock.sleepers(atLeast: 1)
      clock.advance(by: .milliseconds(100))
    }
    await running.value
  }
}
