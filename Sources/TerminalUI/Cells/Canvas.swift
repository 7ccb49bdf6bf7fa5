/// A screenful of cells, drawn in memory; a ``Painter`` writes it to the terminal.
///
/// Everything outside its borders is clipped, never an error. A wide character with one half
/// overwritten or clipped disappears entirely.
package struct Canvas: Hashable, Sendable {
  package let size: Size
  /// The position of the terminal's cursor; `nil` hides it.
  package var cursor: Position?
  /// Pictures over the characters, if the terminal supports them.
  package private(set) var images: [CellImage.Slot: CellImage] = [:]
  private var cells: [Cell]

  package init(size: Size) {
    self.size = size
    cells = Array(repeating: .blank, count: size.columns * size.rows)
  }

  /// The cell at a position, blank outside the borders.
  package subscript(column: Int, row: Int) -> Cell {
    contains(column, row) ? cells[row * size.columns + column] : .blank
  }

  /// Draws text in one row and returns the column after it.
  ///
  /// - Parameter limit: The first column that may not be drawn on; the right border by default.
  @discardableResult
  package mutating func put(
    _ text: some StringProtocol, column: Int, row: Int, style: Style = .plain, limit: Int? = nil
  ) -> Int {
    let end = min(limit ?? size.columns, size.columns)
    var column = column
    for glyph in Glyph.all(of: text) {
      guard column + glyph.columns <= end else { break }
      put(glyph, column: column, row: row, style: style)
      column += glyph.columns
    }
    return column
  }

  /// Draws one glyph.
  package mutating func put(_ glyph: Glyph, column: Int, row: Int, style: Style = .plain) {
    guard contains(column, row), column + glyph.columns <= size.columns else { return }
    clearHalves(column, row)
    if glyph.columns == 2 {
      clearHalves(column + 1, row)
      cells[row * size.columns + column + 1] = .rightHalf(style: style)
    }
    cells[row * size.columns + column] = Cell(glyph, style: style)
  }

  /// Fills a rectangle with one narrow glyph.
  package mutating func fill(
    columns: Range<Int>, rows: Range<Int>, with glyph: Glyph = .blank, style: Style = .plain
  ) {
    for row in rows.clamped(to: 0..<size.rows) {
      for column in columns.clamped(to: 0..<size.columns) {
        put(glyph.columns == 1 ? glyph : .blank, column: column, row: row, style: style)
      }
    }
  }

  /// Gives drawn cells another style and keeps their characters.
  package mutating func restyle(columns: Range<Int>, row: Int, _ change: (Style) -> Style) {
    guard 0..<size.rows ~= row else { return }
    for column in columns.clamped(to: 0..<size.columns) {
      let index = row * size.columns + column
      let style = change(cells[index].style)
      switch cells[index].content {
      case .glyph(let glyph): cells[index] = Cell(glyph, style: style)
      case .rightHalf: cells[index] = .rightHalf(style: style)
      }
    }
  }

  /// The columns of a row from the first to the last cell that differs from another canvas of this
  /// size; `nil` if none does.
  func differences(from other: Canvas, row: Int) -> ClosedRange<Int>? {
    let start = row * size.columns
    let (mine, theirs) = (cells.span, other.cells.span)
    var (first, end) = (0, size.columns)
    while first < end, mine[start + first] == theirs[start + first] { first += 1 }
    guard first < end else { return nil }
    while mine[start + end - 1] == theirs[start + end - 1] { end -= 1 }
    // A wide glyph differs if either of its halves does.
    if case .rightHalf = mine[start + first].content { first -= 1 }
    return first...end - 1
  }

  /// Whether a cell, or either half of a wide one, differs from that of a canvas of this size.
  func differs(from other: Canvas, column: Int, row: Int) -> Bool {
    let place = row * size.columns + column
    if cells[place] != other.cells[place] { return true }
    return cells[place].columns == 2 && cells[place + 1] != other.cells[place + 1]
  }

  /// Shows a picture, replacing the one in its slot.
  package mutating func show(_ image: CellImage) { images[image.slot] = image }

  /// Makes characters visible through all pictures.
  package mutating func open(columns: Range<Int>, rows: Range<Int>) {
    for slot in images.keys { images[slot]?.open(columns: columns, rows: rows) }
  }

  private func contains(_ column: Int, _ row: Int) -> Bool {
    0..<size.columns ~= column && 0..<size.rows ~= row
  }

  /// Blanks the other half of a wide glyph that occupies `column`.
  private mutating func clearHalves(_ column: Int, _ row: Int) {
    let index = row * size.columns + column
    switch cells[index].content {
    case .rightHalf: cells[index - 1] = Cell(.blank, style: cells[index - 1].style)
    case .glyph(let glyph) where glyph.columns == 2:
      cells[index + 1] = Cell(.blank, style: cells[index + 1].style)
    case .glyph: break
    }
  }
}

extension Canvas {
  /// The characters only, one line per row, without trailing blanks: for snapshots and plain
  /// output.
  package var text: String {
    (0..<size.rows).map(line(_:)).joined(separator: "\n")
  }

  /// The characters of one row without trailing blanks.
  package func line(_ row: Int) -> String {
    var line = ""
    var pendingBlanks = 0
    for column in 0..<size.columns {
      guard case .glyph(let glyph) = self[column, row].content else { continue }
      if glyph == .blank {
        pendingBlanks += 1
      } else {
        line.append(String(repeating: " ", count: pendingBlanks))
        line.append(glyph.character)
        pendingBlanks = 0
      }
    }
    return line
  }
}
