import ExactTime
import Isolation
import MediaEngine
import TerminalUI

/// How pictures are shown on a screen: in half blocks, or as images beneath its cells.
struct PicturePane: Hashable, Sendable {
  enum Style: Hashable, Sendable {
    case halfBlocks
    case images
  }

  var style = Style.halfBlocks
  /// The cell size; `nil` if the terminal does not report it.
  var cell: CellPixels?
  /// The color around an image: the terminal's background.
  var background = RGBColor.black
  /// Whether the terminal has few colors, so that others are dithered.
  var dithers = false

  /// The maximum number of pixels sent; beyond that the terminal scales up, which it has to do
  /// anyway.
  private static let mostPixels = 960 * 540
  /// The usual cell size, twice as high as wide.
  private static let usual = CellPixels(width: 8, height: 16)

  /// The pixel size to request; `nil` for an area without cells.
  func size(columns: Int, rows: Int) -> PictureSize? {
    guard columns > 0, rows > 0 else { return nil }
    guard style == .images else { return blocks(columns: columns, rows: rows) }
    let grid = grid(columns: columns, rows: rows)
    return .within(width: grid.width(of: grid.columns), height: grid.height(of: grid.rows))
  }

  /// The size in half blocks: each half cell is a pixel, whose shape follows from the cell size.
  private func blocks(columns: Int, rows: Int) -> PictureSize {
    guard let cell, 2 * cell.width != cell.height else {
      return .within(width: columns, height: 2 * rows)
    }
    return .withinPixels(
      width: columns, height: 2 * rows,
      aspect: Rational(Int64(2 * cell.width), Int64(cell.height)))
  }

  /// Draws a picture centered in an area.
  func draw(
    _ picture: Picture, slot: CellImage.Slot = .first, on canvas: inout Canvas,
    columns: Range<Int>, rows: Range<Int>
  ) {
    guard !columns.isEmpty, !rows.isEmpty else { return }
    guard style == .images else {
      HalfBlocks(picture: picture, dithers: dithers)
        .draw(on: &canvas, columns: columns, rows: rows)
      return
    }
    var grid = grid(columns: columns.count, rows: rows.count)
    // A picture made for a larger screen is shown unscaled until the next one arrives.
    if grid.columns(for: picture.width) == nil || grid.rows(for: picture.height) == nil {
      grid = Grid(cell: cell ?? Self.usual, columns: columns.count, rows: rows.count, scale: 1)
    }
    guard let wide = grid.columns(for: picture.width), let high = grid.rows(for: picture.height)
    else { return }
    let (width, height) = (grid.width(of: wide), grid.height(of: high))
    canvas.show(
      CellImage(
        slot,
        at: Position(
          column: columns.lowerBound + (columns.count - wide) / 2,
          row: rows.lowerBound + (rows.count - high) / 2),
        columns: wide, rows: high, width: width, height: height,
        pixels: picture.framed(width: width, height: height, by: background).pixels))
  }

  /// Shows pixels that fill an area exactly, as ``pixels(columns:rows:)`` counts them.
  func fill(
    _ picture: Picture, slot: CellImage.Slot, on canvas: inout Canvas, columns: Range<Int>,
    rows: Range<Int>
  ) {
    guard let size = pixels(columns: columns.count, rows: rows.count),
      size.width == picture.width, size.height == picture.height
    else { return }
    canvas.show(
      CellImage(
        slot, at: Position(column: columns.lowerBound, row: rows.lowerBound),
        columns: size.columns, rows: rows.count, width: picture.width, height: picture.height,
        pixels: picture.pixels))
  }

  /// The pixel size of an image that fills an area, and the columns that it fills; `nil` if none is
  /// shown.
  func pixels(columns: Int, rows: Int) -> (width: Int, height: Int, columns: Int)? {
    guard style == .images, columns > 0, rows > 0 else { return nil }
    let grid = grid(columns: columns, rows: rows)
    guard grid.rows == rows else {
      // So few rows are sent at full resolution.
      let cell = cell ?? Self.usual
      return (columns * cell.width, rows * cell.height, columns)
    }
    return (grid.width(of: grid.columns), grid.height(of: rows), grid.columns)
  }

  /// The size of each of several small pictures, side by side with gaps.
  func thumbnail(columns: Int, slots: Int, rows: Int) -> PictureSize? {
    guard slots > 0, rows > 0, columns >= slots else { return nil }
    guard let size = pixels(columns: columns, rows: rows) else {
      return blocks(columns: max(1, (columns - slots + 1) / slots), rows: rows)
    }
    let gap = max(1, (cell ?? Self.usual).width / 2)
    return .within(width: max(1, (size.width - gap * (slots - 1)) / slots), height: size.height)
  }

  private func grid(columns: Int, rows: Int) -> Grid {
    let cell = cell ?? Self.usual
    var scale = 1
    while columns * cell.width / scale * (rows * cell.height / scale) > Self.mostPixels {
      scale += 1
    }
    return Grid(cell: cell, columns: columns, rows: rows, scale: scale)
  }

  /// Cells, and the pixels that are sent for them: each represents a square of screen pixels, and
  /// none is cut by the image border, so that its shape is exact.
  private struct Grid {
    let cell: CellPixels
    /// The maximum number of columns that can be filled without a remainder.
    let columns: Int
    let rows: Int
    let scale: Int

    init(cell: CellPixels, columns: Int, rows: Int, scale: Int) {
      self.cell = cell
      self.scale = scale
      let (wide, high) = (Self.step(cell.width, scale), Self.step(cell.height, scale))
      self.columns = max(wide, columns - columns % wide)
      self.rows = max(high, rows - rows % high)
    }

    func width(of columns: Int) -> Int { columns * cell.width / scale }
    func height(of rows: Int) -> Int { rows * cell.height / scale }

    /// The minimum number of columns that hold a pixel width.
    func columns(for width: Int) -> Int? {
      Self.cells(width * scale, cell.width, Self.step(cell.width, scale), most: columns)
    }

    func rows(for height: Int) -> Int? {
      Self.cells(height * scale, cell.height, Self.step(cell.height, scale), most: rows)
    }

    /// The smallest number of cells that spans a whole number of pixels.
    private static func step(_ side: Int, _ scale: Int) -> Int {
      var (a, b) = (side, scale)
      while b != 0 { (a, b) = (b, a % b) }
      return scale / a
    }

    private static func cells(_ pixels: Int, _ side: Int, _ step: Int, most: Int) -> Int? {
      let count = (pixels + side - 1) / side
      let whole = (count + step - 1) / step * step
      return whole <= most ? max(step, whole) : nil
    }
  }
}

extension Picture {
  /// The picture centered in a larger one of a solid color.
  func framed(width: Int, height: Int, by color: RGBColor) -> Picture {
    guard width != self.width || height != self.height, self.width <= width,
      self.height <= height
    else { return self }
    var canvas = PixelCanvas(width: width, height: height, color)
    canvas.draw(self, x: (width - self.width) / 2, y: (height - self.height) / 2)
    return canvas.picture
  }
}
