import JSON
import SafeText
import Support
import Testing

@Suite struct `Given a JSON text` {
  struct Good: CustomTestStringConvertible, Sendable {
    var text: String
    var value: JSONValue
    var testDescription: String { text }
  }

  @Test(arguments: [
    Good(text: "null", value: .null),
    Good(text: " [true, false] ", value: .array([.bool(true), .bool(false)])),
    Good(text: "-12", value: .integer(-12)),
    Good(text: "0.50", value: .number("0.50")),
    Good(text: "1e400", value: .number("1e400")),
    Good(text: "9007199254740993", value: .number("9007199254740993")),
    Good(text: "-0", value: .number("-0")),
    Good(text: #""\u0041\n\/\ud83d\ude00é""#, value: .string("A\n/😀é")),
    Good(text: #""\u0000""#, value: .string("\0")),
    Good(text: #"{"a": {}, "b": []}"#, value: .object(["a": .object([]), "b": .array([])])),
  ])
  func `then it is read`(_ good: Good) throws {
    #expect(try JSONReader.read(Array(good.text.utf8)) == good.value)
  }

  struct Bad: CustomTestStringConvertible, Sendable {
    var bytes: [UInt8]
    var reason: JSONReader.Failure.Reason
    var offset: Int
    var testDescription: String { String(decoding: bytes.prefix(40), as: UTF8.self) }

    init(_ text: String, _ reason: JSONReader.Failure.Reason, at offset: Int) {
      self.init(Array(text.utf8), reason, at: offset)
    }

    init(_ bytes: [UInt8], _ reason: JSONReader.Failure.Reason, at offset: Int) {
      (self.bytes, self.reason, self.offset) = (bytes, reason, offset)
    }
  }

  @Test(arguments: [
    Bad("", .unexpectedEnd, at: 0),
    Bad("{\"a\":1", .unexpectedEnd, at: 6),
    Bad("\"abc", .unexpectedEnd, at: 4),
    Bad("nul", .unexpectedEnd, at: 3),
    Bad("nulL", .unexpectedCharacter, at: 3),
    Bad("01", .trailingText, at: 1),
    Bad("1.", .unexpectedEnd, at: 2),
    Bad("+1", .unexpectedCharacter, at: 0),
    Bad("NaN", .unexpectedCharacter, at: 0),
    Bad("[1,]", .unexpectedCharacter, at: 3),
    Bad("{a:1}", .unexpectedCharacter, at: 1),
    Bad("1 2", .trailingText, at: 2),
    Bad(#"{"a":1,"\u0061":2}"#, .duplicateMember("a"), at: 7),
    Bad(#""\ud800""#, .loneSurrogate, at: 1),
    Bad(#""\udc00\ud800""#, .loneSurrogate, at: 1),
    Bad(#""\ud800\u0041""#, .loneSurrogate, at: 1),
    Bad(#""\x41""#, .unknownEscape, at: 1),
    Bad("\"a\u{1}\"", .controlCharacter, at: 2),
    Bad([0x22, 0xC0, 0x80, 0x22], .invalidUTF8, at: 0),
    Bad(String(repeating: "[", count: 33), .tooDeep, at: 32),
    Bad(String(repeating: "[", count: 500_000), .tooDeep, at: 32),
  ])
  func `then an error states its reason and offset`(_ bad: Bad) {
    #expect(throws: JSONReader.Failure(reason: bad.reason, offset: bad.offset)) {
      try JSONReader.read(bad.bytes)
    }
  }

  @Test(arguments: [2, 23, 24, 25, 60])
  func `then a duplicate member among many is reported, too`(count: Int) {
    let members = (0..<count).map { "\"m\($0)\":0" } + ["\"m1\":1"]
    let text = "{\(members.joined(separator: ","))}"
    #expect(throws: JSONReader.Failure(reason: .duplicateMember("m1"), offset: text.utf8.count - 7))
    {
      try JSONReader.read(Array(text.utf8))
    }
  }

  @Test func `then it reads back what the writer wrote`() throws {
    var random = SeededGenerator(seed: 40)
    for _ in 0..<300 {
      let value = Self.value(depth: 0, &random)
      for layout in [JSONWriter.Layout.line, .indented] {
        #expect(try JSONReader.read(JSONWriter.write(value, layout)) == value, "seed 40")
      }
    }
  }

  @Test func `then changing any byte never traps`() throws {
    let text = Array(#"{"id":"\ud83d\ude00","op":"probe","path":"é","n":[-1.5e3,true,null]}"#.utf8)
    for index in text.indices {
      for byte in UInt8.min...UInt8.max {
        var changed = text
        changed[index] = byte
        if let value = try? JSONReader.read(changed) {
          #expect(try JSONReader.read(JSONWriter.write(value, .line)) == value)
        }
      }
    }
  }

  private static func value(depth: Int, _ random: inout SeededGenerator) -> JSONValue {
    switch Int.random(in: 0..<(depth < 4 ? 7 : 5), using: &random) {
    case 0: .null
    case 1: .bool(Bool.random(using: &random))
    case 2: .integer(Int64.random(in: -(1 << 53)...(1 << 53), using: &random))
    case 3: .number("\(Int.random(in: 0...99, using: &random)).25")
    case 4: .string(text(&random))
    case 5: .array((0..<3).map { _ in value(depth: depth + 1, &random) })
    default:
      .object(
        (0..<3).map { .init(key: "\($0)" + text(&random), value: value(depth: depth + 1, &random)) }
      )
    }
  }

  private static func text(_ random: inout SeededGenerator) -> String {
    let scalars: [Unicode.Scalar] = [
      "a", "\"", "\\", "\n", "\u{1}", "é", "\u{202E}", "😀", "\u{7F}",
    ]
    return String(
      String.UnicodeScalarView((0..<4).map { _ in scalars.randomElement(using: &random) ?? "a" }))
  }
}

@Suite struct `Given bytes in Base64` {
  @Test func `then they are decoded as they were encoded`() {
    for count in 0..<50 {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 37) }
      #expect(Base64.decode(Base64.encode(bytes)) == bytes)
    }
  }

  @Test(arguments: ["A", "AA", "AA=", "A===", "AA==AA==", "AB==", "A A=", "é==="])
  func `then anything else is refused`(_ text: String) {
    #expect(Base64.decode(text) == nil)
  }
}

@Suite(.timeLimit(.minutes(1))) struct `Given a value whose cases have names of several words` {
  private enum Answer: Codable, Equatable {
    case ofOneWord(longName: Int)
    case two(String)
  }

  @Test func `when it is encoded and decoded, then it is the same`() throws {
    for answer in [Answer.ofOneWord(longName: 7), .two("x")] {
      let value = try JSONValue.encoded(answer)
      #expect(try value.decoded(as: Answer.self) == answer)
    }
    #expect(
      try JSONValue.encoded(Answer.ofOneWord(longName: 7))
        == .object(["of_one_word": .object(["long_name": .integer(7)])]))
  }

  @Test func `when keys are data, then they stay as they are`() throws {
    let value = JSONValue.object(["a_b": .integer(1)])
    #expect(try value.decoded(as: [String: Int].self) == ["a_b": 1])
  }
}
