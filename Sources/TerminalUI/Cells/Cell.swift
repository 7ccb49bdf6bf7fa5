internal import CSystem

/// One cell of the screen.
package struct Cell: Hashable, Sendable {
  package enum Content: Hashable, Sendable {
    case glyph(Glyph)
    /// The right half of the wide glyph in the cell before.
    case rightHalf
  }

  package let content: Content
  package let style: Style

  package static let blank = Cell(.blank)

  package init(_ glyph: Glyph, style: Style = .plain) {
    content = .glyph(glyph)
    self.style = style
  }

  static func rightHalf(style: Style) -> Cell { Cell(content: .rightHalf, style: style) }

  private init(content: Content, style: Style) {
    self.content = content
    self.style = style
  }

  /// Compares the style first: in pictures that is what differs, and it is faster to compare.
  package static func == (a: Cell, b: Cell) -> Bool {
    a.style == b.style && a.content == b.content
  }

  /// Columns that the glyph takes; 0 for the right half of a wide one.
  package var columns: Int {
    switch content {
    case .glyph(let glyph): glyph.columns
    case .rightHalf: 0
    }
  }
}

/// A position on the screen, from 0 at the top left.
package struct Position: Hashable, Sendable {
  package var column: Int
  package var row: Int

  package init(column: Int, row: Int) {
    self.column = column
    self.row = row
  }
}

/// Columns and rows of a screen.
package struct Size: Hashable, Sendable {
  package let columns: Int
  package let rows: Int

  package static let standard = Size(columns: 80, rows: 24)
  private static let columnLimit = 4096
  private static let rowLimit = 512

  /// Creates a size clamped to between one cell and 4096×512: a terminal may report any size.
  package init(columns: Int, rows: Int) {
    self.columns = min(max(columns, 1), Self.columnLimit)
    self.rows = min(max(rows, 1), Self.rowLimit)
  }
}

extension Size: CustomStringConvertible {
  package var description: String { "\(columns)x\(rows)" }
}

extension Size {
  /// The size that a terminal reports, else `COLUMNS` and `LINES`, else 80×24.
  package init(ofTerminal descriptor: Int32, environment: [String: String]) {
    let reported = trim_terminal_size(descriptor)
    func either(_ reported: Int32, _ name: String, _ standard: Int) -> Int {
      if reported > 0 { return Int(reported) }
      guard let value = environment[name].flatMap({ Int($0) }), value > 0 else { return standard }
      return value
    }
    self.init(
      columns: either(reported.columns, "COLUMNS", Size.standard.columns),
      rows: either(reported.rows, "LINES", Size.standard.rows))
  }
}
