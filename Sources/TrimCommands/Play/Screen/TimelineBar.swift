import ExactTime
import TerminalUI
import Trimming

/// The timeline: the video that is shown, its parts, the selected one between brackets, markers (`†`), where something
/// was found (`▾`), and the
/// playhead.
///
///     ··1────────···2╞══════█════╡···3──────···
struct TimelineBar {
  let model: PlayModel
  let ready: TrimmingScreen.Ready

  /// - Parameter margin: columns left blank at both ends.
  func draw(on canvas: inout Canvas, row: Int, margin: Int) {
    let columns = canvas.size.columns - 2 * margin
    guard columns > 0, let window = model.window else { return }
    for column in 0..<columns {
      canvas.put(Self.outside, column: margin + column, row: row, style: model.look.palette.quiet)
    }
    let list = ready.list
    for (index, part) in list.parts.enumerated()
    where index != list.selectedIndex && part.source == list.selected.source {
      guard let place = place(of: part.range, window, columns) else { continue }
      fill(place, Self.kept, model.look.palette.cool)
      number(index, at: place, model.look.palette.cool)
    }
    if let place = place(of: ready.timeRange, window, columns) {
      fill(place, Self.inside, model.look.palette.accent)
      if list.isSeveral, place.count > 2 {
        number(
          list.selectedIndex, at: place.lowerBound + 1..<place.upperBound,
          model.look.palette.accent.with(.bold))
      }
    }
    for finding in model.findings {
      guard let place = window.column(of: finding.range.start, columns: columns) else { continue }
      canvas.put(Self.finding, column: margin + place, row: row, style: model.look.palette.accent)
    }
    for marker in list.markers where marker.source == list.selected.source {
      guard let place = window.column(of: marker.position, columns: columns) else { continue }
      canvas.put(
        Self.marker, column: margin + place, row: row, style: model.look.palette.accent.with(.bold))
    }
    if let start = window.column(of: ready.timeRange.start, columns: columns) {
      mark("╞", .inPoint, start)
    }
    if let end = window.column(of: ready.timeRange.end, columns: columns) {
      mark("╡", .outPoint, end)
    }
    if let place = window.column(of: ready.playbackTime, columns: columns) {
      mark("█", .playhead, place)
    }

    func fill(_ place: Range<Int>, _ glyph: Glyph, _ style: Style) {
      for column in place { canvas.put(glyph, column: margin + column, row: row, style: style) }
    }

    func number(_ index: Int, at place: Range<Int>, _ style: Style) {
      let text = "\(index + 1)"
      guard text.count < place.count else { return }
      canvas.put(text, column: margin + place.lowerBound, row: row, style: style)
    }

    func mark(_ character: Character, _ handle: Handle, _ column: Int) {
      let style = model.look.palette.accent
      canvas.put(
        Glyph(character), column: margin + column, row: row,
        style: model.handle == handle ? style.with(.bold) : style)
    }
  }

  /// The columns of a part; `nil` if none of it is shown.
  private func place(
    of range: MediaTimeRange, _ window: TimelineWindow, _ columns: Int
  ) -> Range<Int>? {
    guard range.start <= window.shown.end, range.end >= window.shown.start else { return nil }
    let first = window.column(of: max(range.start, window.shown.start), columns: columns)
    let last = window.column(of: min(range.end, window.shown.end), columns: columns)
    guard let first, let last, first <= last else { return nil }
    return first..<last + 1
  }

  private static let inside = Glyph("═")
  private static let kept = Glyph("─")
  private static let marker = Glyph("†")
  private static let finding = Glyph("▾")
  private static let outside = Glyph("·")
}
