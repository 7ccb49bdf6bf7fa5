import Support
import Testing

@testable import TrimStudio

/// A studio with short timeouts.
@MainActor @Suite(.timeLimit(.minutes(1))) struct `Given slow clients` {
  private static var limits: HTTPServer.Limits {
    var limits = HTTPServer.Limits()
    limits.requestSeconds = 1
    limits.silenceSeconds = 1
    limits.connections = 16
    return limits
  }

  /// Sweeps as the running studio does, for the given time.
  private func sweeping<Value: Sendable>(
    _ stage: StudioStage, _ work: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    let running = Task { await stage.studio.run { false } }
    defer { running.cancel() }
    let value = try await BlockingWork.run(work)
    stage.stop()
    await running.value
    return value
  }

  @Test(arguments: [
    "", "G", "GET / HTTP/1.1\r\n", "GET / HTTP/1.1\r\nHost: localhost\r\nX: ",
    "POST /session HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
      + "Content-Length: 20\r\n\r\n{",
  ])
  func `when a request stays incomplete, then its connection ends`(_ beginning: String)
    async throws
  {
    let stage = try StudioStage(limits: Self.limits)
    let isCut = try await sweeping(stage) {
      let connection = try WebClient(port: stage.port).open()
      try connection.send(Array(beginning.utf8))
      return connection.isClosed(within: 5)
    }
    #expect(isCut)
  }

  @Test func `when a request arrives a byte at a time forever, then it is still cut off`()
    async throws
  {
    let stage = try StudioStage(limits: Self.limits)
    let isCut = try await sweeping(stage) {
      let connection = try WebClient(port: stage.port).open()
      try connection.send(Array("GET / HTTP/1.1\r\nHost: localhost\r\nX: ".utf8))
      for _ in 0..<50 {
        try connection.send([UInt8(ascii: "a")])
        // As long as nothing arrives, it is open.
        if connection.isClosed(within: 1) { return true }
      }
      return false
    }
    #expect(isCut)
  }

  @Test func `when there are too many connections, then others are served later`()
    async throws
  {
    let stage = try StudioStage(limits: Self.limits)
    let status = try await sweeping(stage) {
      let idle = try (0..<100).map { _ in try WebClient(port: stage.port).open() }
      defer { withExtendedLifetime(idle) {} }
      return try WebClient(port: stage.port)
        .reply(to: "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", silence: 20)?
        .status
    }
    #expect(status == 200)
  }

  @Test func `when a hundred pages connect and leave, then the next is served`() async throws {
    let stage = try StudioStage()
    let state = try await sweeping(stage) {
      let visitor = try Visitor(stage)
      for number in 0..<100 {
        _ = try visitor.listen(page: "p\(number)").read(until: "event: state")
      }
      return try visitor.listen().read(until: "event: state")
    }
    #expect(state.contains("event: state"))
  }

  @Test func `when a page reads nothing, then the others get everything`() async throws {
    let stage = try StudioStage()
    let heard = try await sweeping(stage) {
      let visitor = try Visitor(stage)
      let deaf = try visitor.listen(page: "deaf")
      defer { withExtendedLifetime(deaf) {} }
      let other = try visitor.listen(page: "other")
      for second in 1...200 {
        try visitor.input(#"{"type":"playhead_did_move","position":"\#(second)/25"}"#)
      }
      return other.read(until: #""playback_time":"8""#)
    }
    #expect(heard.contains(#""playback_time":"8""#))
  }
}
