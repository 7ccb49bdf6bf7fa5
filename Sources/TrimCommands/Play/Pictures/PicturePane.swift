import MediaEngine
import TerminalUI

/// How pictures come onto a screen: in half blocks, or as images over its cells.
struct PicturePane: Hashable, Sendable {
  enum Manner: Hashable, Sendable {
    case halfBlocks
    /// `nil` where the terminal does not tell how large its cells are.
    case image(CellPixels?)
  }

  var manner = Manner.halfBlocks

  /// More pixels than this a terminal makes of fewer, as it has to scale them anyway.
  private static let largest = (width: 960, height: 540)
  /// Twice as high as wide, as most are.
  private static let usual = CellPixels(width: 8, height: 16)

  /// The pixels to ask for; `nil` for an area without cells.
  func size(columns: Int, rows: Int) -> PictureSize? {
    guard case .image(let told) = manner, columns > 0, rows > 0 else {
      return HalfBlocks.size(columns: columns, rows: rows)
    }
    let cell = told ?? Self.usual
    return .within(
      width: min(columns * cell.width, Self.largest.width),
      height: min(rows * cell.height, Self.largest.height))
  }

  /// Draws a picture in the middle of an area.
  func draw(_ picture: Picture, on canvas: inout Canvas, columns: Range<Int>, rows: Range<Int>) {
    guard case .image(let told) = manner, !columns.isEmpty, !rows.isEmpty else {
      HalfBlocks(picture: picture).draw(on: &canvas, columns: columns, rows: rows)
      return
    }
    let cell = told ?? Self.usual
    let (width, height) = (picture.width, picture.height)
    // Cut to whole columns: an image must not hang over the rows below.
    let fitting = rows.count * cell.height * width / (height * cell.width)
    let shownColumns = max(1, min(columns.count, fitting))
    let high = shownColumns * cell.width * height
    let unit = width * cell.height
    let shownRows = max(1, min(rows.count, (high + unit - 1) / unit))
    canvas.image = CellImage(
      at: Position(
        column: columns.lowerBound + (columns.count - shownColumns) / 2,
        row: rows.lowerBound + (rows.count - shownRows) / 2),
      columns: shownColumns, rows: told == nil ? shownRows : nil, width: width, height: height,
      pixels: picture.pixels)
  }
}
