import Support
import Testing

@testable import TrimStudio

@MainActor @Suite(.timeLimit(.minutes(1))) struct `Given strangers that hold connections` {
  private nonisolated static let refused = "GET /files HTTP/1.1\r\nHost: localhost\r\n\r\n"

  /// Answers for the owner, the quickest of three: other work on the machine may delay any one.
  private nonisolated static func quickest(_ visitor: Visitor) throws -> Duration {
    try (0..<3).map { _ in
      let start = ContinuousClock.now
      _ = try visitor.get("/files")
      return ContinuousClock.now - start
    }.min() ?? .seconds(60)
  }

  @Test(arguments: [260, 1000], ["", "GET / HTTP/1.1\r\nHost: local", refused])
  func `then the owner is answered within a second`(_ count: Int, _ beginning: String)
    async throws
  {
    let stage = try StudioStage()
    defer { stage.stop() }
    let delay = try await BlockingWork.run { () -> Duration in
      let visitor = try Visitor(stage)
      let strangers = try (0..<count).map { _ in
        let stranger = try WebClient(port: stage.port).open()
        try stranger.send(Array(beginning.utf8))
        return stranger
      }
      defer { withExtendedLifetime(strangers) {} }
      return try Self.quickest(visitor)
    }
    #expect(delay < .seconds(1))
  }

  @Test func `when a request is refused, then its connection is closed`() async throws {
    let stage = try StudioStage()
    defer { stage.stop() }
    let (reply, isClosed) = try await BlockingWork.run {
      let stranger = try WebClient(port: stage.port).open()
      try stranger.send(Array(Self.refused.utf8))
      let reply = stranger.read(until: "printed.\n", silence: 5)
      return (reply, stranger.isClosed(within: 3))
    }
    #expect(reply.contains("401"))
    #expect(isClosed)
  }

  @Test func `when there is one too many, then the oldest gives way, and no admitted one`()
    async throws
  {
    var limits = HTTPServer.Limits()
    limits.strangers = 4
    let stage = try StudioStage(limits: limits)
    defer { stage.stop() }
    let (owner, isOldestClosed, newest) = try await BlockingWork.run {
      let visitor = try Visitor(stage)
      let request = Array(
        ("GET /files HTTP/1.1\r\nHost: localhost\r\nCookie: \(visitor.cookie)\r\n\r\n").utf8)
      let owner = try WebClient(port: stage.port).open()
      try owner.send(request)
      _ = owner.read(until: "clip.mp4", silence: 5)
      let oldest = try WebClient(port: stage.port).open()
      // Several threads accept: an answer gives the one that accepts it the time to count it first.
      _ = try visitor.get("/files")
      let strangers = try [oldest] + (0..<4).map { _ in try WebClient(port: stage.port).open() }
      let isOldestClosed = strangers[0].isClosed(within: 3)
      try owner.send(request)
      try strangers[4].send(Array("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
      return (
        owner.read(until: "clip.mp4", silence: 5), isOldestClosed,
        strangers[4].read(until: "</html>", silence: 5)
      )
    }
    #expect(owner.contains("200 OK"))
    #expect(isOldestClosed)
    #expect(newest.contains("200 OK"))
  }

  @Test func `when the studio is busy, then it says when to ask again`() async throws {
    let stage = try StudioStage(isBusy: true)
    defer { stage.stop() }
    let reply = try await BlockingWork.run {
      try Visitor(stage).get("/files/0/still?at=1&width=9&height=9")
    }
    #expect(reply.status == 503)
    #expect(reply.value("retry-after") == "1")
  }

  @Test func `when a part gets a name that reads backward, then it is refused`() async throws {
    let stage = try StudioStage()
    defer { stage.stop() }
    let replies = try await BlockingWork.run {
      let visitor = try Visitor(stage)
      return try ["a\u{202E}4pm.exe", "b\u{2066}c", "Übung 2"].map { name in
        try visitor.post(
          "/files/0/input",
          #"{"page":"a","message":{"version":1,"input":{"type":"part_did_rename","id":0,"#
            + #""name":"\#(name)"}}}"#
        ).status
      }
    }
    #expect(replies == [422, 422, 204])
  }
}
