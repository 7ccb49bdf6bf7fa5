import Support
import Synchronization
import Testing
import Threads

@testable import Fetching

/// What a server serves here, and how it does so correctly.
enum Served {
  static let bytes = (0..<4000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
  static let tag = "\"one\""

  /// The right answer to a range.
  static func part(
    _ range: Range<Int>?, of bytes: [UInt8] = bytes, tag: String? = tag, more: String = ""
  ) -> [ScriptedServer.Step] {
    guard let range else { return whole(of: bytes) }
    let part = range.clamped(to: 0..<bytes.count)
    let stated = "Content-Range: bytes \(part.lowerBound)-\(part.upperBound - 1)/\(bytes.count)"
    let head =
      "HTTP/1.1 206 Partial Content\r\n\(stated)\r\nContent-Length: \(part.count)\r\n"
      + (tag.map { "ETag: \($0)\r\n" } ?? "") + more + "\r\n"
    return [.text(head), .send(Array(bytes[part]))]
  }

  static func whole(of bytes: [UInt8] = bytes, more: String = "") -> [ScriptedServer.Step] {
    [
      .text("HTTP/1.1 200 OK\r\nContent-Length: \(bytes.count)\r\n\(more)\r\n"),
      .send(bytes),
    ]
  }

  static func status(_ number: Int, _ more: String = "") -> [ScriptedServer.Step] {
    [.text("HTTP/1.1 \(number) X\r\nContent-Length: 4\r\n\(more)\r\nbody")]
  }

  static func redirect(to place: String) -> [ScriptedServer.Step] {
    status(302, "Location: \(place)\r\n")
  }

  static let limits = {
    var limits = FetchLimits()
    // Long enough for a machine that is busy; the cases of slowness have a short one.
    limits.window = .seconds(3)
    limits.windowBytes = 100
    limits.pause = .milliseconds(2)
    limits.retries = 2
    limits.patience = .seconds(5)
    limits.connecting = .seconds(2)
    return limits
  }()

  static func fetcher(
    _ policy: AddressPolicy = AddressPolicy(allowsPrivateNetworks: true),
    fields: HeaderFields? = nil, limits: FetchLimits = limits, resolver: NameResolver = .system,
    isInterrupted: @escaping @Sendable () -> Bool = { false }
  ) -> Fetcher {
    Fetcher(
      policy: policy, fields: fields, isolation: .here, limits: limits, resolver: resolver,
      isInterrupted: isInterrupted)
  }

  static func address(
    _ server: ScriptedServer, _ target: String = "/f.mp4?secret=1", host: String = "127.0.0.1"
  ) throws -> RemoteAddress {
    try RemoteAddress("http://\(host):\(server.port)\(target)".utf8)
  }
}

@Suite(.timeLimit(.minutes(1))) struct `Given a server that sends what was asked for` {
  @Test func `then a file is read by ranges over one connection`() throws {
    let server = try ScriptedServer { _, request in Served.part(request.range) }
    let fetcher = Served.fetcher()
    let file = try fetcher.open(Served.address(server), firstBytes: 1000)
    #expect(file.byteCount == 4000)
    #expect(file.head == Array(Served.bytes[..<1000]))
    #expect(try file.bytes(in: 0..<10) == Array(Served.bytes[..<10]))
    #expect(try file.bytes(in: 900..<1100) == Array(Served.bytes[900..<1100]))
    #expect(try file.bytes(in: 3990..<4000) == Array(Served.bytes[3990...]))
    #expect(file.cost == FetchCost(requests: 3, bytes: 1210))
    #expect(fetcher.cost == file.cost)
    let requests = server.requests
    #expect(requests.allSatisfy { $0.method == "GET" && $0.connection == 1 })
    #expect(
      requests.map { $0.value("range") } == ["bytes=0-999", "bytes=900-1099", "bytes=3990-3999"])
    #expect(requests.allSatisfy { $0.value("accept-encoding") == "identity" })
    #expect(requests.map { $0.value("if-range") } == [nil, Served.tag, Served.tag])
    #expect(requests[0].target == "/f.mp4?secret=1")
  }

  @Test func `then at most four requests of a file are in flight`() async throws {
    let server = try ScriptedServer { number, request in
      (number > 1 ? [.pause(.milliseconds(10))] : []) + Served.part(request.range)
    }
    let fetcher = Served.fetcher()
    let file = try fetcher.open(Served.address(server), firstBytes: 100)
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 1..<13 {
        group.addTask {
          let range = Int64(number * 300)..<Int64(number * 300 + 300)
          return try await WaitingThread.value {
            try file.bytes(in: range)
              == Array(Served.bytes[Int(range.lowerBound)..<Int(range.upperBound)])
          }
        }
      }
      for try await isSame in group { #expect(isSame) }
    }
    #expect(server.mostInFlight == 4)
    #expect(server.connections <= 4)
  }

  @Test func `then a long range is asked for in pieces`() throws {
    let server = try ScriptedServer { _, request in Served.part(request.range) }
    var limits = Served.limits
    limits.rangeBytes = 1500
    let file = try Served.fetcher(limits: limits).open(Served.address(server), firstBytes: 1)
    #expect(try file.bytes(in: 0..<4000) == Served.bytes)
    #expect(server.requests.count == 4)
  }

  @Test func `then an empty file has no bytes`() throws {
    let server = try ScriptedServer { _, _ in Served.status(416, "Content-Range: bytes */0\r\n") }
    let file = try Served.fetcher().open(Served.address(server))
    #expect(file.byteCount == 0)
    #expect(file.head.isEmpty)
  }

  @Test func `then the user's header fields go to the first server only`() throws {
    let other = try ScriptedServer { _, request in Served.part(request.range) }
    let server = try ScriptedServer { _, _ in
      Served.redirect(to: "http://127.0.0.1:\(other.port)/g")
    }
    let fields = try HeaderFields(Array("X-Key: secret".utf8))
    let address = try RemoteAddress("http://me:pass@127.0.0.1:\(server.port)/f".utf8)
    _ = try Served.fetcher(fields: fields).open(address)
    #expect(server.requests[0].value("x-key") == "secret")
    #expect(server.requests[0].value("authorization") == "Basic bWU6cGFzcw==")
    #expect(other.requests[0].value("x-key") == nil)
    #expect(other.requests[0].value("authorization") == nil)
  }

  @Test func `then what stops the caller stops the request`() throws {
    let server = try ScriptedServer { _, _ in [.pause(.seconds(5))] }
    let isOver = Atomic(false)
    let fetcher = Served.fetcher(isInterrupted: { isOver.exchange(true, ordering: .relaxed) })
    let fault = #expect(throws: FetchFault.self) { try fetcher.open(Served.address(server)) }
    #expect(fault?.code == .cancelled)
  }
}

/// A way in which a server answers wrongly, and the sentence with which that ends.
struct HostileCase: CustomTestStringConvertible, Sendable {
  var name: String
  var code: FetchFault.Code
  var sentence: String
  /// How often it is asked at most.
  var requests = 1
  /// Whether a correct first answer comes before.
  var isLater = false
  /// Whether it is about time.
  var isSlow: Bool { code == .stalled }
  var script: ScriptedServer.Script

  var testDescription: String { name }

  init(
    _ name: String, _ code: FetchFault.Code, _ sentence: String, requests: Int = 1,
    isLater: Bool = false, script: @escaping ScriptedServer.Script
  ) {
    self.name = name
    self.code = code
    self.sentence = sentence
    self.requests = requests
    self.isLater = isLater
    self.script = script
  }

  static func head(_ lines: String, _ body: [UInt8] = []) -> [ScriptedServer.Step] {
    [.text("HTTP/1.1 206 P\r\n\(lines)\r\n"), .send(body), .close]
  }

  static let all: [HostileCase] = statuses + ranges + bodies + redirects + changes + slowness

  static let statuses: [HostileCase] = [
    HostileCase("404", .inputMissing, "has no such file (404)") { _, _ in Served.status(404) },
    HostileCase("410", .inputMissing, "no longer has this file (410)") { _, _ in Served.status(410)
    },
    HostileCase("401", .permissionDenied, "wants credentials (401)") { _, _ in Served.status(401) },
    HostileCase("403", .permissionDenied, "refuses it (403)") { _, _ in Served.status(403) },
    HostileCase("405", .answerInvalid, "status 405") { _, _ in Served.status(405) },
    HostileCase("a storm of 429", .serverBusy, "(429)", requests: 3) { _, _ in Served.status(429) },
    HostileCase("a long pause is asked for", .serverBusy, "a pause of 3600 seconds") { _, _ in
      Served.status(503, "Retry-After: 3600\r\n")
    },
    HostileCase("500 again and again", .serverBusy, "failed (500)", requests: 3) { _, _ in
      Served.status(500)
    },
  ]

  static let ranges: [HostileCase] = [
    HostileCase("no Content-Range", .answerInvalid, "without a valid 'Content-Range'") { _, _ in
      head("Content-Length: 2\r\n", [1, 2])
    },
    HostileCase("another unit", .answerInvalid, "without a valid 'Content-Range'") { _, _ in
      head("Content-Range: items 0-1/2\r\n", [1, 2])
    },
    HostileCase("no size", .answerInvalid, "does not say how long it is") { _, request in
      let count = request.range?.count ?? 0
      return head(
        "Content-Range: bytes 0-\(count - 1)/*\r\nContent-Length: \(count)\r\n",
        Array(repeating: 0, count: count))
    },
    HostileCase("another start", .answerInvalid, "other bytes than were asked for: 5–1004") {
      _, _ in
      head("Content-Range: bytes 5-1004/4000\r\nContent-Length: 1000\r\n")
    },
    HostileCase("another end", .answerInvalid, "other bytes than were asked for: 0–9") { _, _ in
      head(
        "Content-Range: bytes 0-9/4000\r\nContent-Length: 10\r\n", Array(repeating: 0, count: 10))
    },
    HostileCase("a size below the range", .answerInvalid, "without a valid 'Content-Range'") {
      _, _ in
      head("Content-Range: bytes 0-999/500\r\n")
    },
    HostileCase("numbers beyond 64 bits", .answerInvalid, "without a valid 'Content-Range'") {
      _, _ in
      head("Content-Range: bytes 0-99999999999999999999/99999999999999999999\r\n")
    },
    HostileCase("two of them", .answerInvalid, "without a valid 'Content-Range'") { _, _ in
      head("Content-Range: bytes 0-999/4000\r\nContent-Range: bytes 1-1000/4000\r\n")
    },
    HostileCase("contradicting lengths", .answerInvalid, "contradicts itself") { _, _ in
      head(
        "Content-Range: bytes 0-999/4000\r\nContent-Length: 10\r\n", Array(repeating: 0, count: 10))
    },
    HostileCase("several parts", .answerInvalid, "without a valid 'Content-Range'") { _, _ in
      head("Content-Type: multipart/byteranges; boundary=x\r\nContent-Length: 2\r\n", [1, 2])
    },
    HostileCase("no ranges where more is needed", .rangesMissing, "sends no ranges") { _, _ in
      [
        .text("HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n"),
        .flood(Served.bytes, times: 100),
      ]
    },
    HostileCase("ranges that stop", .rangesMissing, "stopped sending ranges", isLater: true) {
      _, _ in
      Served.whole(more: "ETag: \(Served.tag)\r\n")
    },
    HostileCase("416 from the start", .answerInvalid, "refuses a range from byte 0") { _, _ in
      Served.status(416, "Content-Range: bytes */4000\r\n")
    },
  ]

  static let bodies: [HostileCase] = [
    HostileCase("a shorter body", .serverBusy, "broke off", requests: 3) { _, request in
      let steps = Served.part(request.range)
      return [steps[0], .send(Array(Served.bytes[..<7])), .close]
    },
    HostileCase("a longer body", .answerInvalid, "more bytes than it states") { _, _ in
      head("Content-Range: bytes 0-999/4000\r\n", Served.bytes)
    },
    HostileCase("an endless body", .answerInvalid, "more bytes than it states") { _, _ in
      [
        .text(
          "HTTP/1.1 206 P\r\nContent-Range: bytes 0-999/4000\r\nTransfer-Encoding: chunked\r\n\r\n"),
        .flood(Array("5\r\nabcde\r\n".utf8), times: 1_000_000),
      ]
    },
    HostileCase("gzip", .answerInvalid, "compressed (gzip)") { _, request in
      Served.part(request.range, more: "Content-Encoding: gzip\r\n")
    },
    HostileCase("a reset in the middle", .serverBusy, "broke off", requests: 3) { _, request in
      [Served.part(request.range)[0], .send([1, 2, 3]), .pause(.milliseconds(5)), .reset]
    },
    HostileCase("no answer", .serverBusy, "broke off", requests: 9) { _, _ in [.close] },
    HostileCase("no HTTP", .answerInvalid, "does not speak HTTP") { _, _ in
      [.text("220 ftp.example ready\r\n"), .pause(.milliseconds(20)), .close]
    },
    HostileCase(
      "100 MB of header fields", .answerInvalid, "header fields of its server are too long"
    ) {
      _, _ in
      [
        .text("HTTP/1.1 206 P\r\n"),
        .flood(Array("X-A: \(String(repeating: "b", count: 1000))\r\n".utf8), times: 100_000),
      ]
    },
    HostileCase(
      "a header field without an end", .answerInvalid, "header fields of its server are too long"
    ) { _, _ in
      [
        .text("HTTP/1.1 206 P\r\nX: "),
        .flood(Array(repeating: UInt8(ascii: "b"), count: 10_000), times: 10_000),
      ]
    },
    HostileCase(
      "interim answers without an end", .answerInvalid, "header fields of its server are too long"
    ) { _, _ in [.flood(Array("HTTP/1.1 103 E\r\nA: b\r\n\r\n".utf8), times: 1_000_000)] },
  ]

  static let redirects: [HostileCase] = [
    HostileCase("a redirect to itself", .answerInvalid, "more than 5 times", requests: 6) { _, _ in
      Served.redirect(to: "/f.mp4?secret=1")
    },
    HostileCase("redirects without an end", .answerInvalid, "more than 5 times", requests: 6) {
      number, _ in
      Served.redirect(to: "/\(number)?secret=1")
    },
    HostileCase("a redirect to a file", .addressRefused, "other than http:// or https://") { _, _ in
      Served.redirect(to: "file:///etc/passwd")
    },
    HostileCase(
      "a redirect to the metadata of a machine", .addressRefused,
      "169.254.169.254, the metadata service"
    ) { _, _ in
      Served.redirect(to: "http://169.254.169.254/latest/meta-data/")
    },
    HostileCase("a redirect to nowhere", .answerInvalid, "redirects (302) to nowhere") { _, _ in
      Served.status(302)
    },
    HostileCase("a redirect to no address", .answerInvalid, "something that is no address") {
      _, _ in
      Served.redirect(to: "http://[x/")
    },
  ]

  static let changes: [HostileCase] = [
    HostileCase("another ETag", .inputChanged, "changed while it was being read", isLater: true) {
      _, request in
      Served.part(request.range, tag: "\"two\"")
    },
    HostileCase("another size", .inputChanged, "changed while it was being read", isLater: true) {
      _, request in
      Served.part(request.range, of: Served.bytes + [0])
    },
    HostileCase("the whole after If-Range", .inputChanged, "changed while", isLater: true) { _, _ in
      Served.whole(more: "ETag: \"two\"\r\n")
    },
    HostileCase("a range beyond the end", .inputChanged, "changed while", isLater: true) { _, _ in
      Served.status(416, "Content-Range: bytes */10\r\n")
    },
  ]

  static let slowness: [HostileCase] = [
    HostileCase("a byte a second", .stalled, "too slowly", requests: 3) { _, request in
      [
        Served.part(request.range)[0],
        .drip(Array(Served.bytes[..<10]), each: .milliseconds(100)),
      ]
    },
    HostileCase("silence", .stalled, "too slowly", requests: 3) { _, _ in [.pause(.seconds(1))] },
    HostileCase("silence in the middle", .stalled, "too slowly", requests: 3) { _, request in
      [Served.part(request.range)[0], .send([1]), .pause(.seconds(1))]
    },
  ]
}

@Suite(.timeLimit(.minutes(1))) struct `Given a server that answers wrongly` {
  @Test(arguments: HostileCase.all)
  func `then it ends in its sentence, within its limits`(_ one: HostileCase) async throws {
    let script = one.script
    let isLater = one.isLater
    let server = try ScriptedServer { number, request in
      isLater && number == 1
        ? Served.part(request.range) : script(isLater ? number - 1 : number, request)
    }
    defer { server.stop() }
    let address = try Served.address(server)
    var limits = Served.limits
    if one.isSlow { limits.window = .milliseconds(150) }
    let fetcher = Served.fetcher(limits: limits)
    let (fault, time) = try await BlockingWork.run { () -> (FetchFault?, Duration) in
      let start = ContinuousClock.now
      do throws(FetchFault) {
        _ = try fetcher.open(address, firstBytes: 1000).bytes(in: 0..<2000)
        return (nil, .zero)
      } catch {
        return (error, ContinuousClock.now - start)
      }
    }
    #expect(fault?.code == one.code)
    #expect(fault?.message.contains(one.sentence) == true, "\(fault?.message ?? "")")
    #expect(fault?.message.contains("secret") == false)
    #expect(time < .seconds(10))
    let most = one.requests + (one.isLater ? 1 : 0)
    #expect(server.requests.count <= most, "\(server.requests.count)")
  }

  @Test func `then what passes is asked for again`() throws {
    let server = try ScriptedServer { number, request in
      switch number {
      case 1: Served.status(503, "Retry-After: 0\r\n")
      case 3:
        [Served.part(request.range)[0], .send(Array(Served.bytes[1500..<1600])), .close]
      default: Served.part(request.range)
      }
    }
    let file = try Served.fetcher().open(Served.address(server), firstBytes: 1000)
    #expect(try file.bytes(in: 1500..<2000) == Array(Served.bytes[1500..<2000]))
    // What had arrived is not asked for again.
    #expect(server.requests.last?.value("range") == "bytes=1600-1999")
  }

  @Test func `then without ranges a short file is read whole, and of a long one the front`() throws
  {
    let short = try ScriptedServer { _, _ in Served.whole() }
    let file = try Served.fetcher().open(Served.address(short), firstBytes: 100)
    #expect(file.byteCount == 4000)
    #expect(try file.bytes(in: 3000..<4000) == Array(Served.bytes[3000...]))
    #expect(short.requests.count == 1)
    let long = try ScriptedServer { _, _ in
      [
        .text("HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n"),
        .flood(Served.bytes, times: 200),
      ]
    }
    let other = try Served.fetcher().open(Served.address(long), firstBytes: 100)
    #expect(other.byteCount == 99_999_999)
    #expect(other.head == Array(Served.bytes[..<100]))
  }

  @Test func `then a signed place that has expired is asked for again`() throws {
    let store = try ScriptedServer { _, request in
      request.target == "/old" && request.range?.lowerBound != 0
        ? Served.status(403) : Served.part(request.range)
    }
    let server = try ScriptedServer { number, _ in
      Served.redirect(to: "http://127.0.0.1:\(store.port)/\(number == 1 ? "old" : "new")")
    }
    let file = try Served.fetcher().open(Served.address(server), firstBytes: 1000)
    #expect(try file.bytes(in: 1000..<1100) == Array(Served.bytes[1000..<1100]))
    #expect(store.requests.map(\.target) == ["/old", "/old", "/new"])
    #expect(try file.bytes(in: 1100..<1200) == Array(Served.bytes[1100..<1200]))
    #expect(server.requests.count == 2)
  }
}

@Suite(.timeLimit(.minutes(1))) struct `Given a server that may not be reached` {
  @Test func `then it is refused before anything is sent`() throws {
    let listener = try LoopbackListener()
    let address = try RemoteAddress("http://127.0.0.1:\(listener.port)/f".utf8)
    let fault = #expect(throws: FetchFault.self) {
      try Served.fetcher(AddressPolicy()).open(address)
    }
    #expect(fault?.code == .addressRefused)
    #expect(fault?.message.contains("a loopback address (RFC 1122, 3.2.1.3)") == true)
    #expect(fault?.hint?.contains("--allow-private-network") == true)
    #expect(!listener.wasCalled)
  }

  @Test(arguments: [
    "127.1", "0x7f000001", "2130706433", "017700000001", "localhost", "[::ffff:127.0.0.1]",
  ])
  func `then no other way of writing it helps`(_ host: String) throws {
    let listener = try LoopbackListener()
    let address = try RemoteAddress("http://\(host):\(listener.port)/f".utf8)
    let fault = #expect(throws: FetchFault.self) {
      try Served.fetcher(AddressPolicy()).open(address)
    }
    #expect(fault?.code == .addressRefused)
    #expect(!listener.wasCalled)
  }

  @Test func `then a name that leads elsewhere a moment later changes nothing`() throws {
    let server = try ScriptedServer { _, request in Served.part(request.range) + [.close] }
    let asked = Atomic(0)
    // The test's policy allows loopback; the name leads to a machine's metadata the second time.
    let resolver = NameResolver { _ in
      let number = asked.wrappingAdd(1, ordering: .relaxed).newValue
      return number == 1 ? [.four([127, 0, 0, 1])] : [.four([169, 254, 169, 254])]
    }
    let fetcher = Served.fetcher(resolver: resolver)
    let file = try fetcher.open(
      Served.address(server, host: "rebinding.example"), firstBytes: 1000)
    let fault = #expect(throws: FetchFault.self) { try file.bytes(in: 1000..<1100) }
    #expect(fault?.code == .addressRefused)
    #expect(fault?.message.contains("the name of its server leads to 169.254.169.254") == true)
  }

  @Test func `then an address that may be reached is used beside one that may not`() throws {
    let server = try ScriptedServer { _, request in Served.part(request.range) }
    let resolver = NameResolver { _ in [.four([169, 254, 169, 254]), .four([127, 0, 0, 1])] }
    let file = try Served.fetcher(resolver: resolver).open(
      Served.address(server, host: "two.example"))
    #expect(file.byteCount == 4000)
    #expect(server.requests[0].value("host") == "two.example:\(server.port)")
  }

  @Test func `then an unknown name and a closed port are no such server`() throws {
    let resolver = NameResolver { _ in nil }
    let unknown = #expect(throws: FetchFault.self) {
      try Served.fetcher(resolver: resolver).open(RemoteAddress("http://nobody.example/f".utf8))
    }
    #expect(unknown?.code == .serverUnreachable)
    #expect(unknown?.message == "there is no server with the name nobody.example")
    let server = try ScriptedServer { _, _ in [] }
    server.stop()
    let closed = #expect(throws: FetchFault.self) {
      try Served.fetcher().open(Served.address(server))
    }
    #expect(closed?.code == .serverUnreachable)
  }
}
