import ExactTime
import MediaEngine
import TerminalUI

/// Small pictures side by side, evenly spaced.
struct EditStrip {
  let pictures: [Picture]

  /// The number of pictures that fit; zero without rows.
  ///
  /// - Parameter shape: the aspect ratio of a picture, width over height.
  static func slots(columns: Int, rows: Int, cell: CellPixels?, shape: Rational) -> Int {
    guard rows > 0 else { return 0 }
    let (wide, high) = (cell?.width ?? 8, cell?.height ?? 16)
    let ideal = try? shape.multiplied(by: Rational(Int64(rows * high), Int64(wide))).rounded(.up)
    let width = max(1, Int(ideal ?? Int64(rows * 4)))
    return max(1, (columns + 1) / (width + 1))
  }

  func draw(
    on canvas: inout Canvas, columns: Range<Int>, rows: Range<Int>, look: ScreenLook
  ) {
    guard !pictures.isEmpty, !rows.isEmpty else { return }
    if let image = image(columns: columns.count, rows: rows.count, look) {
      look.pane.fill(image, slot: .second, on: &canvas, columns: columns, rows: rows)
      return
    }
    let places = Self.places(pictures.map(\.width), in: columns.count)
    for (place, picture) in zip(places, pictures) {
      let start = columns.lowerBound + place
      // Pictures with a different width than requested may not all fit.
      guard start < columns.upperBound else { break }
      HalfBlocks(picture: picture, dithers: look.pane.dithers).draw(
        on: &canvas, columns: start..<min(start + picture.width, columns.upperBound), rows: rows)
    }
  }

  /// All pictures in one, where the terminal shows images.
  private func image(columns: Int, rows: Int, _ look: ScreenLook) -> Picture? {
    guard let size = look.pane.pixels(columns: columns, rows: rows) else { return nil }
    var canvas = PixelCanvas(width: size.width, height: size.height, look.pane.background)
    for (place, picture) in zip(Self.places(pictures.map(\.width), in: size.width), pictures) {
      canvas.draw(picture, x: place, y: (size.height - picture.height) / 2)
    }
    return canvas.picture
  }

  /// The start of each picture: equal gaps, with the remainder at both ends.
  static func places(_ widths: [Int], in room: Int) -> [Int] {
    let taken = widths.reduce(0, +)
    let gap = widths.count > 1 ? max(0, (room - taken) / (widths.count - 1)) : 0
    var place = max(0, (room - taken - gap * (widths.count - 1)) / 2)
    return widths.map { width in
      defer { place += width + gap }
      return place
    }
  }
}
