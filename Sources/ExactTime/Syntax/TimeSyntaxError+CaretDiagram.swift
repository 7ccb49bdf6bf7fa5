extension TimeSyntaxError {
  /// Two lines: the text, and a caret under the bad character.
  ///
  /// The output is printable ASCII, everything else as `\u{…}`, so the diagram is safe on any
  /// terminal and the caret lines up; a long text is trimmed around the caret. No line is longer
  /// than 80 characters, and the last has no newline.
  public var caretDiagram: String {
    let cells = self.cells
    let bad = cells.lastIndex { $0.offset <= offset } ?? 0
    // Outwards from the caret, half the width to each side.
    var first = bad
    var room = Self.roomEachSide
    while first > 0, cells[first - 1].text.utf8.count <= room {
      first -= 1
      room -= cells[first].text.utf8.count
    }
    var last = bad
    room = Self.roomEachSide
    while last + 1 < cells.count, cells[last + 1].text.utf8.count <= room {
      last += 1
      room -= cells[last].text.utf8.count
    }
    let before = (first > 0 ? "..." : "") + cells[first..<bad].map(\.text).joined()
    let after = cells[bad...last].map(\.text).joined() + (last + 1 < cells.count ? "..." : "")
    return before + after + "\n" + String(repeating: " ", count: before.utf8.count) + "^"
  }

  private static let roomEachSide = 30

  /// Each character as displayed, with its offset; the last cell is the empty end of the text.
  private var cells: [(text: String, offset: Int)] {
    var cells: [(text: String, offset: Int)] = []
    var offset = 0
    for scalar in text.unicodeScalars {
      let isPlain = (0x20..<0x7F).contains(scalar.value)
      cells.append(
        (isPlain ? String(scalar) : "\\u{\(String(scalar.value, radix: 16))}", offset))
      offset += UTF8.width(scalar)
    }
    cells.append(("", offset))
    return cells
  }
}
