/// Writes cells and remembers where the terminal's cursor is and which style is on.
struct Pen {
  private(set) var bytes: [UInt8] = ControlSequence.beginSynchronizedUpdate
  private let painter: Painter
  private var style = Style.plain
  /// `nil` when the terminal's own idea may differ from ours.
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

  /// Takes the place of the image before.
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
    // Of clusters terminals have widths of their own.
    let isCertain = !painter.isUTF8 || glyph.isOneScalar
    position = isCertain ? Position(column: column + glyph.columns, row: row) : nil
  }

  /// The cells between the cursor and `column`, when writing them is no longer than jumping.
  func gap(to column: Int, row: Int) -> Range<Int> {
    guard let position, position.row == row, position.column < column,
      column - position.column < ControlSequence.forward(column - position.column).count
    else { return column..<column }
    return position.column..<column
  }

  /// Ends the frame with the style off and the cursor where it belongs.
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
