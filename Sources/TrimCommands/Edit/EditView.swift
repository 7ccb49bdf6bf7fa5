import CommandLineKit
import ExactTime
import TerminalUI
import Trimming

/// Draws the screen of `trim edit`.
///
/// Pure: the same model and size give the same cells.
struct EditView {
  let model: EditModel

  func canvas(size: Size) -> Canvas {
    guard case .ready(let ready) = model.play.screen else {
      return PlayView(model: model.play).canvas(size: size)
    }
    var page = PlayPage(size: size, palette: model.play.look.palette)
    if EditLayout.fits(size) {
      draw(ready, on: &page)
    } else {
      drawLines(ready, on: &page)
    }
    switch model.play.overlay {
    case .none: break
    case .tutorial: page.box(model.play.tutorial, title: "Trimming")
    case .keys: page.keys(model.play.keys)
    case .parts: page.list(model.play.partLines, title: "Parts")
    case .tracks: page.list(model.play.trackLines, title: tracks(ready), closing: Self.choosing)
    case .find: page.list(model.play.findLines, title: "Find", closing: Self.finding)
    case .notes: page.list(model.play.noteLines, title: model.noteTitle)
    }
    return page.canvas
  }

  /// Tracks are chosen for the first file.
  private func tracks(_ ready: TrimmingScreen.Ready) -> String {
    guard ready.sources != nil else { return "Tracks and mode" }
    return "Tracks of \(PlayModel.names(of: ready.location).base), and mode"
  }

  private static let choosing = "1 to 9 choose, any other key closes this"

  private static let finding =
    "1 to 4 choose, Enter finds, up and down go there, k keeps only, x removes, / splits"

  private func draw(_ ready: TrimmingScreen.Ready, on page: inout PlayPage) {
    let layout = EditLayout(size: page.size, model.content)
    let look = model.play.look
    page.head(ready.shownLocation, page.isNarrow ? [] : model.play.summary, right: "? keys")
    page.area(rows: layout.picture.count) { canvas, rows in
      if model.content.hasPictures {
        guard let picture = model.play.picture else { return }
        look.pane.draw(picture, on: &canvas, columns: layout.timeColumns, rows: rows)
      } else if let reason = look.noPicture {
        drawReason(reason, on: &canvas, columns: layout.timeColumns, rows: rows)
      }
    }
    status(ready, on: &page)
    page.area(rows: layout.strip.count) { canvas, rows in
      EditStrip(pictures: model.strip).draw(
        on: &canvas, columns: layout.timeColumns, rows: rows, look: look)
    }
    page.area(rows: layout.wave.count) { canvas, rows in
      LevelBars(model: model.play).draw(on: &canvas, columns: layout.timeColumns, rows: rows)
    }
    page.line { canvas, row in
      TimelineBar(model: model.play, ready: ready).draw(on: &canvas, row: row, margin: 1)
    }
    if !layout.keyframes.isEmpty {
      page.line { canvas, row in PlayView.keyframes(of: model.play, on: &canvas, row: row) }
    }
    ends(ready, on: &page)
    if ready.list.isSeveral, page.size.rows >= 12 { parts(ready, on: &page) }
    page.line(
      .init(
        text: ready.sentence(cells: page.cells()), style: page.palette.style(ready.verdict)))
    message(ready, on: &page)
    page.foot(foot(ready))
  }

  private func drawReason(
    _ reason: String, on canvas: inout Canvas, columns: Range<Int>, rows: Range<Int>
  ) {
    for (row, line) in zip(rows, TextWrap.lines(reason, width: columns.count)) {
      canvas.put(
        line, column: columns.lowerBound, row: row, style: model.play.look.palette.quiet)
    }
  }

  /// Where the active handle is: `[In] 0:01:40.600   10:01:40:18   frame 3015   keyframe -15 / +235`; without
  /// the keyframes if space is limited.
  private func status(_ ready: TrimmingScreen.Ready, on page: inout PlayPage) {
    let handle = model.play.handle
    let place =
      switch handle {
      case .playhead: ready.playbackTime
      case .inPoint: ready.timeRange.start
      case .outPoint: ready.timeRange.end
      }
    let name = handle == .playhead ? "at" : handle == .inPoint ? "In" : "Out"
    let playing = ready.isPlaying ? "▶" : "■"
    let head = "\(playing) [\(name)] "
    let clock = DecimalText.clock(place.seconds)
    var facts = model.play.timecode(handle, place).map { "   \($0)" } ?? ""
    if let frame = shownFrame(handle, place) { facts += "   frame \(frame)" }
    let snap = ready.snap == .off ? "" : "   snap \(ready.snap.rawValue)"
    if !page.isNarrow, let distance = keyframeDistance(handle, place) {
      let keyframes = "   keyframe \(distance)"
      if (head + clock + facts + keyframes + snap).columns <= page.cells() { facts += keyframes }
    }
    page.line(
      .init(text: head), .init(text: clock, style: Style(emphasis: .bold)),
      .init(text: facts + snap))
  }

  private func shownFrame(_ handle: Handle, _ place: MediaTime) -> Int? {
    handle == .outPoint
      ? model.play.frames.index(before: place) : model.play.frames.index(at: place)
  }

  /// Frames to the previous and to the next keyframe: `-15 / +235`.
  private func keyframeDistance(_ handle: Handle, _ place: MediaTime) -> String? {
    let (frames, keyframes) = (model.play.frames, model.play.keyframes)
    // Out lies after the last frame that is shown: both distances are measured from that frame.
    guard let frame = shownFrame(handle, place), let shown = frames.time(at: frame),
      let key = keyframes.index(at: shown),
      let before = keyframes.time(at: key).flatMap({ frames.index(at: $0) })
    else { return nil }
    let after = keyframes.time(at: key + 1).flatMap { frames.index(at: $0) }
    return (frame > before ? "-\(frame - before)" : "0") + " / "
      + (after.map { "+\($0 - frame)" } ?? "end")
  }

  private func ends(_ ready: TrimmingScreen.Ready, on page: inout PlayPage) {
    let length = (try? ready.timeRange.checkedLength()).map {
      DecimalText.fixed($0.seconds, places: 3)
    }
    page.line(
      .init(
        text: "In \(Self.clock(ready.timeRange.start))  Out \(Self.clock(ready.timeRange.end))"),
      .init(
        text: "  \(page.isNarrow ? "" : "length ")\(length ?? "?") s",
        style: Style(emphasis: .bold)))
  }

  /// Which part is selected, and what happens to the parts: `part 2 of 3 "goal"  joined  ( ) other part`.
  private func parts(_ ready: TrimmingScreen.Ready, on page: inout PlayPage) {
    let list = ready.list
    let name = list.selected.name.isEmpty ? "" : " \"\(ForeignText.shown(list.selected.name))\""
    let total = list.totalLength.map { DecimalText.fixed($0.seconds, places: 3) } ?? "?"
    let number = "part \(list.selectedIndex + 1) of \(list.parts.count)"
    let rest =
      "   together \(total) s   "
      + (list.joins ? "one file (J: a file each)" : "a file each (J: join)")
    // The first line has it too.
    var file =
      ready.sources == nil ? "" : ", " + PlayModel.names(of: ready.shownLocation).base
    if (number + file + name + rest).columns > page.cells() { file = "" }
    page.line(
      .init(text: number + file + name, style: Style(emphasis: .bold)), .init(text: rest))
  }

  /// A time without hours if there are none.
  static func clock(_ time: MediaTime) -> String {
    let text = DecimalText.clock(time.seconds)
    return text.hasPrefix("0:") ? String(text.dropFirst(2)) : text
  }

  private func foot(_ ready: TrimmingScreen.Ready) -> FootHints {
    var hints = FootHints(
      .init("Space play", 2), .init(", . frame", 5), .init("arrows 1 s", 8),
      .init("i o set In, Out", 1), .init("Tab handle", 6), .init("g time", 4),
      .init("v preview", 7), .init("a add part", 9), .init("u undo", 10), .init("M limit", 11),
      .init("b n keyframe", 12), .init("s snap", 13), .init("z zoom", 14))
    if ready.list.isSeveral {
      hints.hints += [.init("( ) other part", 3), .init("x delete part", 8), .init("L list", 9)]
    }
    hints.hints += [
      .init("Enter \(model.purpose == nil ? "cut" : "choose")", 0), .init("q quit", 0),
    ]
    return hints
  }

  /// A few lines for a screen that is too small for more.
  private func drawLines(_ ready: TrimmingScreen.Ready, on page: inout PlayPage) {
    let smallest = EditLayout.smallest
    page.line(
      .init(text: "too small: \(smallest.columns)x\(smallest.rows)", style: page.palette.bad),
      indent: 0)
    page.line(
      .init(text: "\(Self.clock(ready.timeRange.start)) \(Self.clock(ready.timeRange.end))"),
      indent: 0)
    let sentence = ready.sentence(cells: page.cells(indent: 0))
    page.line(.init(text: sentence, style: page.palette.style(ready.verdict)), indent: 0)
    page.line(.init(text: "Enter ? q", style: page.palette.quiet), indent: 0)
  }
}
