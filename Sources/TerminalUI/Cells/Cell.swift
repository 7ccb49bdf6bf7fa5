/// One place on the screen.
public struct Cell: Hashable, Sendable {
  public enum Content: Hashable, Sendable {
    case glyph(Glyph)
    /// The right half of the wide glyph in the cell before.
    case rightHalf
  }

  public let content: Content
  public let style: Style

  public static let blank = Cell(.blank)

  public init(_ glyph: Glyph, style: Style = .plain) {
    content = .glyph(glyph)
    self.style = style
  }

  static func rightHalf(style: Style) -> Cell { Cell(content: .rightHalf, style: style) }

  private init(content: Content, style: Style) {
    self.content = content
    self.style = style
  }

  /// The style first: of two pictures it is what differs, and the quicker to compare.
  public static func == (a: Cell, b: Cell) -> Bool {
    a.style == b.style && a.content == b.content
  }

  /// Columns that the glyph takes; 0 for the right half of a wide one.
  public var columns: Int {
    switch content {
    case .glyph(let glyph): glyph.columns
    case .rightHalf: 0
    }
  }
}

/// A place on the screen, from 0 at the top left.
public struct Position: Hashable, Sendable {
  public var column: Int
  public var row: Int

  public init(column: Int, row: Int) {
    self.column = column
    self.row = row
  }
}

/// Columns and rows of a screen.
public struct Size: Hashable, Sendable {
  public let columns: Int
  public let rows: Int

  public static let standard = Size(columns: 80, rows: 24)
  private static let columnLimit = 4096
  private static let rowLimit = 512

  /// At least one cell, at most 4096×512: a terminal may claim any size.
  public init(columns: Int, rows: Int) {
    self.columns = min(max(columns, 1), Self.columnLimit)
    self.rows = min(max(rows, 1), Self.rowLimit)
  }
}

extension Size: CustomStringConvertible {
  public var description: String { "\(columns)x\(rows)" }
}
