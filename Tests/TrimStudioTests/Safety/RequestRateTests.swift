import Support
import Testing

@testable import TrimStudio

@Suite(.timeLimit(.minutes(1))) struct `Given a limit on requests per second` {
  private static var limits: RequestRate.Limits {
    var limits = RequestRate.Limits()
    limits.perSecond = 10
    limits.atOnce = 20
    return limits
  }

  @Test func `then a burst is allowed, and more as time passes`() {
    let start = ContinuousClock.now
    let rate = RequestRate(Self.limits, now: start)
    #expect((0..<30).filter { _ in rate.admits(isOfPage: true, at: start) }.count == 20)
    #expect(!rate.admits(isOfPage: true, at: start + .milliseconds(99)))
    #expect(rate.admits(isOfPage: true, at: start + .milliseconds(100)))
    #expect(!rate.admits(isOfPage: true, at: start + .milliseconds(100)))
    let later = start + .seconds(1_000_000_000)
    #expect((0..<30).filter { _ in rate.admits(isOfPage: true, at: later) }.count == 20)
  }

  @Test func `when time passes in small steps then none of it is lost`() {
    let start = ContinuousClock.now
    let rate = RequestRate(Self.limits, now: start)
    let admitted = (0..<40_000).filter {
      rate.admits(isOfPage: true, at: start + .microseconds(250 * $0))
    }.count
    // The burst, and ten seconds of ten each.
    #expect((119...120).contains(admitted))
  }

  @Test func `when a page floods then it is refused, and served again after a wait`() async throws {
    var limits = RequestRate.Limits()
    limits.perSecond = 50
    limits.atOnce = 10
    let stage = try await StudioStage(rate: limits)
    let (statuses, isAnswered) = try await BlockingWork.run {
      let visitor = try Visitor(stage)
      let statuses = try (0..<60).map { _ in try visitor.get("/files").status }
      let deadline = ContinuousClock.now + .seconds(1)
      var isAnswered = false
      while !isAnswered, ContinuousClock.now < deadline {
        isAnswered = try visitor.get("/files").status == 200
      }
      return (statuses, isAnswered)
    }
    #expect(statuses.contains(200))
    #expect(statuses.contains(429))
    #expect(isAnswered, "nothing was answered within a second of waiting")
    await stage.stop()
  }

  @Test func `when a stranger floods then a page is still served`() async throws {
    var limits = RequestRate.Limits()
    limits.perSecond = 1
    limits.atOnce = 10
    let stage = try await StudioStage(rate: limits)
    let (statuses, status) = try await BlockingWork.run {
      let visitor = try Visitor(stage)
      let stranger = WebClient(port: stage.port)
      let request =
        "GET /files HTTP/1.1\r\nHost: 127.0.0.1:\(stage.port)\r\nConnection: close\r\n\r\n"
      let statuses = try (0..<30).map { _ in try stranger.reply(to: request)?.status }
      return (statuses, try visitor.get("/files").status)
    }
    #expect(statuses.contains(429))
    #expect(status == 200)
    await stage.stop()
  }
}
