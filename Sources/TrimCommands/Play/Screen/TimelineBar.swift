import ExactTime
import TerminalUI
import Trimming

/// The timeline: the film, the part between its brackets, and the playhead.
///
///     ····╞═════════█═══════════╡·········
struct TimelineBar {
  let model: PlayModel
  let ready: TrimmingScreen.Ready

  /// - Parameter margin: columns left free at both ends.
  func draw(on canvas: inout Canvas, row: Int, margin: Int) {
    let columns = canvas.size.columns - 2 * margin
    guard columns > 0, let window = model.window else { return }
    let start = window.column(of: ready.timeRange.start, columns: columns)
    let end = window.column(of: ready.timeRange.end, columns: columns)
    let first = start ?? (ready.timeRange.start < window.shown.start ? 0 : columns)
    let last = end ?? (ready.timeRange.end > window.shown.end ? columns - 1 : -1)
    for column in 0..<columns {
      let isInside = first <= column && column <= last
      canvas.put(
        isInside ? Self.inside : Self.outside, column: margin + column, row: row,
        style: isInside ? Self.part : Self.rest)
    }
    if let start { mark("╞", .inPoint, start) }
    if let end { mark("╡", .outPoint, end) }
    if let place = window.column(of: ready.playbackTime, columns: columns) {
      mark("█", .playhead, place)
    }

    func mark(_ character: Character, _ handle: Handle, _ column: Int) {
      let isActive = model.handle == handle
      canvas.put(
        Glyph(character), column: margin + column, row: row,
        style: isActive ? Self.part.with(.bold) : Self.part)
    }
  }

  private static let inside = Glyph("═")
  private static let outside = Glyph("·")
  private static let part = Style(foreground: .theme(.yellow))
  private static let rest = Style(emphasis: .dim)
}
