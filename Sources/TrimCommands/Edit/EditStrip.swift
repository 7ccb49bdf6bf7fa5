import ExactTime
import MediaEngine
import TerminalUI

/// Small pictures side by side, each in the middle of its part of the timeline.
struct EditStrip {
  let pictures: [Picture]

  /// How many pictures of 16:9 fit; none in no rows.
  static func slots(columns: Int, rows: Int) -> Int {
    rows > 0 ? max(1, columns / max(1, rows * 32 / 9)) : 0
  }

  func draw(on canvas: inout Canvas, columns: Range<Int>, rows: Range<Int>) {
    guard !pictures.isEmpty, !rows.isEmpty else { return }
    for (slot, picture) in pictures.enumerated() {
      let start = columns.lowerBound + slot * columns.count / pictures.count
      let end = columns.lowerBound + (slot + 1) * columns.count / pictures.count
      HalfBlocks(picture: picture).draw(on: &canvas, columns: start..<end, rows: rows)
    }
  }
}

/// The loudness of the film over its timeline, as bars of eighths of a row.
struct EditWave {
  let model: EditModel

  func draw(on canvas: inout Canvas, columns: Range<Int>, rows: Range<Int>) {
    guard let window = model.play.window, let range = model.levelRange, !rows.isEmpty else {
      return
    }
    for column in 0..<columns.count {
      guard let first = index(window, column, columns.count, range),
        let last = index(window, column + 1, columns.count, range)
      else { continue }
      let level = model.levels[first...max(first, min(last, model.levels.count - 1))].max() ?? 0
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
        style: filled == 0 ? Style(emphasis: .dim) : Self.style)
    }
  }

  /// The level at the left border of a column.
  private func index(
    _ window: TimelineWindow, _ column: Int, _ columns: Int, _ range: MediaTimeRange
  ) -> Int? {
    guard !model.levels.isEmpty,
      let shown = try? window.shown.checkedLength(), let whole = try? range.checkedLength(),
      let offset = try? shown.scaled(by: Rational(Int64(column), Int64(columns))),
      let time = try? window.shown.start.advanced(by: offset),
      let place = try? time.distance(from: range.start).seconds.divided(by: whole.seconds),
      let index = try? place.multiplied(by: Rational(Int64(model.levels.count))).rounded(.down)
    else { return nil }
    return min(max(0, Int(index)), model.levels.count - 1)
  }

  private static let bars = "▁▂▃▄▅▆▇█".map { Glyph($0) }
  private static let style = Style(foreground: .theme(.cyan))
}
