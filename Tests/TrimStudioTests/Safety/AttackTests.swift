import Support
import Testing

@testable import TrimStudio

/// A request that must not be answered with any data of a file.
struct Attack: Sendable, CustomTestStringConvertible {
  var name: String
  /// With placeholders `PORT`, `TOKEN` and `COOKIE`.
  var request: String
  /// `nil` where the server may also hang up.
  var statuses: Set<Int>

  var testDescription: String { name }

  init(_ name: String, _ statuses: Set<Int>, _ request: String) {
    self.name = name
    self.statuses = statuses
    self.request = request
  }

  /// A GET that would be answered if not for the given lines.
  static func get(_ name: String, _ path: String, _ status: Int, _ lines: String...) -> Attack {
    let hasHost = lines.contains { $0.lowercased().hasPrefix("host") }
    let head = ["GET \(path) HTTP/1.1"] + (hasHost ? [] : ["Host: 127.0.0.1:PORT"]) + lines
    return Attack(
      name, [status], (head + ["Connection: close", "", ""]).joined(separator: "\r\n"))
  }

  static func post(
    _ name: String, _ path: String, _ status: Int, body: String,
    type: String = "application/json", _ lines: String...
  ) -> Attack {
    let head =
      [
        "POST \(path) HTTP/1.1", "Host: 127.0.0.1:PORT", "Content-Type: \(type)",
        "Content-Length: \(body.utf8.count)", "Connection: close",
      ] + lines
    return Attack(name, [status], head.joined(separator: "\r\n") + "\r\n\r\n" + body)
  }

  private static let cookie = "Cookie: COOKIE"
  private static let play =
    #"{"page":"a","message":{"version":1,"input":{"type":"play_did_tap"}}}"#

  static let hosts: [Attack] = [
    get("a foreign host", "/files", 403, "Host: evil.example", cookie),
    get("a foreign host, for the page itself", "/", 403, "Host: evil.example"),
    get(
      "a name that is rebound to 127.0.0.1", "/files", 403, "Host: rebind.evil.example:PORT", cookie
    ),
    get("a host that begins like ours", "/files", 403, "Host: localhost.evil.example:PORT", cookie),
    get(
      "a host that begins like our address", "/files", 403, "Host: 127.0.0.1.evil.example", cookie),
    get("another loopback address", "/files", 403, "Host: 127.0.0.2:PORT", cookie),
    get("the address of all", "/files", 403, "Host: 0.0.0.0:PORT", cookie),
    get("a port that is not a number", "/files", 403, "Host: localhost:1x", cookie),
    get("a user before the host", "/files", 403, "Host: a@localhost:PORT", cookie),
    get("an empty host", "/files", 403, "Host: ", cookie),
    Attack(
      "no host", [400, 403], "GET /files HTTP/1.1\r\nCookie: COOKIE\r\nConnection: close\r\n\r\n"),
    Attack(
      "no host of an old client", [400, 403, 505],
      "GET /files HTTP/1.0\r\nCookie: COOKIE\r\n\r\n"),
    get("two hosts", "/files", 403, "Host: localhost:PORT", "Host: evil.example", cookie),
  ]

  static let origins: [Attack] = [
    get("a foreign origin", "/files", 403, "Origin: http://evil.example", cookie),
    get("no origin at all, called null", "/files", 403, "Origin: null", cookie),
    get(
      "our origin under another protocol", "/files", 403, "Origin: https://127.0.0.1:PORT", cookie),
    get("another port of this machine", "/files", 403, "Origin: http://127.0.0.1:1", cookie),
    get("another name of this machine", "/files", 403, "Origin: http://localhost:PORT", cookie),
    get(
      "two origins", "/files", 403, "Origin: http://127.0.0.1:PORT",
      "Origin: http://evil.example", cookie),
    get("a script of another site", "/studio.js", 403, "Sec-Fetch-Site: cross-site"),
    get("data for another site", "/files", 403, "Sec-Fetch-Site: cross-site", cookie),
    get("data for a neighbour", "/files", 403, "Sec-Fetch-Site: same-site", cookie),
    get("data typed into the address line", "/files", 403, "Sec-Fetch-Site: none", cookie),
    get("a word that no browser sends", "/files", 403, "Sec-Fetch-Site: same-origin-ish", cookie),
    get(
      "the page in a frame of another site", "/", 403, "Sec-Fetch-Site: cross-site",
      "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: iframe"),
    post(
      "an input of another site", "/files/0/input", 403, body: play,
      "Origin: http://evil.example", cookie),
    post(
      "the exchange from another site", "/session", 403, body: #"{"token":"TOKEN"}"#,
      "Origin: http://evil.example"),
  ]

  static let cookies: [Attack] =
    [
      "/files", "/files/0/check", "/files/0/opening", "/files/0/events?page=a", "/files/0/media",
      "/files/0/still?at=1&width=9&height=9", "/files/0/strip?from=0&to=1&count=1&height=9",
      "/files/0/levels?from=0&to=1&count=1", "/files/0/results/0",
      "/files/0/segment?kind=video&as=made&from=0&to=1", "/files/0/preview/1/media",
      "/arrival", "/files/0/reading", "/files/0/look/media",
    ].map { get("\($0) without the cookie", $0, 401) } + [
      post("an input without the cookie", "/files/0/input", 401, body: play),
      post(
        "a text without the cookie", "/files/0/text", 401, body: #"{"purpose":"in","text":"1"}"#),
      post("a preview without the cookie", "/files/0/preview", 401, body: "{}"),
      post("the end without the cookie", "/quit", 401, body: "{}"),
      get("what is not there, without the cookie", "/nothing", 401),
      get("a cookie of another value", "/files", 401, "Cookie: NAME=0"),
      get("an empty cookie", "/files", 401, "Cookie: NAME="),
      get("the token for a cookie", "/files", 401, "Cookie: NAME=TOKEN"),
      get("the cookie twice", "/files", 401, "Cookie: COOKIE; COOKIE"),
      get("the cookie in two fields", "/files", 401, "Cookie: COOKIE", "Cookie: COOKIE"),
      get("the cookie in the address", "/files?COOKIE", 401),
      post("a wrong token", "/session", 401, body: #"{"token":"0"}"#),
      post("no token", "/session", 401, body: "{}"),
      post("the used token", "/session", 401, body: #"{"token":"TOKEN"}"#),
    ]

  static let paths: [Attack] = [
    get("a climb", "/../etc/passwd", 400, cookie),
    get("a climb from a file", "/files/0/../../../etc/passwd", 400, cookie),
    get("an escaped climb", "/%2e%2e/%2e%2e/etc/passwd", 400, cookie),
    get("an escaped slash", "/files%2f0", 400, cookie),
    get("a NUL", "/files%00", 400, cookie),
    get("backslashes", "/..\\..\\etc", 400, cookie),
    get("an address within the address", "http://evil.example/files", 400, cookie),
    get("two slashes", "//etc/passwd", 400, cookie),
    get("a path for a file", "/files//etc/passwd", 400, cookie),
    get("a hidden name", "/.git", 400, cookie),
    get("markup", "/<script>", 400, cookie),
    get("a file that is not there", "/files/1/media", 404, cookie),
    get("a number below 0", "/files/-1/media", 404, cookie),
    get("a number beyond 64 bits", "/files/99999999999999999999/media", 404, cookie),
    get("a number written otherwise", "/files/00/media", 404, cookie),
    get("a result that is not there", "/files/0/results/7", 404, cookie),
    get(
      "a picture of a million pixels a side", "/files/0/still?at=1&width=1000000&height=9", 404,
      cookie),
    get("a million pictures", "/files/0/strip?from=0&to=1&count=1000000&height=9", 404, cookie),
    get(
      "a time beyond 64 bits", "/files/0/still?at=99999999999999999999&width=9&height=9", 404,
      cookie),
    get("a time over zero", "/files/0/still?at=1/0&width=9&height=9", 404, cookie),
    get("a range that ends before it begins", "/files/0/levels?from=2&to=1&count=1", 404, cookie),
    get("an hour of a preview", "/files/0/segment?kind=video&as=made&from=0&to=3600", 404, cookie),
    get("a preview that nobody made", "/files/0/preview/1/media", 404, cookie),
    get("a path for a preview", "/files/0/preview/..%2f1/media", 400, cookie),
    get(
      "a preview before the start", "/files/0/segment?kind=video&as=made&from=-1&to=1", 404, cookie),
    get(
      "a preview of nothing known", "/files/0/segment?kind=/etc&as=made&from=0&to=1", 404, cookie),
    get("a value twice", "/files/0/still?at=1&at=2&width=9&height=9", 400, cookie),
    get(
      "an address of two kilobytes", "/files?a=" + String(repeating: "a", count: 2048), 400, cookie),
  ]

  static let methods: [Attack] =
    ["PUT", "DELETE", "OPTIONS", "TRACE", "PATCH", "CONNECT", "PROPFIND"].map { method in
      Attack(
        "\(method)", [400, 405, 501],
        "\(method) /files HTTP/1.1\r\nHost: localhost:PORT\r\nCookie: COOKIE\r\n"
          + "Connection: close\r\n\r\n")
    } + [
      get("the end by GET", "/quit", 404, cookie),
      get("an input by GET", "/files/0/input", 404, cookie),
      post("a list by POST", "/files", 404, body: "{}", cookie),
      post("the page by POST", "/", 404, body: "{}", cookie),
      get("another protocol", "/files", 400, "Upgrade: websocket", "Connection: Upgrade", cookie),
      Attack(
        "a body for a GET", [400],
        "GET /files HTTP/1.1\r\nHost: localhost:PORT\r\nCookie: COOKIE\r\nContent-Length: 2\r\n"
          + "Connection: close\r\n\r\n{}"),
      post(
        "another method by a field", "/files/0/input", 400, body: "{}",
        "X-HTTP-Method-Override: DELETE", cookie),
    ]

  static let lines: [Attack] = [
    ("bare LFs", "GET / HTTP/1.1\nHost: localhost:PORT\nConnection: close\n\n"),
    ("a bare LF", "GET / HTTP/1.1\r\nHost: localhost:PORT\nConnection: close\r\n\r\n"),
    (
      "a bare LF behind a cookie",
      "GET /files HTTP/1.1\r\nHost: localhost:PORT\r\nCookie: COOKIE\nConnection: close\r\n\r\n"
    ),
    ("a bare CR", "GET / HTTP/1.1\r\nHost: localhost:PORT\rX: a\r\nConnection: close\r\n\r\n"),
  ].map { Attack($0.0, [400, 403], $0.1) }

  static let bodies: [Attack] = [
    post(
      "an unknown member of a preview", "/files/0/preview", 400,
      body: #"{"is_written":true,"path":"/etc"}"#, cookie),
    post(
      "an unknown member of a text", "/files/0/text", 400,
      body: #"{"purpose":"in","text":"1","force":true}"#, cookie),
    post(
      "an unknown member of an input", "/files/0/input", 400,
      body: #"{"page":"a","path":"/etc","message":{"version":1,"input":{"type":"play_did_tap"}}}"#,
      cookie),
    post(
      "a form", "/files/0/input", 415, body: "a=b", type: "application/x-www-form-urlencoded",
      cookie),
    post("a form of parts", "/files/0/input", 415, body: play, type: "multipart/form-data", cookie),
    post("text that is JSON", "/files/0/input", 415, body: play, type: "text/plain", cookie),
    post("a token as text", "/session", 415, body: #"{"token":"TOKEN"}"#, type: "text/plain"),
    post("JSON cut off", "/files/0/input", 400, body: #"{"page":"#, cookie),
    post("no JSON", "/files/0/input", 400, body: "", cookie),
    post(
      "JSON as deep as it goes", "/files/0/input", 400, body: String(repeating: "[", count: 30_000),
      cookie),
    post("a member twice", "/files/0/input", 400, body: #"{"page":"a","page":"b"}"#, cookie),
    post("half a surrogate", "/files/0/input", 400, body: #"{"page":"\ud800"}"#, cookie),
    post(
      "a version that is not known", "/files/0/input", 400,
      body: #"{"page":"a","message":{"version":99,"input":{"type":"play_did_tap"}}}"#, cookie),
    post(
      "an answer of a port", "/files/0/input", 400,
      body: #"{"page":"a","message":{"version":1,"input":{"type":"export_did_finish","id":1,"#
        + #""locations":["/etc/passwd"]}}}"#, cookie),
    post(
      "a video that is loaded", "/files/0/input", 400,
      body: #"{"page":"a","message":{"version":1,"input":{"type":"video_did_load","timings":"#
        + #"{"frames":{"times":[]},"keyframes":{"times":[]}}}}}"#, cookie),
    post(
      "an event for an input", "/files/0/input", 400,
      body: #"{"page":"a","message":{"version":1,"event":{"type":"seek","position":"1"}}}"#, cookie),
    post(
      "a time over zero in an input", "/files/0/input", 400,
      body: #"{"page":"a","message":{"version":1,"input":{"type":"playhead_did_move","#
        + #""position":"1/0"}}}"#, cookie),
    post(
      "a page with a long name", "/files/0/input", 400,
      body: #"{"page":"\#(String(repeating: "a", count: 65))","message":{"version":1,"#
        + #""input":{"type":"play_did_tap"}}}"#, cookie),
    post(
      "a purpose that is none", "/files/0/text", 400, body: #"{"purpose":"path","text":"/etc"}"#,
      cookie),
    post(
      "a text of a kilobyte and more", "/files/0/text", 400,
      body: #"{"purpose":"in","text":"\#(String(repeating: "1", count: 1001))"}"#, cookie),
    post(
      "a body beyond the limit", "/files/0/input", 413,
      body: String(repeating: " ", count: 65_537), cookie),
    Attack(
      "a body that says it is endless", [413],
      "POST /session HTTP/1.1\r\nHost: localhost:PORT\r\nContent-Type: application/json\r\n"
        + "Content-Length: 99999999999\r\n\r\n{}"),
    Attack(
      "a length that is not a number", [400, 413],
      "POST /session HTTP/1.1\r\nHost: localhost:PORT\r\nContent-Type: application/json\r\n"
        + "Content-Length: 1x\r\nConnection: close\r\n\r\n{}"),
    Attack(
      "a chunked body beyond the limit", [],
      "POST /session HTTP/1.1\r\nHost: localhost:PORT\r\nContent-Type: application/json\r\n"
        + "Transfer-Encoding: chunked\r\n\r\n"
        + String(repeating: "1000\r\n\(String(repeating: "a", count: 4096))\r\n", count: 20)
        + "0\r\n\r\n"),
    Attack(
      "a request within a request", [400, 401, 413],
      "POST /session HTTP/1.1\r\nHost: localhost:PORT\r\nContent-Type: application/json\r\n"
        + "Content-Length: 4\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
        + "0\r\n\r\nGET /files HTTP/1.1\r\nHost: localhost:PORT\r\n\r\n"),
  ]

  static let floods: [Attack] = [
    Attack(
      "a thousand fields", [400, 413, 431],
      "GET / HTTP/1.1\r\nHost: localhost:PORT\r\n"
        + (0..<1000).map { "X-\($0): a\r\n" }.joined() + "\r\n"),
    Attack(
      "a field of a megabyte", [400, 413, 431],
      "GET / HTTP/1.1\r\nHost: localhost:PORT\r\nX: \(String(repeating: "a", count: 1 << 20))\r\n\r\n"
    ),
    Attack(
      "an address of a megabyte", [400, 414, 431],
      "GET /\(String(repeating: "a", count: 1 << 20)) HTTP/1.1\r\nHost: localhost:PORT\r\n\r\n"),
    Attack(
      "a method of a megabyte", [400, 413, 414, 431, 501], String(repeating: "A", count: 1 << 20)),
    Attack("another protocol altogether", [400, 505], "\u{16}\u{3}\u{1}\u{2}\r\n\r\n"),
  ]

  static let all = hosts + origins + cookies + paths + methods + lines + bodies + floods
}

@MainActor @Suite(.timeLimit(.minutes(2))) struct `Given a studio that is served` {
  @Test(arguments: Attack.all)
  func `then the request gets no data, and nothing happens`(_ attack: Attack) async throws {
    let stage = try StudioStage()
    defer { stage.stop() }
    let replies = try await BlockingWork.run { () -> [WebClient.Reply?] in
      let visitor = try Visitor(stage)
      let name = String(visitor.cookie.split(separator: "=")[0])
      let request = attack.request
        .replacing("COOKIE", with: visitor.cookie).replacing("NAME", with: name)
        .replacing("PORT", with: "\(visitor.port)").replacing("TOKEN", with: stage.token)
      let answer = try visitor.client.reply(to: request, silence: 1)
      let state = try visitor.listen().read(until: "event: state")
      let isStill = state.contains("\"is_playing\":false") || !state.contains("\"is_playing\":true")
      let untouched = try visitor.get("/files")
      return [answer, isStill ? untouched : nil]
    }
    if let answer = replies[0] {
      #expect(attack.statuses.contains(answer.status), "\(answer.status) \(answer.text)")
      #expect(!answer.text.contains("clip.mp4"))
      #expect(answer.value("access-control-allow-origin") == nil)
      #expect(answer.value("set-cookie") == nil)
    } else {
      // A server may hang up without an answer.
      #expect(attack.statuses.isEmpty || Attack.floods.contains { $0.name == attack.name })
    }
    #expect(replies[1]?.status == 200)
  }
}
