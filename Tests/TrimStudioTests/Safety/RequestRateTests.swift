import Testing

@testable import TrimStudio

@Suite(.timeLimit(.minutes(1))) struct `Given a limit of requests a second` {
  private static var limits: RequestRate.Limits {
    var limits = RequestRate.Limits()
    limits.perSecond = 10
    limits.atOnce = 20
    return limits
  }

  @Test func `then so many may come at once, and others as time passes`() {
    let start = ContinuousClock.now
    let rate = RequestRate(Self.limits, now: start)
    #expect((0..<30).filter { _ in rate.admits(at: start) }.count == 20)
    #expect(!rate.admits(at: start + .milliseconds(99)))
    #expect(rate.admits(at: start + .milliseconds(100)))
    #expect(!rate.admits(at: start + .milliseconds(100)))
    let later = start + .seconds(1_000_000_000)
    #expect((0..<30).filter { _ in rate.admits(at: later) }.count == 20)
  }

  @Test func `when time is cut into small steps then nothing of it is lost`() {
    let start = ContinuousClock.now
    let rate = RequestRate(Self.limits, now: start)
    let admitted = (0..<40_000).filter { rate.admits(at: start + .microseconds(250 * $0)) }.count
    // What may come at once, and ten seconds of ten.
    #expect((119...120).contains(admitted))
  }

  @Test func `when a page floods then it is refused, and answered when it has waited`() async throws
  {
    var limits = RequestRate.Limits()
    limits.perSecond = 50
    limits.atOnce = 10
    let stage = try await StudioStage(rate: limits)
    let visitor = try Visitor(stage)
    let statuses = try (0..<60).map { _ in try visitor.get("/files").status }
    #expect(statuses.contains(200))
    #expect(statuses.contains(429))
    let deadline = ContinuousClock.now + .seconds(1)
    var isAnswered = false
    while !isAnswered, ContinuousClock.now < deadline {
      isAnswered = try visitor.get("/files").status == 200
    }
    #expect(isAnswered, "nothing was answered within a second of waiting")
    await stage.stop()
  }
}
