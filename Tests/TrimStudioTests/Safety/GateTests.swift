import Testing

@testable import TrimStudio

@Suite(.timeLimit(.minutes(1))) struct `Given the gate of the studio` {
  private let keys = StudioKeys()
  private var gate: Gate { Gate(keys) }

  private func cookie() throws -> String {
    let set = try #require(keys.exchange(keys.makeToken()))
    return String(set.split(separator: ";")[0])
  }

  @Test(arguments: [
    "127.0.0.1", "127.0.0.1:8080", "localhost", "localhost:1", "LOCALHOST:65535", "[::1]",
    "[::1]:8000",
  ])
  func `then every name of this machine is accepted, with any port`(_ host: String) throws {
    let request = HTTPRequest("GET", "/", fields: [.init("Host", host)])
    #expect(try gate.admit(request).hasCookie == false)
  }

  @Test(arguments: [
    ("192.168.1.20", "192.168.1.20:8000"), ("fd00::5", "[fd00::5]:8000"),
    ("FD00:0::05", "[fd00::5]:8000"),
  ])
  func `when it listens elsewhere, then that address is accepted, too, but no name`(
    _ address: String, _ host: String
  ) throws {
    let gate = Gate(keys, on: try #require(ListenAddress(address)))
    for host in [host, "localhost:1"] {
      #expect(throws: Never.self) {
        try gate.admit(HTTPRequest("GET", "/", fields: [.init("Host", host)]))
      }
    }
    for host in ["192.168.1.2", "192.168.1.200:8000", "rebound.example:8000", "[fd00::6]"] {
      #expect(throws: Gate.Refusal.self) {
        try gate.admit(HTTPRequest("GET", "/", fields: [.init("Host", host)]))
      }
    }
  }

  @Test(arguments: [
    "0.0.0.0", "::", "::ffff:0.0.0.0", "::ffff:192.168.1.2", "host.example", "192.168.1", "",
    "127.0.0.1:80",
  ])
  func `then only a single numeric address is listened on`(_ text: String) {
    #expect(ListenAddress(text) == nil)
  }

  @Test(arguments: [
    ("127.0.0.1:8000", "127.0.0.1:8000"), ("nas.example:80", "nas.example"),
    ("NAS.example", "nas.example:8000"), ("[fd00:0::05]:8000", "[fd00::5]:8000"),
    ("127.0.0.10:8000", "127.0.0.10:8000"),
  ])
  func `when something forwards to it, then the name that browsers use is accepted, but no other`(
    _ outer: String, _ host: String
  ) throws {
    let outer: OuterAddress = try #require(OuterAddress(outer))
    let gate = Gate(
      keys, on: try #require(ListenAddress("0.0.0.0", allowsAll: true)), as: outer)
    for host in [host, "localhost:1"] {
      #expect(throws: Never.self) {
        try gate.admit(HTTPRequest("GET", "/", fields: [.init("Host", host)]))
      }
    }
    for host in [
      "0.0.0.0:8000", "rebound.example:8000", "nas.example.rebound.example", "127.0.0.11",
    ] {
      #expect(throws: Gate.Refusal.self) {
        try gate.admit(HTTPRequest("GET", "/", fields: [.init("Host", host)]))
      }
    }
  }

  @Test(arguments: [
    "", ":8000", "0.0.0.0", "0.0.0.0:8000", "127.0.0.1:", "127.0.0.1:0", "127.0.0.1:65536", "a b",
    "http://127.0.0.1:8000", "nas..example", "-nas", "fd00::5", "[::]", "[fd00::5", "[127.0.0.1]",
    "nas/videos", "nas:8000/", "nas:+80",
  ])
  func `then nothing else is a name that browsers could use`(_ text: String) {
    #expect(OuterAddress(text) == nil)
  }

  @Test func `then the page is served without a cookie, also for a link from another site`() throws
  {
    let request = HTTPRequest(
      "GET", "/",
      fields: [
        .init("Host", "localhost"), .init("Sec-Fetch-Site", "cross-site"),
        .init("Sec-Fetch-Mode", "navigate"), .init("Sec-Fetch-Dest", "document"),
      ])
    #expect(throws: Never.self) { try gate.admit(request) }
  }

  @Test func `then a request with the cookie and from the page is let through`() throws {
    let request = HTTPRequest(
      "GET", "/files/0/still?at=1001/30000&width=9&height=9",
      fields: [
        .init("Host", "localhost:8000"), .init("Origin", "http://localhost:8000"),
        .init("Sec-Fetch-Site", "same-origin"), .init("Cookie", "other=1; \(try cookie())"),
      ])
    let admitted = try gate.admit(request)
    #expect(admitted.hasCookie)
    #expect(admitted.query["at"] == "1001/30000")
  }

  @Test func `then a token works once, and a new one invalidates the old one`() throws {
    let first = keys.makeToken()
    let second = keys.makeToken()
    #expect(keys.exchange(first) == nil)
    #expect(keys.exchange(second) != nil)
    #expect(keys.exchange(second) == nil)
  }

  @Test func `then a cookie is out of reach for scripts and other sites`() throws {
    let set = try #require(keys.exchange(keys.makeToken()))
    #expect(set.contains("; HttpOnly"))
    #expect(set.contains("; SameSite=Strict"))
  }

  @Test func `then the cookie of another run is refused`() throws {
    let other = StudioKeys()
    let set = try #require(other.exchange(other.makeToken()))
    #expect(!keys.admits(cookies: String(set.split(separator: ";")[0])))
    #expect(keys.cookieName != other.cookieName)
  }
}

@Suite(.timeLimit(.minutes(1))) struct `Given a requested part of a file` {
  @Test(arguments: [
    (nil, ByteRange.whole), ("bytes=0-", .part(0..<100)), ("bytes=0-0", .part(0..<1)),
    ("bytes=10-19", .part(10..<20)), ("bytes=99-", .part(99..<100)),
    ("bytes=50-1000", .part(50..<100)), ("bytes=-10", .part(90..<100)),
    ("bytes=-1000", .part(0..<100)), ("bytes=100-", .unsatisfiable),
    ("bytes=-0", .unsatisfiable), ("bytes=20-10", .whole), ("bytes=a-b", .whole),
    ("bytes=0-1,3-4", .whole), ("lines=0-1", .whole), ("bytes=", .whole), ("bytes=-", .whole),
    ("bytes=+1-2", .whole), ("bytes=99999999999999999999-", .whole),
    ("bytes=0-18446744073709551615", .part(0..<100)),
  ])
  func `then it is interpreted as the standard says`(_ field: String?, _ wanted: ByteRange) {
    #expect(ByteRange(field, size: 100) == wanted)
  }

  @Test func `then an empty file has no part`() {
    #expect(ByteRange("bytes=0-", size: 0) == .unsatisfiable)
    #expect(ByteRange("bytes=-1", size: 0) == .unsatisfiable)
  }
}
