import TerminalUI
import Testing

@Suite struct `Given a canvas` {
  private var canvas = Canvas(size: Size(columns: 10, rows: 3))

  @Test mutating func `its text is what was drawn, without trailing blanks`() {
    canvas.put("ab", column: 1, row: 0)
    canvas.put("c", column: 9, row: 2)
    #expect(canvas.text == " ab\n\n         c")
  }

  @Test mutating func `text is clipped at the border and at a limit`() {
    let end = canvas.put("0123456789ABC", column: 4, row: 0)
    #expect(end == 10)
    #expect(canvas.line(0) == "    012345")
    #expect(canvas.put("hello", column: 0, row: 1, limit: 3) == 3)
    #expect(canvas.line(1) == "hel")
  }

  @Test(arguments: [(-1, 0), (0, -1), (10, 0), (0, 3), (Int.max / 2, Int.min / 2)])
  func `drawing outside has no effect`(_ column: Int, _ row: Int) {
    var canvas = canvas
    canvas.put(Glyph("x"), column: column, row: row)
    #expect(canvas == Canvas(size: canvas.size))
    #expect(canvas[column, row] == .blank)
  }

  @Test mutating func `a wide character takes two cells`() {
    #expect(canvas.put("a映b", column: 0, row: 0) == 4)
    #expect(canvas[1, 0].columns == 2)
    #expect(canvas[2, 0].content == .rightHalf)
    #expect(canvas.line(0) == "a映b")
  }

  @Test mutating func `a wide character does not fit into the last column`() {
    #expect(canvas.put("映", column: 9, row: 0) == 9)
    #expect(canvas.line(0).isEmpty)
  }

  @Test(arguments: [1, 2])
  func `overwriting half of a wide character removes all of it`(_ column: Int) {
    var canvas = canvas
    canvas.put("映", column: 1, row: 0)
    canvas.put("x", column: column, row: 0)
    #expect(canvas.line(0).filter { $0 != " " } == "x")
    #expect(canvas[3 - column, 0] == .blank)
  }

  @Test mutating func `restyling keeps the characters`() {
    canvas.put("abc", column: 0, row: 0)
    canvas.restyle(columns: 1..<2, row: 0) { $0.with(.reverse) }
    #expect(canvas.line(0) == "abc")
    #expect(canvas[1, 0].style.emphasis == .reverse)
    #expect(canvas[2, 0].style == .plain)
  }

  @Test mutating func `a filled rectangle is clipped`() {
    canvas.fill(columns: 8..<99, rows: -5..<1, with: Glyph("#"))
    #expect(canvas.text == "        ##\n\n")
  }
}

@Suite struct `Given any character` {
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let character: Character
    let shown: Character
    let columns: Int
  }

  static let cases = [
    Case(testDescription: "a letter", character: "é", shown: "é", columns: 1),
    Case(testDescription: "a letter and a mark", character: "e\u{301}", shown: "é", columns: 1),
    Case(testDescription: "a Han character", character: "映", shown: "映", columns: 2),
    Case(testDescription: "an emoji", character: "🎬", shown: "🎬", columns: 2),
    Case(testDescription: "a family of joined emoji", character: "👩‍👧", shown: "👩‍👧", columns: 2),
    Case(testDescription: "escape", character: "\u{1B}", shown: "?", columns: 1),
    Case(testDescription: "newline", character: "\n", shown: "?", columns: 1),
    Case(testDescription: "a newline of two", character: "\r\n", shown: "?", columns: 1),
    Case(testDescription: "delete", character: "\u{7F}", shown: "?", columns: 1),
    Case(testDescription: "CSI of C1", character: "\u{9B}", shown: "?", columns: 1),
    Case(testDescription: "right-to-left override", character: "\u{202E}", shown: "?", columns: 1),
    Case(testDescription: "zero-width space", character: "\u{200B}", shown: "?", columns: 1),
    Case(testDescription: "a mark alone", character: "\u{301}", shown: "?", columns: 1),
    Case(testDescription: "line separator", character: "\u{2028}", shown: "?", columns: 1),
    Case(testDescription: "private use", character: "\u{E000}", shown: "?", columns: 1),
  ]

  @Test(arguments: cases)
  func `it is shown safely and at its true width`(_ given: Case) {
    let glyph = Glyph(given.character)
    #expect(glyph.character == given.shown)
    #expect(glyph.columns == given.columns)
  }

  @Test func `a long stack of combining marks is cut off`() {
    let tower = Character("a" + String(repeating: "\u{301}", count: 10_000))
    #expect(Glyph(tower).character.unicodeScalars.count <= 12)
    #expect(Glyph(tower).columns == 1)
  }

  @Test func `the column count of text matches how it is drawn`() {
    #expect("a映🎬\u{1B}".columns == 6)
  }
}
