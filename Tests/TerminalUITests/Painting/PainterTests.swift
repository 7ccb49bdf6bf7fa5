import Support
import TerminalUI
import Testing

@Suite struct `Given a painter` {
  private let painter = Painter(depth: .trueColor, isUTF8: true)
  private let size = Size(columns: 20, rows: 3)

  private func text(_ bytes: [UInt8]) -> String {
    String(decoding: bytes, as: UTF8.self).replacing("\u{1B}[", with: "^")
  }

  @Test func `a canvas that did not change costs nothing`() {
    let canvas = Canvas(size: size)
    #expect(painter.bytes(painting: canvas, over: canvas).isEmpty)
  }

  @Test func `the first frame clears the screen`() {
    var canvas = Canvas(size: size)
    canvas.put("hi", column: 0, row: 0)
    #expect(text(painter.bytes(painting: canvas, over: nil)) == "^?2026h^?25l^m^H^2Jhi^?2026l")
  }

  @Test func `a changed cell is all that is written`() {
    let before = Canvas(size: size)
    var after = before
    after.put("x", column: 4, row: 1, style: Style(foreground: .theme(.brightRed)))
    #expect(
      text(painter.bytes(painting: after, over: before)) == "^?2026h^2;5H^91mx^m^?2026l")
  }

  @Test func `a narrow gap is rewritten and a wide one is skipped`() {
    var before = Canvas(size: size)
    before.put("a-b-----------c", column: 0, row: 0)
    var after = before
    for column in [0, 2, 14] { after.put("x", column: column, row: 0) }
    #expect(text(painter.bytes(painting: after, over: before)) == "^?2026h^Hx-x^11Cx^?2026l")
  }

  @Test func `a wide character of which one half changed is written whole`() {
    var before = Canvas(size: size)
    before.put("映", column: 4, row: 0)
    var after = before
    after.restyle(columns: 5..<6, row: 0) { $0.with(.bold) }
    #expect(text(painter.bytes(painting: after, over: before)) == "^?2026h^1;5H映^?2026l")
  }

  @Test func `a tail that became blank is erased in one go`() {
    var before = Canvas(size: size)
    before.put("abcdefghijkl", column: 0, row: 2)
    var after = Canvas(size: size)
    after.put("ab", column: 0, row: 2)
    #expect(text(painter.bytes(painting: after, over: before)) == "^?2026h^3;3H^K^?2026l")
  }

  @Test func `the cursor is shown where the canvas wants it, and hidden again`() {
    let before = Canvas(size: size)
    var after = before
    after.cursor = Position(column: 5, row: 1)
    #expect(text(painter.bytes(painting: after, over: before)) == "^?2026h^2;6H^?25h^?2026l")
    #expect(text(painter.bytes(painting: before, over: after)) == "^?2026h^?25l^?2026l")
  }

  @Test func `without UTF-8 only ASCII is written, as wide as it was`() {
    var canvas = Canvas(size: size)
    canvas.put("├─╪█─┤ 映é▁…", column: 0, row: 0)
    let ascii = Painter(depth: .none, isUTF8: false)
    let bytes = ascii.bytes(painting: canvas, over: nil)
    #expect(text(bytes).hasSuffix("+-##-+ ???_.^?2026l"))
  }

  @Test func `without color the emphasis stays`() {
    var canvas = Canvas(size: size)
    canvas.put("x", column: 0, row: 0, style: Style(foreground: .theme(.red), emphasis: .bold))
    let bytes = Painter(depth: .none, isUTF8: true).bytes(painting: canvas, over: nil)
    #expect(text(bytes).hasSuffix("^0;1mx^m^?2026l") || text(bytes).hasSuffix("^1mx^m^?2026l"))
  }
}

@Suite(.timeLimit(.minutes(1))) struct `Given any two canvases` {
  private static let letters: [Character] = ["a", "b", " ", " ", " ", "─", "█", "映", "🎬", "é", "👩‍👧"]

  private func style(_ generator: inout SeededGenerator) -> Style {
    func color() -> Color {
      switch Int.random(in: 0..<6, using: &generator) {
      case 0: .theme(ThemeColor.allCases.randomElement(using: &generator) ?? .red)
      case 1: .indexed(.random(in: 0...255, using: &generator))
      case 2: .rgb(.random(in: 0...255, using: &generator), 7, 200)
      default: .standard
      }
    }
    let emphasis = Emphasis(rawValue: .random(in: 0..<16, using: &generator))
    return Style(
      foreground: color(), background: color(),
      emphasis: Bool.random(using: &generator) ? emphasis : [])
  }

  private func scribble(_ canvas: inout Canvas, _ generator: inout SeededGenerator) {
    for _ in 0..<Int.random(in: 0..<40, using: &generator) {
      let column = Int.random(in: -2..<canvas.size.columns, using: &generator)
      let row = Int.random(in: 0..<canvas.size.rows, using: &generator)
      switch Int.random(in: 0..<4, using: &generator) {
      case 0:
        canvas.fill(
          columns: column..<column + 9, rows: row..<row + 1,
          style: Bool.random(using: &generator) ? .plain : style(&generator))
      default:
        let count = Int.random(in: 1..<8, using: &generator)
        let text = (0..<count).map { _ in Self.letters.randomElement(using: &generator) ?? "a" }
        canvas.put(String(text), column: column, row: row, style: style(&generator))
      }
    }
    canvas.cursor =
      Bool.random(using: &generator)
      ? nil
      : Position(
        column: canvas.size.columns - 1, row: .random(in: 0..<canvas.size.rows, using: &generator))
  }

  @Test(arguments: 1...150 as ClosedRange<UInt64>)
  func `the painted bytes turn one screen into the other`(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let size = Size(
      columns: .random(in: 1...30, using: &generator), rows: .random(in: 1...6, using: &generator))
    let painter = Painter(depth: .trueColor, isUTF8: true)
    var terminal = TerminalEmulator(size: size)
    var shown: Canvas?
    var next = Canvas(size: size)
    for _ in 0..<6 {
      scribble(&next, &generator)
      terminal.take(painter.bytes(painting: next, over: shown))
      var screen = terminal.canvas
      screen.cursor = terminal.cursor
      #expect(screen == next, "\(generator)")
      #expect(terminal.complaints.isEmpty, "\(generator)")
      #expect(terminal.style == .plain, "\(generator)")
      #expect(!terminal.isUpdating, "\(generator)")
      shown = next
    }
  }
}
