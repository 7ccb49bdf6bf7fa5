import CommandLineKit
import TerminalUI

/// Lines that are placed on a canvas from the top, and one row at the bottom.
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
  /// Whether a picture has taken the space for blank lines.
  private var isFull = false
  /// Whether there is room for blank lines between groups.
  var isRoomy: Bool { size.rows >= 18 && !isFull }
  var isNarrow: Bool { size.columns < 60 }
  var rowsLeft: Int { size.rows - row }

  /// Adds a line; it ends with an ellipsis if it is wider than the screen.
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

  /// The number of cells available for a verdict in a row.
  func cells(indent: Int = 1) -> Int { size.columns - indent }

  /// Adds a custom-drawn row.
  mutating func line(_ draw: (inout Canvas, _ row: Int) -> Void) {
    guard row < size.rows else { return }
    draw(&canvas, row)
    row += 1
  }

  /// Adds several custom-drawn rows.
  mutating func area(rows count: Int, _ draw: (inout Canvas, _ rows: Range<Int>) -> Void) {
    let end = max(row, min(row + count, size.rows))
    draw(&canvas, row..<end)
    row = end
    isFull = true
  }

  /// Adds a blank line if there is room.
  mutating func gap() { if isRoomy { row += 1 } }

  mutating func paragraph(_ text: String, style: Style = .plain) {
    for part in TextWrap.lines(text, width: size.columns - 2) {
      line(Span(text: part, style: style))
    }
  }

  /// Draws the last row of the screen, regardless of what was drawn above.
  mutating func foot(_ text: String, rowsFromBottom: Int = 0) {
    let last = size.rows - 1 - rowsFromBottom
    guard last >= row else { return }
    canvas.put(text, column: 1, row: last, style: palette.quiet)
  }

  /// Draws as many key hints as fit.
  mutating func foot(_ hints: FootHints, rowsFromBottom: Int = 0) {
    foot(hints.line(cells: size.columns - 2), rowsFromBottom: rowsFromBottom)
  }

  /// Draws the first row: the file name, truncated if necessary; facts and folder, each only if it
  /// fits; and something at the right that is always shown.
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

  /// Draws a framed text over the middle of the screen.
  ///
  /// Its background keeps pictures beneath it from showing through.
  /// - Parameter closing: how to close it, shown in the lower edge of the frame.
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
    // A blank column on each side separates it from the text beneath.
    canvas.fill(columns: left - 1..<right + 2, rows: top..<bottom + 1, style: style)
    // Images would cover text.
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

  /// Draws the keys and what they do, in two columns if one is taller than the screen.
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

  /// Draws a list over the screen.
  mutating func list(_ lines: [String], title: String, closing: String = Self.closing) {
    box(lines, title: title, closing: closing)
  }

  private static let closing = "Any key closes this"

  mutating func showCursor(column: Int, row: Int) {
    canvas.cursor = Position(column: min(column, size.columns - 1), row: row)
  }

  var currentRow: Int { row }
}
