/// Writes cells and tracks the terminal's cursor and active style.
struct Pen {
  private(set) var bytes: [UInt8] = ControlSequence.beginSynchronizedUpdate
  private let painter: Painter
  private var style = Style.plain
  /// The cursor position; `nil` when the terminal's may differ.
  private var position: Position?

  init(painter: Painter, isCursorShown: Bool) {
    self.painter = painter
    bytes.reserveCapacity(1 << 14)
    if isCursorShown { bytes += ControlSequence.hideCursor }
  }

  mutating func clearScreen() {
    bytes += ControlSequence.plainStyle + ControlSequence.clearScreen
    position = Position(column: 0, row: 0)
  }

  /// Shows an image, replacing the previous one.
  mutating func show(_ image: CellImage) {
    move(image.position.column, image.position.row)
    bytes += KittyGraphics.show(image)
  }

  mutating func removeImage(_ slot: CellImage.Slot) { bytes += KittyGraphics.deletion(slot) }
  mutating func removeImages() { bytes += KittyGraphics.deletion }

  mutating func clearToEndOfLine(column: Int, row: Int) {
    move(column, row)
    turn(to: .plain)
    bytes += ControlSequence.clearToEndOfLine
  }

  mutating func write(_ cell: Cell, column: Int, row: Int) {
    guard case .glyph(let glyph) = cell.content else { return }
    move(column, row)
    turn(to: cell.style.reduced(to: painter.depth))
    painter.append(glyph, to: &bytes)
    // Terminals disagree on the width of grapheme clusters.
    let isCertain = !painter.isUTF8 || glyph.isOneScalar
    position = isCertain ? Position(column: column + glyph.columns, row: row) : nil
  }

  /// The cells between the cursor and `column`, when writing them takes no more bytes than moving
  /// the cursor.
  func gap(to column: Int, row: Int) -> Range<Int> {
    guard let position, position.row == row, position.column < column,
      column - position.column < ControlSequence.forward(column - position.column).count
    else { return column..<column }
    return position.column..<column
  }

  /// Ends the frame with the style reset and the cursor at its position.
  mutating func finish(cursor: Position?) {
    turn(to: .plain)
    if let cursor {
      move(cursor.column, cursor.row)
      bytes += ControlSequence.showCursor
    }
    bytes += ControlSequence.endSynchronizedUpdate
  }

  private mutating func move(_ column: Int, _ row: Int) {
    let wanted = Position(column: column, row: row)
    guard position != wanted else { return }
    if let position, position.row == row, position.column < column {
      bytes += ControlSequence.forward(column - position.column)
    } else {
      bytes += ControlSequence.moveTo(column: column, row: row)
    }
    position = wanted
  }

  private mutating func turn(to wanted: Style) {
    wanted.append(after: style, to: &bytes)
    style = wanted
  }
}
