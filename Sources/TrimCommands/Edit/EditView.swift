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
    var page = PlayPage(size: size)
    if EditLayout.fits(size) {
      draw(ready, on: &page)
    } else {
      drawLines(ready, on: &page)
    }
    switch model.play.overlay {
    case .none: break
    case .tutorial: page.box(model.play.tutorial, title: "Trimming")
    case .keys: page.box(model.play.keys, title: "Keys")
    }
    return page.canvas
  }

  private func draw(_ ready: TrimmingScreen.Ready, on page: inout PlayPage) {
    let layout = EditLayout(
      size: page.size, hasPictures: model.showsPictures, hasSound: model.hasSound)
    let facts = page.isNarrow ? [] : model.play.summary
    page.head(([ready.location] + facts).joined(separator: "  "), right: "? keys")
    page.area(rows: layout.picture.count) { canvas, rows in
      guard let picture = model.play.picture else { return }
      model.play.pane.draw(picture, on: &canvas, columns: layout.timeColumns, rows: rows)
    }
    status(ready, on: &page)
    page.area(rows: layout.strip.count) { canvas, rows in
      EditStrip(pictures: model.strip).draw(
        on: &canvas, columns: layout.timeColumns, rows: rows)
    }
    page.area(rows: layout.wave.count) { canvas, rows in
      EditWave(model: model).draw(on: &canvas, columns: layout.timeColumns, rows: rows)
    }
    page.line { canvas, row in
      TimelineBar(model: model.play, ready: ready).draw(on: &canvas, row: row, margin: 1)
    }
    if !layout.keyframes.isEmpty {
      page.line { canvas, row in PlayView.keyframes(of: model.play, on: &canvas, row: row) }
    }
    ends(ready, on: &page)
    let sentence = model.play.limit.sentence(of: ready, cells: page.cells())
    page.line(.init(text: sentence, style: Self.style(ready.verdict)))
    message(ready, on: &page)
    page.foot(foot(page.size.columns))
  }

  /// Where the active handle is: `> in  0:01:40.600   frame 3015   keyframe -15 / +235`.
  private func status(_ ready: TrimmingScreen.Ready, on page: inout PlayPage) {
    let handle = model.play.handle
    let place =
      switch handle {
      case .playhead: ready.playbackTime
      case .inPoint: ready.timeRange.start
      case .outPoint: ready.timeRange.end
      }
    let name = handle == .playhead ? "at" : handle == .inPoint ? "in" : "out"
    let playing = ready.isPlaying ? "▶" : "■"
    var facts = ""
    if let frame = shownFrame(handle, place) { facts += "   frame \(frame)" }
    if !page.isNarrow, let distance = keyframeDistance(handle, place) {
      facts += "   keyframe \(distance)"
    }
    if ready.snap != .off { facts += "   snap \(ready.snap.rawValue)" }
    page.line(
      .init(text: "\(playing) [\(name)] "),
      .init(text: DecimalText.clock(place.seconds), style: Style(emphasis: .bold)),
      .init(text: facts))
  }

  private func shownFrame(_ handle: Handle, _ place: MediaTime) -> Int? {
    handle == .outPoint
      ? model.play.frames.index(before: place) : model.play.frames.index(at: place)
  }

  /// Frames to the keyframe before and to the one after: `-15 / +235`.
  private func keyframeDistance(_ handle: Handle, _ place: MediaTime) -> String? {
    let (frames, keyframes) = (model.play.frames, model.play.keyframes)
    guard let frame = shownFrame(handle, place), let key = keyframes.index(at: place),
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
        text: "in \(Self.clock(ready.timeRange.start))  out \(Self.clock(ready.timeRange.end))"),
      .init(
        text: "  \(page.isNarrow ? "" : "length ")\(length ?? "?") s",
        style: Style(emphasis: .bold)))
  }

  /// Without hours where there are none.
  static func clock(_ time: MediaTime) -> String {
    let text = DecimalText.clock(time.seconds)
    return text.hasPrefix("0:") ? String(text.dropFirst(2)) : text
  }

  private func foot(_ columns: Int) -> String {
    let verb = model.purpose == nil ? "cut" : "choose"
    let more = columns < 140 ? "" : "arrows 1 s  b n keyframe  s snap  z zoom  u undo  "
    let keys =
      switch columns {
      case ..<60: "Space play  i o set  Enter \(verb)  q"
      case ..<78: "Space play  , . frame  i o set  Tab handle  Enter \(verb)  q"
      default:
        "Space play  , . frame  \(more)Tab handle  i o set  g time  v result  Enter \(verb)  q"
      }
    return keys.count + " quit".count < columns ? keys + " quit" : keys
  }

  static let good = Style(foreground: .theme(.green))
  static let bad = Style(foreground: .theme(.red), emphasis: .bold)
  static func style(_ verdict: LengthVerdict) -> Style { verdict == .valid ? good : bad }

  /// A few lines for a screen that is too small for more.
  private func drawLines(_ ready: TrimmingScreen.Ready, on page: inout PlayPage) {
    let smallest = EditLayout.smallest
    page.line(
      .init(text: "too small: \(smallest.columns)x\(smallest.rows)", style: Self.bad), indent: 0)
    page.line(
      .init(text: "\(Self.clock(ready.timeRange.start)) \(Self.clock(ready.timeRange.end))"),
      indent: 0)
    let sentence = model.play.limit.sentence(of: ready, cells: page.cells(indent: 0))
    page.line(.init(text: sentence, style: Self.style(ready.verdict)), indent: 0)
    page.line(.init(text: "Enter ? q", style: Style(emphasis: .dim)), indent: 0)
  }
}
