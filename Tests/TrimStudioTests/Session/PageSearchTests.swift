import Foundation
import Support
import Testing
import Trimming

@testable import TrimStudio

@MainActor @Suite(.timeLimit(.minutes(1))) struct `Given a page that looks for something` {
  private func visiting<Value: Sendable>(
    _ stage: StudioStage, _ work: @escaping @Sendable (Visitor) throws -> Value
  ) async throws -> Value {
    defer { stage.stop() }
    return try await BlockingWork.run { try work(Visitor(stage)) }
  }

  private nonisolated static func wish(_ kinds: String, _ more: String = "") -> String {
    "{\"page\":\"a\",\"kinds\":[\(kinds)]\(more)}"
  }

  @Test func `then it is told what can be looked for`() async throws {
    let opening = try await visiting(try StudioStage()) { try $0.get("/files/0/opening").text }
    #expect(opening.contains(#""id":"silence_level","title":"Below (dBFS)","usual":"-40""#))
    #expect(opening.contains(#"{"kind":"black","refusal":"no video","thresholds":[]}"#))
  }

  @Test func `when it was found, then all pages are told, and one undo brings it back`()
    async throws
  {
    let (heard, list) = try await visiting(try StudioStage()) { visitor in
      let (page, other) = (try visitor.listen(), try visitor.listen(page: "b"))
      try visitor.post("/files/0/find", Self.wish(#""silence""#))
      let reported = #""gaps":["not examined: 8 to 9"]"#
      let found = page.read(until: reported) + other.read(until: reported)
      let list = try visitor.get("/files/0/findings").text
      try visitor.input(#"{"type":"findings_did_remove","ids":[1],"margin":"1/2"}"#)
      let removed = page.read(until: #""range":{"start":"7/2","end":"10"}"#)
      try visitor.input(#"{"type":"undo_did_tap"}"#)
      return ([found, removed, page.read(until: #""can_undo":false"#)], list)
    }
    #expect(heard[0].components(separatedBy: #""count":2"#).count > 2)
    #expect(list.contains(#""words":"2 – 4","length":"2""#))
    #expect(heard[1].contains(#""range":{"start":"0","end":"5/2"}"#))
    #expect(heard[2].contains(#""range":{"start":"0","end":"10"}"#))
  }

  @Test func `when it cannot be looked for, then it is told why`() async throws {
    let (statuses, words) = try await visiting(try StudioStage()) { visitor in
      let replies = try [
        Self.wish(""), Self.wish(#""silence""#, #","thresholds":{"silence_level":"loud"}"#),
        Self.wish(#""noise""#), Self.wish(#""silence""#, #","path":"/etc/passwd""#),
        Self.wish(#""silence""#, #","thresholds":{"output":"x"}"#),
      ].map { try visitor.post("/files/0/find", $0) }
      let page = try visitor.listen()
      try visitor.post("/files/0/find", Self.wish(#""black""#))
      return (replies.map(\.status), replies[1].text + page.read(until: "it has no video"))
    }
    #expect(statuses == [422, 422, 400, 400, 400])
    #expect(words.contains("no level: loud"))
    #expect(words.contains(#""failure":"it has no video""#))
  }

  @Test func `when it stops, or something else is looked for, then nothing else comes of it`()
    async throws
  {
    let heard = try await visiting(try StudioStage()) { visitor in
      let page = try visitor.listen()
      let running = #""finding":{"number":0,"count":0,"page":"a""#
      try visitor.post("/files/0/find", Self.wish(#""still""#))
      let first = page.read(until: running)
      try visitor.post("/files/0/find/end", "{}")
      let stopped = page.read(until: #""finding":{"number":0,"count":0,"gaps""#)
      try visitor.post("/files/0/find", Self.wish(#""still""#))
      _ = page.read(until: running)
      try visitor.post("/files/0/find", Self.wish(#""silence""#))
      return [first, stopped, page.read(until: #""number":1,"count":2"#)]
    }
    #expect(heard[0].contains(#""page":"a""#))
    #expect(!heard[1].contains("it was stopped"))
    #expect(heard[2].contains(#""number":1,"count":2"#))
  }

  @Test func `when its page is gone, then it ends, and goes on while it is there`() async throws {
    let (stops, reported) = AsyncStream.makeStream(of: Bool.self)
    var file = StudioStage.file(
      "clip.mp4", 10, nil,
      StudioMedia(type: "video/mp4", byteCount: 0) { _ in [] })
    file.finding = StudioFinding(work: { _ in
      { isCancelled in
        while !isCancelled() { try await Task.sleep(for: .milliseconds(2)) }
        reported.yield(true)
        return .init(findings: [], sentence: "")
      }
    })
    let presenter = TrimmingPresenter(
      video: file.video, isPlaying: false,
      ports: TrimmingPorts(
        probe: ProbePort { [timings = file.timings] _ in timings }, flags: file.flags,
        export: file.cutting.export))
    let search = StudioSearch(file, presenter)
    try search.start(.init(kinds: [.scene]), for: "a")
    search.stop(unless: ["b", "a"])
    #expect(search.state.page == "a")
    search.stop(unless: ["b"])
    #expect(search.state.page == nil)
    #expect(try await first("the end of the search", in: stops) { $0 })
    #expect(search.state.number == 0, "nothing came of it")
  }
}
