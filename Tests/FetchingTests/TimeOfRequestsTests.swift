import Support
import Synchronization
import Testing
import Threads

@testable import Fetching

@Suite(.timeLimit(.minutes(1))) struct `Given a time limit for a file` {
  private static func limits(_ total: Duration) -> FetchLimits {
    var limits = Served.limits
    limits.total = total
    limits.window = .seconds(30)
    return limits
  }

  private static func fault(
    of limits: FetchLimits, _ script: @escaping ScriptedServer.Script
  ) async throws -> (fault: FetchFault?, time: Duration, requests: Int) {
    let server = try ScriptedServer(script)
    defer { server.stop() }
    let address = try Served.address(server)
    let (fault, time) = try await BlockingWork.run { () -> (FetchFault?, Duration) in
      let start = ContinuousClock.now
      do throws(FetchFault) {
        let file = try Served.fetcher(limits: limits).open(address, firstBytes: 1000)
        for place in stride(from: Int64(1000), to: 4000, by: 100) {
          _ = try file.bytes(in: place..<place + 100)
        }
        return (nil, .zero)
      } catch {
        return (error, ContinuousClock.now - start)
      }
    }
    return (fault, time, server.requests.count)
  }

  @Test func `when its header does not end then opening it ends in time`() async throws {
    let found = try await Self.fault(of: Self.limits(.milliseconds(300))) { _, _ in
      [
        .text("HTTP/1.1 206 P\r\nX: "),
        .drip(Array(repeating: 97, count: 200), each: .milliseconds(50)),
      ]
    }
    #expect(found.fault?.code == .timedOut)
    #expect(found.fault?.message == "it was not fetched in time")
    #expect(found.time < .seconds(3))
  }

  @Test func `when every request is quick then all of them together end in time`() async throws {
    let found = try await Self.fault(of: Self.limits(.milliseconds(400))) { number, request in
      var steps = Served.part(request.range)
      steps.insert(.pause(.milliseconds(number == 1 ? 0 : 60)), at: 0)
      return steps
    }
    #expect(found.fault?.code == .timedOut)
    #expect(found.time < .seconds(3))
    #expect(found.requests < 20)
  }

  @Test func `when another use of it begins then the time does`() throws {
    let server = try ScriptedServer { _, request in Served.part(request.range) }
    let file = try Served.fetcher(limits: Self.limits(.milliseconds(200))).open(
      Served.address(server), firstBytes: 1000)
    Pause.sleep(.milliseconds(250))
    let fault = #expect(throws: FetchFault.self) { try file.bytes(in: 1000..<1100) }
    #expect(fault?.code == .timedOut)
    file.restart()
    #expect(try file.bytes(in: 1000..<1100).count == 100)
  }

  @Test func `when no limit is given then a request has one by its size`() {
    let limits = FetchLimits()
    let time = ContinuousClock.now.duration(to: limits.end(forBytes: 512 << 10, deadline: nil))
    #expect(time > .seconds(75) && time < .seconds(80))
  }

  @Test func `when one address is slow then the others are not`() async throws {
    let slow = try ScriptedServer { _, _ in [.pause(.seconds(20))] }
    let quick = try ScriptedServer { _, request in Served.part(request.range) }
    defer { slow.stop() }
    let isOver = Atomic(false)
    let fetcher = Served.fetcher(isInterrupted: { isOver.load(ordering: .relaxed) })
    let (one, other) = (try Served.address(slow), try Served.address(quick))
    let waiting = Task { try await WaitingThread.value { try? fetcher.open(one) } }
    let start = ContinuousClock.now
    for _ in 0..<20 { _ = try fetcher.open(other) }
    #expect(ContinuousClock.now - start < .seconds(5))
    isOver.store(true, ordering: .relaxed)
    #expect(try await waiting.value == nil)
  }

  @Test func `when an opening fails then what it cost is known`() throws {
    let server = try ScriptedServer { _, _ in Served.status(404) }
    let spent = Mutex(FetchCost())
    let fetcher = Served.fetcher()
    #expect(throws: FetchFault.self) {
      try fetcher.open(Served.address(server), spend: { cost in spent.withLock { $0 = $0 + cost } })
    }
    #expect(spent.withLock { $0.requests } == 1)
    #expect(fetcher.cost.requests == 1)
  }
}

@Suite struct `Given a server that asks for a pause` {
  @Test(arguments: [
    ("120", nil, 120), ("0", nil, 0),
    ("Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:48:37 GMT", 60),
    ("Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:27 1994", 10),
    ("Thu, 29 Feb 2024 00:00:00 GMT", "Wed, 28 Feb 2024 23:59:50 GMT", 10),
    ("Fri, 01 Mar 2024 00:00:00 GMT", "Wed, 28 Feb 2024 00:00:00 GMT", 2 * 86_400),
    // A time that is over.
    ("Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT", 0),
    ("Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:50:37 GMT", 0),
  ])
  func `then it is understood`(_ text: String, _ sent: String?, _ seconds: Int64) {
    #expect(RetryAfter.pause(text, sent: sent) == .seconds(seconds))
  }

  @Test(arguments: [
    "", "-1", "soon", "Sun, 06 Foo 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT",
    "Sun, 06 Nov 1994 25:00:00 GMT", "Sun, 06 Nov 1994 08:49:37 GMT",
    "Sun, 6 Nov 1994 08:49:37 CET", "99999999999999999999",
  ])
  func `when it cannot be understood then the usual pause is made`(_ text: String) {
    #expect(RetryAfter.pause(text, sent: nil) == nil)
  }

  @Test func `when it is a date then the request is repeated after it`() throws {
    let server = try ScriptedServer { number, request in
      number == 1
        ? Served.status(
          503,
          "Date: Sun, 06 Nov 1994 08:49:36 GMT\r\nRetry-After: Sun, 06 Nov 1994 08:49:37 GMT\r\n")
        : Served.part(request.range)
    }
    let start = ContinuousClock.now
    _ = try Served.fetcher().open(Served.address(server))
    #expect(ContinuousClock.now - start >= .seconds(1))
    #expect(server.requests.count == 2)
  }
}
