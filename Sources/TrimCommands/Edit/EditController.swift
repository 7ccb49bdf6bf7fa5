import CommandLineKit
import ExactTime
import MediaEngine
import MediaFacts
import TerminalUI
import Trimming

/// Turns keys and the mouse into steps of the presenter: those of `trim play`, and cutting.
@MainActor final class EditController: FilmScreen {
  /// Everything a screen of `trim edit` is made of.
  struct Parts {
    var film: PlayFilm
    var presenter: TrimmingPresenter
    var options: EditOptions
    var target: EditTarget
    var cutter: FilmCutter?
    var desk: PictureDesk?
    /// Called when a plan has come.
    var repaint: @MainActor () -> Void = {}
  }

  let parts: Parts
  let play: PlayController
  let preview = ResultPreview()
  private let plans: NewestAnswer<MediaTimeRange, CutOutlook>?
  private let initialRange: MediaTimeRange
  private(set) var question: EditModel.Question?
  private var notice: String?
  /// What the mouse holds.
  var dragged: Handle?
  /// What was chosen with `--print`.
  private(set) var chosen: MediaTimeRange?

  init(_ parts: Parts) {
    self.parts = parts
    play = PlayController(
      film: parts.film, presenter: parts.presenter, limit: parts.options.play.limit,
      speed: parts.options.play.speed, desk: parts.desk)
    plans = parts.cutter.map { cutter in
      NewestAnswer(didArrive: parts.repaint) { try cutter.outlook($0) }
    }
    initialRange = parts.presenter.timeRange
  }

  var presenter: TrimmingPresenter { parts.presenter }
  var speed: Rational { play.speed }
  var pane: PicturePane {
    get { play.pane }
    set { play.pane = newValue }
  }
  var model: PlayModel {
    let model = editModel
    var spoken = model.play
    spoken.remark = model.remark
    return spoken
  }

  func paste(_ text: String) { play.paste(text) }

  func wantPictures(on size: Size) -> Bool {
    // What was made for another range is no longer the result.
    if preview.range != presenter.timeRange { preview.end() }
    play.desk = preview.desk(at: presenter.playbackTime) ?? parts.desk
    return want(for: layout(size))
  }

  func canvas(size: Size) -> Canvas {
    _ = wantPictures(on: size)
    return EditView(model: editModel).canvas(size: size)
  }

  func layout(_ size: Size) -> EditLayout {
    EditLayout(size: size, hasPictures: showsPictures, hasSound: showsSound)
  }

  private var showsPictures: Bool { parts.desk?.hasPictures == true }

  private var showsSound: Bool {
    parts.desk != nil && parts.film.facts.tracks.contains { $0.kind == .audio && $0.isPresented }
  }

  var editModel: EditModel {
    var model = EditModel(play: play.model, target: parts.target.shown)
    model.play.tutorial = EditKeys.tutorial
    model.play.keys = EditKeys.lines
    model.purpose = parts.options.choice
    if let plans, plans.answered == presenter.timeRange { model.outlook = plans.answer?.sentence }
    model.question = question
    model.notice = notice
    model.written = isWritten ? presenter.exportedLocation : nil
    switch preview.state {
    case .off: break
    case .making: model.preview = .making
    case .showing(_, let seams): model.preview = .showing(seams: seams)
    }
    model.showsPictures = showsPictures
    model.hasSound = showsSound
    model.strip = parts.desk?.strip ?? []
    if let levels = parts.desk?.levels {
      model.levels = levels.values
      model.levelRange = levels.range
    }
    return model
  }

  // MARK: Pictures

  private static let levelCount = 2000

  private func want(for layout: EditLayout) -> Bool {
    if presenter.phase == .ready { plans?.want(presenter.timeRange) }
    guard let desk = parts.desk, EditLayout.fits(layout.size) else { return false }
    if showsSound { desk.want(levels: .init(range: parts.film.bounds, count: Self.levelCount)) }
    let slots = EditStrip.slots(columns: layout.timeColumns.count, rows: layout.strip.count)
    if slots > 0,
      let times = FilmstripInstants.count(slots).times(in: play.window.shown, atMost: slots)
    {
      let size = PictureSize.within(
        width: layout.timeColumns.count / slots, height: 2 * layout.strip.count)
      desk.want(strip: .init(times: times, size: size))
    }
    return play.wantPicture(columns: layout.timeColumns.count, rows: layout.picture.count)
  }

  // MARK: Keys

  func take(_ key: Key) -> PlayController.Reply {
    notice = nil
    if key == .control("c") || key == .control("z") || key == .control("l") {
      return play.take(key)
    }
    if presenter.alert != nil {
      presenter.alertDidClose()
      return .none
    }
    if let question { return answer(key, to: question) }
    if presenter.exportState != .idle {
      if PlayKeys.action(for: key) == .quit { presenter.exportCancelDidTap() }
      return .none
    }
    if play.prompt == nil, preview.isOn, key == Key(.escape) {
      preview.end()
      return .none
    }
    if play.prompt == nil, let action = EditKeys.action(for: key) {
      presenter.tutorialDidClose()
      return perform(action)
    }
    let reply = play.take(key)
    guard reply == .quit, isUnsaved else { return reply }
    question = .quit
    return .none
  }

  private func perform(_ action: EditAction) -> PlayController.Reply {
    switch action {
    case .cut: return cut()
    case .preview: previewOrEnd()
    }
    return .none
  }

  /// Plays the result of a cut from a little before its end, so that the loop shows both edges.
  private func previewOrEnd() {
    guard !preview.isOn else { return preview.end() }
    guard presenter.isVideoLengthValid else {
      notice = "No preview: \(parts.options.play.limit.sentence(of: presenter))"
      return
    }
    guard showsPictures, let cutter = parts.cutter else {
      notice = "No preview: there are no pictures here"
      return
    }
    play.choose(.playhead)
    let range = presenter.timeRange
    preview.make(order(range), with: cutter, repaint: parts.repaint) { [self] failure in
      if let failure {
        notice = "No preview: \(ForeignText.shown(failure.message))"
      } else {
        let start = (try? range.end.moved(back: Self.lead)) ?? range.start
        presenter.playheadDidMove(to: max(range.start, start))
        if !presenter.isPlaying { presenter.playDidTap() }
      }
      parts.repaint()
    }
  }

  private static let lead = MediaDuration(2)

  private func order(_ range: MediaTimeRange) -> FilmCutter.Order {
    FilmCutter.Order(
      range: range, limit: parts.options.play.limit, output: parts.target.path,
      replaces: parts.target.replaces)
  }

  private func cut() -> PlayController.Reply {
    guard presenter.isVideoLengthValid else {
      notice = "Not cut: \(parts.options.play.limit.sentence(of: presenter))"
      return .none
    }
    if parts.options.choice != nil {
      chosen = presenter.timeRange
      return .finish(.success)
    }
    guard !parts.target.isTaken else {
      question = .replace(parts.target.shown)
      return .none
    }
    startCut()
    return .none
  }

  private func startCut() {
    preview.end()
    presenter.pauseDidTap()
    presenter.exportDidTap()
  }

  private func answer(
    _ key: Key, to question: EditModel.Question
  ) -> PlayController.Reply {
    self.question = nil
    let isYes = key == .character("y") || key == .character("Y")
    switch question {
    case .replace:
      if isYes {
        parts.target.allowReplacing()
        startCut()
      } else {
        notice = "Not cut: \(parts.target.shown) is as it was"
      }
    case .quit: if isYes || key == .character("q") { return .quit }
    }
    return .none
  }

  /// The range was changed and has not been written.
  private var isUnsaved: Bool {
    presenter.timeRange != initialRange && !isWritten
  }

  /// This very range is in the file.
  private var isWritten: Bool { parts.target.writtenRange == presenter.timeRange }
}

extension LengthLimit {
  @MainActor fileprivate func sentence(of presenter: TrimmingPresenter) -> String {
    (try? presenter.timeRange.checkedLength()).map { sentence(on: $0) } ?? "TOO LONG"
  }
}
