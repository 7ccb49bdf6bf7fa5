import JSON
import Support
import Testing

@Suite struct `Given JSON that is passed on unchanged` {
  private static let row =
    #"{"container":{"format":"mp4","brands":["isom","avc1"]},"note":"a \"b\" \\ c\n","#
    + #""start":null,"fits":true,"seconds":-60.40e+2,"empty":{},"none":[],"track":0}"#

  @Test func `then it stays unchanged, and a reader and writer reproduce it`() throws {
    let text = try #require(JSONText(object: Array(Self.row.utf8)[...]))
    #expect(text.bytes == Array(Self.row.utf8))
    #expect(JSONWriter.write(try JSONReader.read(text.bytes), .line).dropLast() == text.bytes[...])
  }

  @Test func `then it can be inserted as a member among others`() throws {
    let text = try #require(JSONText(object: Array(#"{"a":1}"#.utf8)[...]))
    let line = JSONWriter.line(
      JSONValue.members(["id": .null]), "result", text, JSONValue.members(["error": .null]))
    #expect(
      String(decoding: line, as: UTF8.self) == #"{"id":null,"result":{"a":1},"error":null}"# + "\n")
  }

  @Test(arguments: [
    "", "{", "{}x", "{} ", " {}", "[]", "1", "null", #"{"a":1,"a":2}"#, #"{"a":1,}"#, #"{"a" :1}"#,
    #"{"a":01}"#, #"{"a":1.}"#, #"{"a":.5}"#, #"{"a":+1}"#, #"{"a":1e}"#, #"{"a":nul}"#,
    #"{"a":"\u001b[2J"}"#, #"{"a":"\x"}"#, #"{"\n":1}"#, #"{"a":"é"}"#, "{\"a\":\"\u{1B}\"}",
    "{\"a\":\"\u{7F}\"}", #"{"a":"b}"#, #"{"a":"b\"#, #"{"a":[1,]}"#, #"{"a":[1"#, #"{"a"}"#,
    String(repeating: #"{"a":"#, count: 33) + "1" + String(repeating: "}", count: 33),
  ])
  func `then anything that is not plain is left to the reader`(_ text: String) {
    #expect(JSONText(object: Array(text.utf8)[...]) == nil)
  }

  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func `then any accepted text is JSON of printable characters`(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let pieces = Array(#"{}[]":,\ntu0e-.1a"#.utf8) + [0x1B, 0x7F, 0xC3, 0x20]
    var taken = 0
    for _ in 0..<2000 {
      var bytes = Array(Self.row.utf8)
      for _ in 0..<Int.random(in: 1...2, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        guard let piece = pieces.randomElement(using: &random) else { continue }
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[place] = piece
        case 1: bytes.insert(piece, at: place)
        default: bytes.remove(at: place)
        }
      }
      guard let text = JSONText(object: bytes[...]) else { continue }
      taken += 1
      #expect(
        (try? JSONReader.read(text.bytes)) != nil, "\(String(decoding: bytes, as: UTF8.self))")
      #expect(text.bytes.allSatisfy { (0x20...0x7E).contains($0) })
    }
    #expect(taken > 100)
  }
}
