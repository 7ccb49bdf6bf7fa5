import Support
import Testing

@testable import Fetching

@Suite struct `Given the address of a file` {
  struct Case: CustomTestStringConvertible, Sendable {
    var written: String
    var fetched: String
    var shown: String
    var testDescription: String { written }

    init(_ written: String, _ fetched: String, _ shown: String) {
      (self.written, self.fetched, self.shown) = (written, fetched, shown)
    }
  }

  @Test(arguments: [
    Case("http://a/b", "http://a/b", "http://a/b"),
    Case("HTTPS://A.Example", "https://a.example/", "https://a.example/"),
    Case("https://a.b.:443/c", "https://a.b/c", "https://a.b/c"),
    Case("http://a:8080?x=1", "http://a:8080/?x=1", "http://a:8080/?…"),
    Case(
      "https://user:geheim@a/b.mp4?X-Amz-Signature=abc#t=1", "https://a/b.mp4?X-Amz-Signature=abc",
      "https://a/b.mp4?…"),
    Case(
      "http://[2A00:1::1]:81/ü b", "http://[2a00:1::1]:81/%C3%BC%20b",
      "http://[2a00:1::1]:81/%C3%BC%20b"),
    Case("http://a\\@b/c", "http://a/%5C@b/c", "http://a/%5C@b/c"),
    Case("http://a@b@c/d", "http://c/d", "http://c/d"),
  ])
  func `then it is shown without query and credentials`(_ one: Case) throws {
    let address = try RemoteAddress(one.written.utf8)
    #expect(address.text == one.fetched)
    #expect(address.shown == one.shown)
  }

  @Test(arguments: [
    "ftp://a/b", "file:///etc/passwd", "a.mp4", "http://", "http:///b", "http://a:0/",
    "http://a:65536/",
    "http://a:x/", "http://a b/", "http://[::1", "http://[::g]/", "http://[fe80::1%25eth0]/",
    "http://ä/",
    "http://a/\r\nHost: b", "http://a/\u{7F}",
  ])
  func `then anything else is refused with a reason`(_ text: String) {
    let fault = #expect(throws: FetchFault.self) { try RemoteAddress(text.utf8) }
    #expect(fault?.code == .addressInvalid)
  }

  @Test(arguments: [
    ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
    ("/g", "http://a/g"),
    ("//g", "http://g/"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"),
    ("#s", "http://a/b/c/d;p?q"),
    (";x", "http://a/b/c/;x"), ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"),
    ("..", "http://a/b/"),
    ("../g", "http://a/b/g"), ("../../../g", "http://a/g"), ("/./g", "http://a/g"),
    ("/../g", "http://a/g"),
    ("g.", "http://a/b/c/g."), ("..g", "http://a/b/c/..g"), ("g;x=1/../y", "http://a/b/c/y"),
    ("https://h/x#f", "https://h/x"),
  ])
  func `then a redirect is resolved as RFC 3986, 5.4 has it`(_ pair: (String, String)) throws {
    let base = try RemoteAddress("http://a/b/c/d;p?q".utf8)
    #expect(try base.redirected(to: Array(pair.0.utf8)).text == pair.1)
  }

  @Test(arguments: ["file:///etc/passwd", "gopher://x/", "data:,x", "javascript:0", "ftp://a/"])
  func `then a redirect to another scheme is refused`(_ text: String) throws {
    let base = try RemoteAddress("http://a/b".utf8)
    let fault = #expect(throws: FetchFault.self) { try base.redirected(to: Array(text.utf8)) }
    #expect(fault?.code == .addressRefused)
  }

  @Test func `then credentials do not follow a redirect`() throws {
    let base = try RemoteAddress("http://u:p%20q@a/b".utf8)
    #expect(base.userInfo == Array("u:p q".utf8))
    #expect(try base.redirected(to: Array("/c".utf8)).userInfo == nil)
  }
}

@Suite struct `Given header fields of the user` {
  @Test func `then they are lines of a file, for one server`() throws {
    let fields = try HeaderFields(
      Array("# mine\r\nhttps://Bucket.example/\r\nAuthorization: Bearer x:y\n\nX-A:b\n".utf8))
    #expect(fields.lines == ["Authorization: Bearer x:y", "X-A:b"])
    #expect(fields.origin?.authority == "bucket.example")
    #expect(fields.origin?.isSecure == true)
  }

  @Test(arguments: [
    "Authorization", ": x", "A B: c", "A:", "A: ", "Range: bytes=0-1", "host: x", "A: b\u{0}",
    "Accept-Encoding: gzip",
  ])
  func `then what cannot be sent is refused, and not repeated in the message`(_ text: String) {
    let fault = #expect(throws: FetchFault.self) {
      try HeaderFields(Array("X: secret\n\(text)".utf8))
    }
    #expect(fault?.message.contains("line 2") == true)
    #expect(fault?.message.contains("secret") == false)
  }
}

@Suite struct `Given the range that a server states` {
  @Test(arguments: [
    "bytes 0-1/9223372036854775807", "bytes 0-9223372036854775806/*", "bytes 2-1/9", "bytes 0-9/9",
    "bytes +0-1/9", "bytes -1/9", "items 0-1/9",
  ])
  func `when no file has such a range then it is none`(_ text: String) {
    #expect(ContentRange(text) == nil)
  }

  @Test func `then its bytes and the size of the whole are read`() {
    let range = ContentRange("bytes 5-9/1152921504606846976")
    #expect(range?.bytes == 5..<10 && range?.total == 1 << 60)
  }
}
