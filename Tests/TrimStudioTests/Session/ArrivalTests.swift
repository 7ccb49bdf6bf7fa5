import ExactTime
import Support
import Testing
import Trimming

@testable import TrimStudio

@MainActor @Suite(.timeLimit(.minutes(1))) struct `Given a page that arrives at a studio` {
  private func visiting<Value: Sendable>(
    _ stage: StudioStage, _ work: @escaping @Sendable (Visitor) throws -> Value
  ) async throws -> Value {
    defer { stage.stop() }
    return try await BlockingWork.run { try work(Visitor(stage)) }
  }

  private nonisolated static func text(_ reply: WebClient.Reply) -> String {
    String(decoding: reply.body, as: UTF8.self)
  }

  @Test
  func `when the file opens quickly, then one answer has its facts and the session state`()
    async throws
  {
    let heard = try await visiting(try StudioStage(beginsWith: 2, patience: .seconds(10))) {
      visitor in
      Self.text(try visitor.get("/arrival"))
    }
    #expect(heard.contains(#""files":[{"id":0,"name":"clip.mp4"}]"#))
    #expect(heard.contains(#""frames":{"first":"0","length":"1/25","count":250}"#))
    #expect(heard.contains(#""screen":"ready""#))
    #expect(!heard.contains(#""look":"#))
  }

  @Test func `when its token is exchanged and the file is open, then the answer has everything`()
    async throws
  {
    let entry = try await visiting(try StudioStage(patience: .seconds(10))) { $0.entry }
    #expect(entry.status == 200)
    #expect(Self.text(entry).contains(#""count":250}"#))
    #expect(entry.value("set-cookie") != nil)
  }

  @Test func `when its token is exchanged and the file is slow to open, then it is already let in`()
    async throws
  {
    let forever = Task<Void, any Error> { try await Task.sleep(for: .seconds(3600)) }
    defer { forever.cancel() }
    let entry = try await visiting(try StudioStage(opened: forever)) { $0.entry }
    #expect(entry.status == 204)
    #expect(entry.value("set-cookie") != nil)
  }

  @Test func `when its token is exchanged for a file that cannot be opened, then it is let in`()
    async throws
  {
    let reading = Task<Void, any Error> { throw VideoFailure("This is no video.") }
    let entry = try await visiting(try StudioStage(opened: reading)) { $0.entry }
    #expect(entry.status == 204)
    #expect(entry.value("set-cookie") != nil)
  }

  @Test func `when the file is slow to open, then its beginning is announced and shown`()
    async throws
  {
    let forever = Task<Void, any Error> { try await Task.sleep(for: .seconds(3600)) }
    defer { forever.cancel() }
    let stage = try StudioStage(opened: forever, beginsWith: 2)
    let (heard, still, media, reading) = try await visiting(stage) { visitor in
      (
        Self.text(try visitor.get("/arrival")),
        try visitor.get("/files/0/look/still?at=1&width=9&height=9"),
        try visitor.get("/files/0/look/media", more: "Range: bytes=4990-\r\n"),
        Self.text(try visitor.get("/files/0/reading"))
      )
    }
    #expect(heard.contains(#""bounds":{"start":"0","end":"2"}"#))
    #expect(heard.contains(#""count":50}"#))
    #expect(!heard.contains(#""opening":{"#))
    #expect(still.status == 200)
    #expect(still.body == [1, 2, 3])
    #expect(media.status == 206)
    #expect(media.body.count == 10)
    #expect(reading == #"{"done":3,"total":4}"# + "\n")
  }

  @Test
  func `when all of it has been read, then the beginning is gone, and the next page gets it all`()
    async throws
  {
    let (open, opened) = AsyncStream<Void>.makeStream()
    let reading = Task<Void, any Error> { for await _ in open { return } }
    let stage = try StudioStage(opened: reading, beginsWith: 2)
    let (first, next, over) = try await visiting(stage) { visitor in
      let first = Self.text(try visitor.get("/arrival"))
      opened.yield()
      // It is answered once the file is open.
      _ = try visitor.get("/files/0/opening")
      return (
        first, Self.text(try visitor.get("/arrival")),
        try visitor.get("/files/0/look/still?at=1&width=9&height=9").status
      )
    }
    #expect(first.contains(#""look":{"#))
    #expect(next.contains(#""count":250}"#))
    #expect(!next.contains(#""look":{"#))
    #expect(over == 404)
  }

  @Test func `when the file is slow to open and has no beginning to show, then the page waits`()
    async throws
  {
    let reading = Task<Void, any Error> { try await Task.sleep(for: .milliseconds(400)) }
    let heard = try await visiting(try StudioStage(opened: reading)) { visitor in
      Self.text(try visitor.get("/arrival"))
    }
    #expect(heard.contains(#""count":250}"#))
  }

  @Test func `when the file cannot be opened, then it gets a message with the reason`() async throws
  {
    let reading = Task<Void, any Error> { throw VideoFailure("This is no video.") }
    let reply = try await visiting(try StudioStage(opened: reading)) { visitor in
      try visitor.get("/arrival")
    }
    #expect(reply.status == 422)
    #expect(Self.text(reply).contains("This is no video."))
  }

  @Test(arguments: ["1", "-1", "x", "0x0", "99999999999999999999", ""])
  func `when it requests a file that does not exist, then there is none`(file: String) async throws
  {
    let status = try await visiting(try StudioStage()) { visitor in
      try visitor.get("/arrival?file=\(file)").status
    }
    #expect(status == 404)
  }
}
