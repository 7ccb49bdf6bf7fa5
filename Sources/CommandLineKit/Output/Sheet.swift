import SafeText

/// A page of human-readable text, laid out for the width and the capabilities of a stream.
package struct Sheet {
  package struct Cell {
    package var text: String
    package var emphasis = Emphasis.plain
    package var isRightAligned = false

    package init(_ text: String, _ emphasis: Emphasis = .plain, right: Bool = false) {
      self.text = text
      self.emphasis = emphasis
      isRightAligned = right
    }
  }

  package let traits: StreamTraits
  package let isPlain: Bool
  package private(set) var text = ""
  private let painter: Painter

  private static let gap = 2
  /// The minimum width of the last column; below that, a table becomes sentences.
  private static let narrowestColumn = 12

  package init(traits: StreamTraits, isPlain: Bool) {
    self.traits = traits
    self.isPlain = isPlain
    painter = Painter(usesColor: traits.usesColor)
  }

  package var ellipsis: String { traits.isUTF8 ? "…" : "..." }

  /// Untrusted text, made safe for this page.
  package func foreign(_ bytes: some Collection<UInt8>) -> String {
    ForeignText.shown(bytes, asciiOnly: !traits.isUTF8)
  }

  package func foreign(_ text: String) -> String { foreign(text.utf8) }

  /// Untrusted text of any length, truncated to a number of cells.
  package func foreign(_ text: String, cells: Int) -> String {
    foreign(text.utf8.prefix(4 * cells + 4)).cut(toCells: cells, ellipsis: ellipsis)
  }

  package mutating func blank() { text += "\n" }

  package mutating func heading(_ title: String) {
    blank()
    line(title, .heading)
  }

  package mutating func line(_ content: String, _ emphasis: Emphasis = .plain, indent: Int = 0) {
    let indent = traits.columns > 2 * indent + 20 ? indent : 0
    for line in TextWrap.lines(content, width: traits.columns - indent) {
      text += String(repeating: " ", count: indent) + painter.paint(line, emphasis) + "\n"
    }
  }

  /// Adds one line that is never wrapped, so that other programs can parse it.
  package mutating func row(_ content: String, _ emphasis: Emphasis = .plain) {
    text += painter.paint(content, emphasis) + "\n"
  }

  /// Adds rows of equal length; the last column is wrapped in the rest of the line.
  package mutating func table(_ rows: [[Cell]], indent: Int = 2) {
    let columns = rows.first?.count ?? 0
    guard columns > 0 else { return }
    let widths = (0..<columns).map { column in
      rows.map { column < $0.count ? $0[column].text.cellWidth : 0 }.max() ?? 0
    }
    let head = widths.dropLast().filter { $0 > 0 }.reduce(indent) { $0 + $1 + Self.gap }
    let room = traits.columns - head
    guard !isPlain, room >= min(Self.narrowestColumn, widths[columns - 1]) else {
      for row in rows {
        line(row.map(\.text).filter { !$0.isEmpty }.joined(separator: ", "), indent: indent)
      }
      return
    }
    for row in rows { add(row, widths: widths, indent: indent, head: head, room: room) }
  }

  private mutating func add(
    _ row: [Cell], widths: [Int], indent: Int, head: Int, room: Int
  ) {
    var start = String(repeating: " ", count: indent)
    for (cell, width) in zip(row.dropLast(), widths) where width > 0 {
      let spaces = String(repeating: " ", count: max(0, width - cell.text.cellWidth))
      let painted = painter.paint(cell.text, cell.emphasis)
      start += (cell.isRightAligned ? spaces + painted : painted + spaces)
      start += String(repeating: " ", count: Self.gap)
    }
    guard let last = row.last else { return }
    for (number, line) in TextWrap.lines(last.text, width: room).enumerated() {
      let lead = number == 0 ? start : String(repeating: " ", count: head)
      let whole = lead + painter.paint(line, last.emphasis)
      text += whole.withoutTrailingSpaces + "\n"
    }
  }
}

extension String {
  fileprivate var withoutTrailingSpaces: Substring {
    var rest = self[...]
    while rest.last == " " { rest.removeLast() }
    return rest
  }
}
