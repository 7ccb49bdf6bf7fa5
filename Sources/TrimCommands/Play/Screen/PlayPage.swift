import CommandLineKit
import TerminalUI

/// Lines that are put on a canvas from the top, and one row at the bottom.
struct PlayPage {
  struct Span {
    var text: String
    var style = Style.plain
  }

  private(set) var canvas: Canvas
  private var row = 0

  init(size: Size) { canvas = Canvas(size: size) }

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
    draw(&canvas, row..<min(row + count, size.rows))
    row = min(row + count, size.rows)
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
    canvas.put(text, column: 1, row: last, style: Style(emphasis: .dim))
  }

  /// The first row: a name, which is cut, and something at the right that is not.
  mutating func head(_ left: String, right: String) {
    let place = size.columns - right.columns - 1
    let room = place - 2
    let shown = left.columns > room ? left.prefix(ofCells: max(0, room - 1)) + "…" : left
    canvas.put(shown, column: 1, row: row, style: Style(emphasis: .bold))
    if place > 1 { canvas.put(right, column: place, row: row, style: Style(emphasis: .dim)) }
    row += 1
  }

  /// A framed text over the middle of the screen.
  mutating func box(_ lines: [String], title: String) {
    let width = min((lines + [title]).map(\.columns).max() ?? 0, size.columns - 4)
    guard width > 0, size.rows >= 3 else { return }
    // Images lie over text.
    canvas.image = nil
    let shown = lines.prefix(size.rows - 2)
    let (left, top) = ((size.columns - width - 4) / 2, (size.rows - shown.count - 2) / 2)
    let (right, bottom) = (left + width + 3, top + shown.count + 1)
    // A blank on each side keeps the text beneath apart.
    canvas.fill(columns: left - 1..<right + 2, rows: top..<bottom + 1)
    for column in left + 1..<right {
      canvas.put(Glyph("─"), column: column, row: top)
      canvas.put(Glyph("─"), column: column, row: bottom)
    }
    for (row, corners) in [(top, ("┌", "┐")), (bottom, ("└", "┘"))] {
      canvas.put(corners.0, column: left, row: row)
      canvas.put(corners.1, column: right, row: row)
    }
    canvas.put(
      " \(title) ", column: left + 2, row: top, style: Style(emphasis: .bold), limit: right)
    for (offset, text) in shown.enumerated() {
      canvas.put("│", column: left, row: top + 1 + offset)
      canvas.put(text, column: left + 2, row: top + 1 + offset, limit: right - 1)
      canvas.put("│", column: right, row: top + 1 + offset)
    }
  }

  mutating func showCursor(column: Int, row: Int) {
    canvas.cursor = Position(column: min(column, size.columns - 1), row: row)
  }

  var currentRow: Int { row }
}
