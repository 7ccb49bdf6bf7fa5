import CommandLineKit
import TerminalUI

/// Lines that are put on a canvas from the top, and one row at the bottom.
struct PlayPage {
  struct Span {
    var text: String
    var style = Style.plain
  }

  private(set) var canvas: Canvas
  let palette: Palette
  private var row = 0

  init(size: Size, palette: Palette) {
    canvas = Canvas(size: size)
    self.palette = palette
  }

  var size: Size { canvas.size }
  /// A picture has taken the room for air.
  private var isFull = false
  /// Room for air between the groups of lines.
  var isRoomy: Bool { size.rows >= 18 && !isFull }
  var isNarrow: Bool { size.columns < 60 }
  var rowsLeft: Int { size.rows - row }

  /// Ends with an ellipsis where it is wider than the screen.
  mutating func line(_ spans: Span..., indent: Int = 1) {
    guard row < size.rows else { return }
    defer { row += 1 }
    let width = spans.reduce(indent) { $0 + $1.text.columns }
    let limit = width > size.columns ? size.columns - 1 : size.columns
    var column = indent
    for span in spans {
      let end = column + span.text.columns
      column = canvas.put(span.text, column: column, row: row, style: span.style, limit: limit)
      guard column == end else {
        canvas.put("…", column: column, row: row, style: span.style)
        return
      }
    }
  }

  /// What a verdict may take of a row.
  func cells(indent: Int = 1) -> Int { size.columns - indent }

  /// A row of one's own making.
  mutating func line(_ draw: (inout Canvas, _ row: Int) -> Void) {
    guard row < size.rows else { return }
    draw(&canvas, row)
    row += 1
  }

  /// Several rows of one's own making.
  mutating func area(rows count: Int, _ draw: (inout Canvas, _ rows: Range<Int>) -> Void) {
    let end = max(row, min(row + count, size.rows))
    draw(&canvas, row..<end)
    row = end
    isFull = true
  }

  /// A blank line where there is room for air.
  mutating func gap() { if isRoomy { row += 1 } }

  mutating func paragraph(_ text: String, style: Style = .plain) {
    for part in TextWrap.lines(text, width: size.columns - 2) {
      line(Span(text: part, style: style))
    }
  }

  /// The last row of the screen, whatever was drawn above.
  mutating func foot(_ text: String, rowsFromBottom: Int = 0) {
    let last = size.rows - 1 - rowsFromBottom
    guard last >= row else { return }
    canvas.put(text, column: 1, row: last, style: palette.quiet)
  }

  /// As many keys as fit.
  mutating func foot(_ hints: FootHints, rowsFromBottom: Int = 0) {
    foot(hints.line(cells: size.columns - 2), rowsFromBottom: rowsFromBottom)
  }

  /// The first row: the name of a file, which is cut; facts and its folder, each where it fits
  /// whole; and something at the right that is always there.
  mutating func head(_ location: String, _ facts: [String] = [], right: String) {
    let place = size.columns - right.columns - 1
    let room = place - 2
    let (base, folder) = PlayModel.names(of: location)
    var shown = base.columns > room ? base.prefix(ofCells: max(0, room - 1)) + "…" : base
    var column = canvas.put(shown, column: 1, row: row, style: Style(emphasis: .bold))
    for fact in facts + (folder.map { ["in \($0)"] } ?? []) {
      guard column - 1 + 2 + fact.columns <= room else { break }
      column = canvas.put("  " + fact, column: column, row: row)
      shown += "  " + fact
    }
    if place > 1 { canvas.put(right, column: place, row: row, style: palette.quiet) }
    row += 1
  }

  /// A framed text over the middle of the screen.
  ///
  /// Its own background keeps pictures beneath it from showing through.
  /// - Parameter closing: what ends it, in the lower edge of the frame.
  mutating func box(_ lines: [String], title: String, closing: String? = nil) {
    let room = size.columns - 4
    guard room > 0, size.rows >= 3 else { return }
    let lines = lines.flatMap { TextWrap.lines($0, width: room) }
    let words = lines + [title] + (closing.map { ["  \($0)"] } ?? [])
    let width = min(words.map(\.columns).max() ?? 0, room)
    let shown = lines.prefix(size.rows - 2)
    let style = palette.box
    let (left, top) = ((size.columns - width - 4) / 2, (size.rows - shown.count - 2) / 2)
    let (right, bottom) = (left + width + 3, top + shown.count + 1)
    // A blank on each side keeps the text beneath apart.
    canvas.fill(columns: left - 1..<right + 2, rows: top..<bottom + 1, style: style)
    // Images lie over text.
    canvas.open(columns: left - 1..<right + 2, rows: top..<bottom + 1)
    for column in left + 1..<right {
      canvas.put(Glyph("─"), column: column, row: top, style: style)
      canvas.put(Glyph("─"), column: column, row: bottom, style: style)
    }
    for (row, corners) in [(top, ("┌", "┐")), (bottom, ("└", "┘"))] {
      canvas.put(corners.0, column: left, row: row, style: style)
      canvas.put(corners.1, column: right, row: row, style: style)
    }
    canvas.put(
      " \(title) ", column: left + 2, row: top, style: style.with(.bold), limit: right)
    if let closing, closing.columns + 2 <= width {
      canvas.put(" \(closing) ", column: left + 2, row: bottom, style: style, limit: right)
    }
    for (offset, text) in shown.enumerated() {
      canvas.put("│", column: left, row: top + 1 + offset, style: style)
      canvas.put(text, column: left + 2, row: top + 1 + offset, style: style, limit: right - 1)
      canvas.put("│", column: right, row: top + 1 + offset, style: style)
    }
  }

  /// Keys and what they do, in two columns where one is higher than the screen.
  mutating func keys(_ lines: [String]) {
    let width = lines.map(\.columns).max() ?? 0
    guard lines.count > size.rows - 2, 2 * width + 3 <= size.columns - 4 else {
      return box(lines, title: "Keys", closing: Self.closing)
    }
    let half = (lines.count + 1) / 2
    box(
      (0..<half).map { row in
        let right = row + half < lines.count ? lines[row + half] : ""
        return lines[row].padded(toCells: width + 3) + right
      }, title: "Keys", closing: Self.closing)
  }

  /// A list of what is there, over the screen.
  mutating func list(_ lines: [String], title: String, closing: String = Self.closing) {
    box(lines, title: title, closing: closing)
  }

  private static let closing = "Any key closes this"

  mutating func showCursor(column: Int, row: Int) {
    canvas.cursor = Position(column: min(column, size.columns - 1), row: row)
  }

  var currentRow: Int { row }
}
