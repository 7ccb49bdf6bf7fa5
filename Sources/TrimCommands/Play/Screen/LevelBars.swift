import ExactTime
import MediaEngine
import TerminalUI

/// The audio levels of a file along its timeline: bars in eighths of a row, or pixels.
struct LevelBars {
  let model: PlayModel

  func draw(on canvas: inout Canvas, columns: Range<Int>, rows: Range<Int>) {
    guard let window = model.window, let range = model.levelRange, !rows.isEmpty,
      !columns.isEmpty, !model.levels.isEmpty
    else { return }
    if let image = image(window, range, columns: columns.count, rows: rows.count) {
      model.look.pane.fill(image, slot: .third, on: &canvas, columns: columns, rows: rows)
      return
    }
    for (column, level) in levels(window, range, count: columns.count).enumerated() {
      bar(level, on: &canvas, column: columns.lowerBound + column, rows: rows)
    }
  }

  private func bar(_ level: Float, on canvas: inout Canvas, column: Int, rows: Range<Int>) {
    let eighths = Int((min(max(level, 0), 1) * Float(rows.count * 8)).rounded())
    for (place, row) in rows.reversed().enumerated() {
      let filled = min(8, max(0, eighths - 8 * place))
      guard filled > 0 || place == 0 else { return }
      canvas.put(
        Self.bars[max(0, filled - 1)], column: column, row: row,
        style: filled == 0 ? model.look.palette.quiet : model.look.palette.cool)
    }
  }

  private func image(
    _ window: TimelineWindow, _ range: MediaTimeRange, columns: Int, rows: Int
  ) -> Picture? {
    guard let size = model.look.pane.pixels(columns: columns, rows: rows) else { return nil }
    let palette = model.look.palette
    var canvas = PixelCanvas(width: size.width, height: size.height, model.look.pane.background)
    let color = palette.cool.foreground.mixed(over: model.look.pane.background)
    let middle = size.height / 2
    for (x, level) in levels(window, range, count: size.width).enumerated() {
      let half = Int((min(max(level, 0), 1) * Float(size.height) / 2).rounded())
      canvas.bar(x: x, rows: middle - half..<middle + max(1, half), color)
    }
    return canvas.picture
  }

  /// The loudest level of each column.
  private func levels(
    _ window: TimelineWindow, _ range: MediaTimeRange, count: Int
  ) -> [Float] {
    guard let offset = try? window.shown.start.distance(from: range.start).seconds,
      let shown = try? window.shown.checkedLength().seconds,
      let whole = try? range.checkedLength().seconds, whole.isPositive
    else { return [] }
    // Columns are for drawing only.
    let perSecond = Double(model.levels.count) / whole.drawn
    let (first, step) = (offset.drawn * perSecond, shown.drawn / Double(count) * perSecond)
    func index(_ column: Int) -> Int {
      let place = (first + Double(column) * step).rounded(.down)
      return place > 0 ? Int(min(place, Double(model.levels.count - 1))) : 0
    }
    return (0..<count).map { column in
      model.levels[index(column)...max(index(column), index(column + 1))].max() ?? 0
    }
  }

  private static let bars = "▁▂▃▄▅▆▇█".map { Glyph($0) }
}

extension Color {
  /// The color for pixels; the terminal's default color becomes one that contrasts with the
  /// background.
  fileprivate func mixed(over background: RGBColor) -> RGBColor {
    if case .rgb(let red, let green, let blue) = self { return RGBColor(red, green, blue) }
    return background.isLight ? .black : .white
  }
}

extension Rational {
  /// For drawing only.
  fileprivate var drawn: Double { Double(numerator) / Double(denominator) }
}
