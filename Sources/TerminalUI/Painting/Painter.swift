/// Turns a canvas into the bytes that update a terminal from the previous canvas.
///
/// Pure: the same two canvases give the same bytes. A frame is one array for one write, wrapped in
/// a synchronized update (private mode 2026) so that no half-painted screen is ever visible.
package struct Painter: Hashable, Sendable {
  package let depth: ColorDepth
  /// If `false`, only ASCII is written, with approximations for line drawing and `?` for the rest.
  package let isUTF8: Bool
  /// Whether pictures may be sent as images, since the terminal reports support.
  package var showsImages: Bool

  package init(depth: ColorDepth, isUTF8: Bool, showsImages: Bool = false) {
    self.depth = depth
    self.isUTF8 = isUTF8
    self.showsImages = showsImages
  }

  /// The bytes of a frame, empty when nothing changed.
  ///
  /// - Parameter previous: What the screen shows; `nil`, or another size, repaints everything.
  package func bytes(painting canvas: Canvas, over previous: Canvas?) -> [UInt8] {
    if canvas == previous { return [] }
    // A screen in an unknown state may show its cursor.
    let isCursorShown = previous.map { $0.cursor != nil } ?? true
    var pen = Pen(painter: self, isCursorShown: isCursorShown)
    var base = Canvas(size: canvas.size)
    if let previous, previous.size == canvas.size {
      base = previous
    } else {
      pen.clearScreen()
      if showsImages { pen.removeImages() }
    }
    for row in 0..<canvas.size.rows { paint(row, of: canvas, over: base, with: &pen) }
    if showsImages { paintImages(of: canvas, over: base, with: &pen) }
    pen.finish(cursor: canvas.cursor)
    return pen.bytes
  }

  private func paintImages(of canvas: Canvas, over base: Canvas, with pen: inout Pen) {
    for slot in CellImage.Slot.allCases where canvas.images[slot] != base.images[slot] {
      if let image = canvas.images[slot] { pen.show(image) } else { pen.removeImage(slot) }
    }
  }

  private func paint(_ row: Int, of canvas: Canvas, over base: Canvas, with pen: inout Pen) {
    guard let changed = canvas.differences(from: base, row: row) else { return }
    let blankTail = firstColumnOfBlankTail(row, of: canvas)
    var column = changed.lowerBound
    while column <= changed.upperBound {
      let cell = canvas[column, row]
      defer { column += max(cell.columns, 1) }
      guard canvas.differs(from: base, column: column, row: row) else { continue }
      if column >= blankTail {
        pen.clearToEndOfLine(column: column, row: row)
        return
      }
      // A narrow gap is cheaper to rewrite than to skip.
      for gap in pen.gap(to: column, row: row) {
        pen.write(canvas[gap, row], column: gap, row: row)
      }
      pen.write(cell, column: column, row: row)
    }
  }

  /// The column from which the row is blank and plain to the border; at least four cells, to be
  /// worthwhile.
  private func firstColumnOfBlankTail(_ row: Int, of canvas: Canvas) -> Int {
    var column = canvas.size.columns
    while column > 0, canvas[column - 1, row] == .blank { column -= 1 }
    return canvas.size.columns - column >= 4 ? column : canvas.size.columns
  }
}

extension Painter {
  /// A canvas as lines starting at the cursor, for scrolling output.
  package func lines(of canvas: Canvas) -> [UInt8] {
    var bytes: [UInt8] = []
    for row in 0..<canvas.size.rows {
      var style = Style.plain
      for column in 0..<canvas.size.columns {
        let cell = canvas[column, row]
        guard case .glyph(let glyph) = cell.content else { continue }
        let wanted = cell.style.reduced(to: depth)
        wanted.append(after: style, to: &bytes)
        style = wanted
        append(glyph, to: &bytes)
      }
      Style.plain.append(after: style, to: &bytes)
      bytes.append(0x0A)
    }
    return bytes
  }

  /// Text as bytes: newlines are kept, everything else is as in a cell.
  package func plainText(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    for character in text {
      if character == "\n" { bytes.append(0x0A) } else { append(Glyph(character), to: &bytes) }
    }
    return bytes
  }

  func append(_ glyph: Glyph, to bytes: inout [UInt8]) {
    if isUTF8 {
      bytes.append(contentsOf: glyph.character.utf8)
    } else {
      bytes += glyph.asciiBytes
    }
  }
}
