import MediaEngine
import TerminalUI

/// A picture in cells: each shows two pixels, one above the other.
struct HalfBlocks {
  let picture: Picture

  /// The pixels that an area of cells can show; `nil` for an area without cells.
  static func size(columns: Int, rows: Int) -> PictureSize? {
    columns > 0 && rows > 0 ? .within(width: columns, height: 2 * rows) : nil
  }

  /// Draws the picture in the middle of an area; what does not fit is cut off.
  func draw(on canvas: inout Canvas, columns: Range<Int>, rows: Range<Int>) {
    let left = columns.lowerBound + max(0, (columns.count - picture.width) / 2)
    let top = rows.lowerBound + max(0, (rows.count - (picture.height + 1) / 2) / 2)
    for row in 0..<min((picture.height + 1) / 2, rows.count) {
      for column in 0..<min(picture.width, columns.count) {
        let upper = color(column, 2 * row)
        let lower = 2 * row + 1 < picture.height ? color(column, 2 * row + 1) : .standard
        // One colour needs no glyph, which terminals without UTF-8 do not have.
        let isOne = upper == lower
        canvas.put(
          isOne ? .blank : Self.upperHalf, column: left + column, row: top + row,
          style: Style(foreground: isOne ? .standard : upper, background: lower))
      }
    }
  }

  private static let upperHalf = Glyph("▀")

  private func color(_ x: Int, _ y: Int) -> Color {
    let offset = (y * picture.width + x) * 3
    return .rgb(picture.pixels[offset], picture.pixels[offset + 1], picture.pixels[offset + 2])
  }
}
