import MediaEngine
import TerminalUI

/// A picture drawn in cells: each shows two pixels, one above the other.
struct HalfBlocks {
  let picture: Picture
  /// For terminals with few colors: neighboring pixels are dithered for colors in between.
  var dithers = false

  /// Draws the picture in the middle of an area; what does not fit is cut off.
  func draw(on canvas: inout Canvas, columns: Range<Int>, rows: Range<Int>) {
    let left = columns.lowerBound + max(0, (columns.count - picture.width) / 2)
    let top = rows.lowerBound + max(0, (rows.count - (picture.height + 1) / 2) / 2)
    for row in 0..<min((picture.height + 1) / 2, rows.count) {
      for column in 0..<min(picture.width, columns.count) {
        let upper = color(column, 2 * row)
        let lower = 2 * row + 1 < picture.height ? color(column, 2 * row + 1) : .standard
        // A single color needs no glyph, which terminals without UTF-8 cannot show.
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
    let (red, green, blue) =
      (picture.pixels[offset], picture.pixels[offset + 1], picture.pixels[offset + 2])
    guard dithers else { return .rgb(red, green, blue) }
    let shift = Self.thresholds[y % 4][x % 4]
    return .rgb(Self.moved(red, shift), Self.moved(green, shift), Self.moved(blue, shift))
  }

  private static func moved(_ value: UInt8, _ shift: Int) -> UInt8 {
    UInt8(min(255, max(0, Int(value) + shift)))
  }

  /// A 4×4 Bayer matrix, scaled to plus or minus half the distance between two colors.
  private static let thresholds: [[Int]] = [
    [0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5],
  ].map { row in row.map { ($0 * 2 - 15) * 4 } }
}
