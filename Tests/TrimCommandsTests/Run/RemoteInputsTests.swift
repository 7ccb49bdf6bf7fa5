import CommandLineKit
import MediaFiles
import Testing

@testable import TrimCommands

@Suite struct `Given tasks of a batch whose files are addresses` {
  @Test(arguments: [
    #"{"op":"probe","path":"https://named.example/f.mp4?sig=SECRET"}"#,
    #"{"op":"probe","path":"https:\/\/named.example\/f.mp4?sig=SECRET"}"#,
    #"{"op":"join","paths":["a.mp4","https://me:SECRET@named.example/f.mp4"]}"#,
    "  https://named.example/f.mp4?sig=SECRET", "https://named.example/f.mp4?SECRET#t=1,2",
  ])
  func `then nothing else sees what may be secret in them`(_ line: String) {
    let named = String(decoding: RemoteInputs.named(task: Array(line.utf8)), as: UTF8.self)
    #expect(named.contains("https://named.example/f.mp4"), "\(named)")
    #expect(!named.contains("SECRET"), "\(named)")
  }

  @Test func `when a path is coded as Base64 then it is named as well`() throws {
    let coded = Base64.encode(Array("https://named.example/f.mp4?sig=SECRET".utf8))
    let named = RemoteInputs.named(task: Array(#"{"op":"probe","path_b64":"\#(coded)"}"#.utf8))
    let path = try #require(try JSONReader.read(named)["path_b64"]?.text.flatMap(Base64.decode))
    #expect(!String(decoding: path, as: UTF8.self).contains("SECRET"))
  }

  @Test(arguments: [#"{"op": "probe", "path": "a\/b.mp4"}"#, " a.mp4", "{", "httpx://a"])
  func `when it names no address then the line is as it was`(_ line: String) {
    #expect(RemoteInputs.named(task: Array(line.utf8)) == Array(line.utf8))
  }

  @Test(arguments: [
    (#"http://127.0.0.1:8731\@other.example/a"#, "127.0.0.1"),
    ("http://user:SEC/RET@host.example/", "http://…"),
    ("https://[::1]:80/a?b", "https://[::1]:80/a?…"),
    ("https://user:SECRET@host.example:81/a", "https://host.example:81/a"),
  ])
  func `then the name has the server that is asked, and no password`(
    _ address: String, _ words: String
  ) {
    let shown = String(decoding: RemoteFiles.shown(Array(address.utf8)), as: UTF8.self)
    #expect(shown.contains(words), "\(shown)")
    #expect(!shown.contains("SEC"), "\(shown)")
  }
}
