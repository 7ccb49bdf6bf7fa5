import ExactTime
import Support
import Testing

@Suite(.timeLimit(.minutes(5))) struct `Given text that is not a time` {
  struct Refusal: Sendable, CustomTestStringConvertible {
    let text: String
    let reason: TimeSyntaxError.Reason
    let offset: Int
    let testDescription: String

    init(
      _ text: String, _ reason: TimeSyntaxError.Reason, at offset: Int, _ name: String? = nil
    ) {
      self.text = text
      self.reason = reason
      self.offset = offset
      testDescription = name ?? text
    }
  }

  static let refusals: [Refusal] = [
    Refusal("", .empty, at: 0, "nothing"),
    Refusal(" \t ", .empty, at: 0, "blanks"),
    // Number formats of other languages.
    Refusal("nan", .unknownWord("nan"), at: 0),
    Refusal("inf", .unknownWord("inf"), at: 0),
    Refusal("-inf", .unknownWord("inf"), at: 1),
    Refusal("1e400", .unknownUnit("e400"), at: 1),
    Refusal("0x10", .unknownUnit("x10"), at: 1),
    Refusal("1_000", .unexpectedCharacter, at: 1),
    Refusal("1.000,5", .unexpectedCharacter, at: 5),
    Refusal("1,5,2", .unexpectedCharacter, at: 3),
    Refusal("٣", .unexpectedCharacter, at: 0, "an Arabic digit"),
    Refusal("1２", .unexpectedCharacter, at: 1, "a full-width digit"),
    Refusal("−5", .unexpectedCharacter, at: 0, "a typographic minus"),
    Refusal("10\u{0}", .unexpectedCharacter, at: 2, "a NUL at the end"),
    Refusal("1\u{0}0", .unexpectedCharacter, at: 1, "a NUL inside"),
    Refusal("10\n", .unexpectedCharacter, at: 2, "a newline"),
    Refusal("1 0", .unexpectedCharacter, at: 1, "a blank inside"),
    // Values outside 64 bits.
    Refusal("-9223372036854775808", .numberTooLarge, at: 1),
    Refusal("9223372036854775808", .numberTooLarge, at: 0),
    Refusal("153722867280912931:00", .numberTooLarge, at: 0, "2^63 seconds in minutes"),
    Refusal("9223372036854775808f", .numberTooLarge, at: 0),
    Refusal("1/9223372036854775808", .numberTooLarge, at: 2),
    Refusal("0.1234567890123456789", .numberTooLarge, at: 0, "19 places"),
    Refusal("0.0000000000000000005", .numberTooLarge, at: 0, "19 places again"),
    Refusal("0." + String(repeating: "1", count: 60), .numberTooLarge, at: 0, "60 places"),
    Refusal("9223372036854775807.5", .numberTooLarge, at: 0),
    Refusal("0.0000000000000001us", .numberTooLarge, at: 18),
    Refusal(String(repeating: "9", count: 1 << 20), .tooLong, at: 256, "1 MB of digits"),
    Refusal(String(repeating: "0", count: 1 << 20), .tooLong, at: 256, "1 MB of zeros"),
    Refusal(String(repeating: ":", count: 1 << 20), .tooLong, at: 256, "1 MB of colons"),
    Refusal("1/0", .divisionByZero, at: 2),
    // Points, fields and units.
    Refusal(".5", .pointWithoutDigits, at: 0),
    Refusal("5.", .pointWithoutDigits, at: 1),
    Refusal("5,", .pointWithoutDigits, at: 1),
    Refusal("-.5", .pointWithoutDigits, at: 1),
    Refusal("1:00.", .pointWithoutDigits, at: 4),
    Refusal("1.2.3", .unexpectedCharacter, at: 3),
    Refusal("1:75", .sixtyOrMore, at: 2),
    Refusal("1:60:00", .sixtyOrMore, at: 2),
    Refusal("00:00:60", .sixtyOrMore, at: 6),
    Refusal("1:005", .tooManyDigits, at: 2),
    Refusal("1:", .missingNumber, at: 2),
    Refusal(":30", .unexpectedCharacter, at: 0),
    Refusal("1:-5", .unexpectedCharacter, at: 2),
    Refusal("1:00s", .unexpectedCharacter, at: 4),
    Refusal("10min", .unknownUnit("min"), at: 2),
    Refusal("10 min", .unknownUnit("min"), at: 3),
    Refusal("1h30", .missingUnit, at: 4),
    Refusal("1h30x", .unknownUnit("x"), at: 4),
    Refusal("30m1h", .unknownUnit("h"), at: 4),
    Refusal("5m5m", .unknownUnit("m"), at: 3),
    Refusal("1m5s5s", .unexpectedCharacter, at: 4),
    Refusal("1.5h30m", .unexpectedCharacter, at: 4),
    Refusal("1h5f", .unknownUnit("f"), at: 3),
    Refusal("9223372036854775807h", .numberTooLarge, at: 19),
    Refusal("1h9223372036854775807m", .numberTooLarge, at: 2),
    Refusal("10S", .unknownUnit("S"), at: 2),
    Refusal("1.5f", .unexpectedCharacter, at: 3),
    Refusal("1/2/3", .unexpectedCharacter, at: 3),
    Refusal("1/2.5", .unexpectedCharacter, at: 3),
    Refusal("/2", .unexpectedCharacter, at: 0),
    // Timecode.
    Refusal("24:00:00:00", .timecodeOutOfRange, at: 0),
    Refusal("00:00:00:120", .timecodeOutOfRange, at: 9),
    Refusal("00:60:00:00", .sixtyOrMore, at: 3),
    Refusal("00:00:00:00:00", .tooManyFields, at: 11),
    Refusal("00:00:00:", .missingNumber, at: 9),
    Refusal("00:00;00", .unexpectedCharacter, at: 5),
    Refusal("99999999999999999999:00:00:00", .numberTooLarge, at: 0),
    // Counts, percentages and signs.
    Refusal("k0", .countedFromOne, at: 1),
    Refusal("#0", .countedFromOne, at: 1),
    Refusal("k", .unknownWord("k"), at: 0),
    Refusal("#", .missingNumber, at: 1),
    Refusal("k1.5", .unexpectedCharacter, at: 2),
    Refusal("100.1%", .overHundredPercent, at: 0),
    Refusal("50%%", .unexpectedCharacter, at: 3),
    Refusal("-50%", .notFromEnd, at: 0),
    Refusal("-00:01:00:15", .notFromEnd, at: 0),
    Refusal("-k3", .unknownWord("k3"), at: 1),
    Refusal("-", .missingNumber, at: 1),
    Refusal("+", .missingNumber, at: 1),
    Refusal("--5", .unexpectedCharacter, at: 1),
    Refusal("+-5", .unexpectedCharacter, at: 1),
    Refusal("%", .unexpectedCharacter, at: 0),
    Refusal("End", .unknownWord("End"), at: 0),
    Refusal("end1", .unknownWord("end1"), at: 0),
    Refusal("start+5", .unexpectedCharacter, at: 5),
  ]

  @Test(arguments: refusals) func `then it is refused at its first wrong byte`(_ refusal: Refusal) {
    let error = #expect(throws: TimeSyntaxError.self) {
      try TimeExpression(parsing: refusal.text)
    }
    #expect(error?.reason == refusal.reason)
    #expect(error?.offset == refusal.offset)
  }

  @Test func `then a label that drop-frame skips is refused, and the next one is named`() {
    let error = #expect(throws: TimeSyntaxError.self) {
      try TimeExpression(parsing: "00:01:00;01")
    }
    #expect(
      error?.description == "drop-frame timecode skips this label; the next one is"
        + " 00:01:00;02 (character 10)")
  }

  @Test(arguments: refusals) func `then its diagram is two short lines of ASCII`(_ refusal: Refusal)
  {
    let error = #expect(throws: TimeSyntaxError.self) {
      try TimeExpression(parsing: refusal.text)
    }
    let lines = (error?.caretDiagram ?? "").split(
      separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == 2)
    for line in lines {
      #expect(line.utf8.count <= 80)
      #expect(line.utf8.allSatisfy { (0x20..<0x7F).contains($0) })
    }
  }

  @Test func `then the caret is under the offending character`() {
    let error = #expect(throws: TimeSyntaxError.self) { try TimeExpression(parsing: "00:75:10") }
    #expect(error?.caretDiagram == "00:75:10\n   ^")
    #expect(
      error?.description == "minutes and seconds after a ':' go from 0 to 59 (character 4)")
  }

  @Test func `then control characters and wide letters are spelled out, and the caret still fits`()
  {
    let error = #expect(throws: TimeSyntaxError.self) {
      try TimeRangeExpression(parsing: "é\u{1B}[31m")
    }
    #expect(error?.caretDiagram == "\\u{e9}\\u{1b}[31m\n^")
    let later = #expect(throws: TimeSyntaxError.self) { try TimeExpression(parsing: "1\u{9B}2") }
    #expect(later?.caretDiagram == "1\\u{9b}2\n ^")
    #expect(later?.column == 2)
  }

  @Test func `then long text is cut on both sides of the caret`() {
    let text = String(repeating: "1", count: 100) + "x" + String(repeating: "2", count: 100)
    let error = #expect(throws: TimeSyntaxError.self) { try TimeExpression(parsing: text) }
    let left = "..." + String(repeating: "1", count: 30)
    let caret = String(repeating: " ", count: 3) + "^"
    #expect(error?.reason == .numberTooLarge)
    #expect(error?.caretDiagram == String(repeating: "1", count: 31) + "...\n^")
    let range = #expect(throws: TimeSyntaxError.self) {
      try TimeExpression(parsing: String(repeating: "0", count: 100) + "!" + text.prefix(100))
    }
    #expect(
      range?.caretDiagram
        == left.replacing("1", with: "0") + "!" + String(repeating: "1", count: 30) + "...\n"
        + String(repeating: " ", count: 30) + caret)
  }

  @Test func `then any bytes give a value that parses back from its text, or an error`() {
    var generator = SeededGenerator(seed: 7)
    let alphabet = Array("0123456789:;./-+#%kfsmuh tendrioa,=&\u{0}é")
    for _ in 0..<20_000 {
      let count = Int.random(in: 0...14, using: &generator)
      let text = String(
        (0..<count).map { _ in alphabet.randomElement(using: &generator) ?? "0" })
      if let time = try? TimeExpression(parsing: text) {
        #expect((try? TimeExpression(parsing: "\(time)")) == time, "\(text), \(generator)")
      }
      if let range = try? TimeRangeExpression(parsing: text) {
        #expect((try? TimeRangeExpression(parsing: "\(range)")) == range, "\(text), \(generator)")
      }
      _ = try? MediaFragment(splitting: "a#t=" + text)
    }
  }
}
