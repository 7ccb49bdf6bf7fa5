import CommandLineKit
import ExactTime
import TerminalUI
import Trimming

/// Draws the screen of `trim play`.
///
/// Pure: the same model and size give the same cells.
struct PlayView {
  let model: PlayModel

  /// Below this size, a few lines replace the screen.
  static let smallest = Size(columns: 40, rows: 8)

  func canvas(size: Size) -> Canvas {
    var page = PlayPage(size: size, palette: model.look.palette)
    let isSmall = size.columns < Self.smallest.columns || size.rows < Self.smallest.rows
    switch model.screen {
    case .loading(let loading): draw(loading, on: &page)
    case .failed(let failed): draw(failed, on: &page)
    case .ready(let ready) where isSmall: drawLines(ready, on: &page)
    case .ready(let ready): draw(ready, on: &page)
    }
    switch model.overlay {
    case .none: break
    case .tutorial: page.box(model.tutorial, title: "Trimming")
    case .keys: page.keys(model.keys)
    case .parts: page.list(model.partLines, title: "Parts")
    case .tracks: page.list(model.trackLines, title: "Tracks")
    case .find: page.list(model.findLines, title: "Find")
    case .notes: page.list(model.noteLines, title: "List")
    }
    return page.canvas
  }

  private func draw(_ loading: TrimmingScreen.Loading, on page: inout PlayPage) {
    page.head(loading.location, right: "? keys")
    page.gap()
    page.paragraph("Loading: reading the times of its frames …")
    page.foot("q quit")
  }

  private func draw(_ failed: TrimmingScreen.Failed, on page: inout PlayPage) {
    page.head(failed.location, right: "? keys")
    page.gap()
    page.line(.init(text: "This file cannot be opened:", style: page.palette.bad))
    page.paragraph(ForeignText.shown(failed.failure.message))
    if let hint = failed.failure.hint {
      page.gap()
      page.paragraph(ForeignText.shown(hint))
    }
    page.foot("r try again  q quit")
  }

  private func draw(_ ready: TrimmingScreen.Ready, on page: inout PlayPage) {
    page.head(ready.location, page.isNarrow ? [] : model.summary, right: "? keys")
    if model.showsArea, Self.pictureRows(on: page.size) > 0 { picture(on: &page) }
    page.gap()
    page.line(
      .init(text: ready.isPlaying ? "▶ playing" : "■ paused", style: Style(emphasis: .bold)),
      .init(text: "   speed \(DecimalText.shortest(model.speed))   loop \(loop(ready))"))
    page.gap()
    point(.playhead, ready.playbackTime, frame: ready.frame, on: &page)
    page.gap()
    timeline(ready, on: &page)
    if !model.keyframes.isEmpty, page.size.rows >= 12 { keyframes(on: &page) }
    page.gap()
    let frames = model.frames
    point(
      .inPoint, ready.timeRange.start, frame: frames.index(at: ready.timeRange.start), on: &page)
    point(
      .outPoint, ready.timeRange.end, frame: frames.index(before: ready.timeRange.end), on: &page)
    page.gap()
    length(ready, on: &page)
    page.gap()
    settings(ready, on: &page)
    page.gap()
    prompt(ready, on: &page)
    if page.isRoomy { page.foot(Self.moreKeys, rowsFromBottom: 1) }
    page.foot(Self.mainKeys)
  }

  private static let mainKeys = FootHints(
    .init("Space play", 2), .init(", . frame", 4), .init("arrows 1 s", 5),
    .init("i o set In, Out", 3), .init("[ ] to them", 6), .init("? keys", 0), .init("q quit", 1))
  private static let moreKeys = FootHints(
    .init("Tab handle", 0), .init("b n keyframe", 2), .init("g go to", 1), .init("s snap", 5),
    .init("+ - z zoom", 4), .init("u undo", 3), .init("M limit", 6), .init("f PNG", 7))

  /// A few lines for a screen that is too small for more.
  private func drawLines(_ ready: TrimmingScreen.Ready, on page: inout PlayPage) {
    let state = ready.isPlaying ? "▶" : "■"
    let place = shortClock(ready.playbackTime)
    page.line(.init(text: "\(place) \(state) \(loop(ready))"), indent: 0)
    let sentence = ready.sentence(cells: page.cells(indent: 0))
    page.line(.init(text: sentence, style: page.palette.style(ready.verdict)), indent: 0)
    page.line(
      .init(text: "\(shortClock(ready.timeRange.start)) \(shortClock(ready.timeRange.end))"),
      indent: 0)
    page.line { canvas, row in
      TimelineBar(model: model, ready: ready).draw(on: &canvas, row: row, margin: 0)
    }
    page.line(.init(text: "Space ? q", style: page.palette.quiet), indent: 0)
  }
}

extension PlayView {
  /// Rows for a picture; none on a small screen.
  static func pictureRows(on size: Size) -> Int {
    size.columns >= 60 && size.rows >= 16 ? size.rows - linesBelowPicture : 0
  }

  private static let linesBelowPicture = 12

  private func picture(on page: inout PlayPage) {
    let rows = Self.pictureRows(on: page.size)
    page.area(rows: rows) { canvas, rows in
      model.drawArea(on: &canvas, columns: 1..<max(2, canvas.size.columns - 1), rows: rows)
    }
  }

  private func point(
    _ handle: Handle, _ time: MediaTime, frame: Int?, on page: inout PlayPage
  ) {
    let isActive = model.handle == handle
    let name = handle == .playhead ? "at " : handle == .inPoint ? "in " : "out"
    let label = handle == .outPoint ? "last frame" : "frame"
    let count = frame.map { "   \(label) \($0)" } ?? ""
    let timecode = model.timecode(handle, time).map { "   \($0)" } ?? ""
    page.line(
      .init(text: "\(isActive ? ">" : " ") \(name)  "),
      .init(text: clock(time), style: Style(emphasis: isActive ? .bold : [])),
      .init(text: timecode + count))
  }

  private func timeline(_ ready: TrimmingScreen.Ready, on page: inout PlayPage) {
    page.line { canvas, row in
      TimelineBar(model: model, ready: ready).draw(on: &canvas, row: row, margin: 1)
    }
  }

  private func keyframes(on page: inout PlayPage) {
    page.line { canvas, row in Self.keyframes(of: model, on: &canvas, row: row) }
  }

  static func keyframes(of model: PlayModel, on canvas: inout Canvas, row: Int) {
    guard let window = model.window else { return }
    let columns = canvas.size.columns - 2
    // Step by column: a long file has more keyframes than a screen has columns.
    var next = window.shown.start
    while let index = model.keyframes.index(from: next), let time = model.keyframes.time(at: index),
      let column = window.column(of: time, columns: columns)
    {
      canvas.put("^", column: 1 + column, row: row, style: model.look.palette.quiet)
      guard let border = window.time(ofBorderBehind: column, columns: columns) else { return }
      next = border
    }
  }

  private func length(_ ready: TrimmingScreen.Ready, on page: inout PlayPage) {
    let length = (try? ready.timeRange.checkedLength()).map {
      DecimalText.fixed($0.seconds, places: 3)
    }
    let head = "length  \(length ?? "?") s"
    let sentence = ready.sentence(cells: .max)
    let style = page.palette.style(ready.verdict)
    if page.isNarrow, page.rowsLeft > 3 {
      page.line(.init(text: head))
      page.paragraph(sentence, style: style)
    } else if page.isNarrow {
      let short = ready.sentence(cells: page.cells())
      page.line(.init(text: short, style: style))
    } else {
      page.line(.init(text: head + "   "), .init(text: sentence, style: style))
    }
  }

  private func settings(_ ready: TrimmingScreen.Ready, on page: inout PlayPage) {
    guard page.rowsLeft > 2 else { return }
    let zoom = model.window.map {
      $0.isWhole ? "all" : "\(clock($0.shown.start)) .. \(clock($0.shown.end))"
    }
    page.line(.init(text: "snap \(ready.snap.rawValue)   timeline \(zoom ?? "all")"))
  }

  private func prompt(_ ready: TrimmingScreen.Ready, on page: inout PlayPage) {
    if let prompt = model.prompt {
      page.prompt(prompt)
    } else if let alert = ready.alert {
      page.line(.init(text: ForeignText.shown(alert.message), style: page.palette.bad))
    } else if let notice = model.remark ?? model.notice {
      page.line(.init(text: notice, style: page.palette.accent))
    }
  }

  /// A time without hours if there are none.
  private func shortClock(_ time: MediaTime) -> String {
    let text = clock(time)
    return text.hasPrefix("0:") ? String(text.dropFirst(2)) : text
  }

  private func clock(_ time: MediaTime) -> String { DecimalText.clock(time.seconds) }

  /// The current pass, from 1.
  private func loop(_ ready: TrimmingScreen.Ready) -> String {
    ready.passCount == .max ? "many" : "\(ready.passCount + 1)"
  }
}

extension PlayPage {
  /// Draws a time being typed, and what it means so far.
  mutating func prompt(_ prompt: ScreenPrompt) {
    let row = currentRow
    let (meaning, isProblem) = prompt.meaning
    let gap = prompt.text.isEmpty ? "        " : "   "
    // Of a long path the end is seen, where it is typed.
    var text = prompt.text
    let room = max(8, cells() - prompt.label.columns - 1)
    if text.columns > room {
      while text.columns >= room { text.removeFirst() }
      text = "…" + text
    }
    line(
      .init(text: prompt.label + text + gap),
      .init(text: meaning, style: isProblem ? palette.bad : .plain))
    showCursor(column: 1 + prompt.label.columns + text.columns, row: row)
  }
}

extension Palette {
  func style(_ verdict: LengthVerdict) -> Style { verdict == .valid ? good : bad }
}

extension PlayModel {
  /// Whether there is something for the picture area: a picture, levels, or why there is none.
  var showsArea: Bool { picture != nil || hasSound || look.noPicture != nil }

  /// Draws the picture, or the reason why there is none and the audio levels.
  func drawArea(on canvas: inout Canvas, columns: Range<Int>, rows: Range<Int>) {
    guard !rows.isEmpty else { return }
    if let picture, look.showsPictures {
      look.pane.draw(picture, on: &canvas, columns: columns, rows: rows)
      return
    }
    var rows = rows
    if let reason = look.noPicture {
      let room = min(rows.count, max(1, rows.count - 1))
      for line in TextWrap.lines(reason, width: columns.count).prefix(room) {
        canvas.put(
          line, column: columns.lowerBound, row: rows.lowerBound, style: look.palette.quiet)
        rows = rows.lowerBound + 1..<rows.upperBound
      }
    }
    LevelBars(model: self).draw(on: &canvas, columns: columns, rows: rows)
  }

  /// A line for each part, in the order of the export.
  var partLines: [String] {
    guard case .ready(let ready) = screen else { return [] }
    let lines = ready.list.parts.enumerated().map { index, part in
      let length = (try? part.range.checkedLength()).map {
        DecimalText.fixed($0.seconds, places: 3)
      }
      let mark = index == ready.list.selectedIndex ? ">" : " "
      let file = ready.sources.map { "  " + Self.names(of: $0[part.source]).base } ?? ""
      let name = part.name.isEmpty ? "" : "  " + ForeignText.shown(part.name)
      return "\(mark)\(index + 1)  \(DecimalText.clock(part.range.start.seconds)) - "
        + "\(DecimalText.clock(part.range.end.seconds))  \(length ?? "?") s" + file + name
    }
    let total = ready.list.totalLength.map { DecimalText.fixed($0.seconds, places: 3) } ?? "?"
    let sum = ready.list.joins ? "joined into one file: \(total) s" : "a file for each part"
    // What a join makes of the files is more than a line.
    return lines + ["", sum] + (ready.sources == nil ? [] : planLines)
  }
}

extension FrameInstants {
  /// The first frame that starts at an instant or later; `nil` when there is none.
  func index(from time: MediaTime) -> Int? {
    guard let index = index(at: time) else { return isEmpty ? nil : 0 }
    if self.time(at: index) == time { return index }
    return index + 1 < count ? index + 1 : nil
  }

  /// The last frame that starts before an instant; `nil` when there is none.
  func index(before time: MediaTime) -> Int? {
    guard let index = index(at: time) else { return nil }
    return self.time(at: index) == time ? (index > 0 ? index - 1 : nil) : index
  }
}
