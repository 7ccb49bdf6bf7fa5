import ExactTime
import MediaEngine
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

  private let parts: Parts
  private let play: PlayController
  private let plans: NewestAnswer<MediaTimeRange, CutOutlook>?
  private let initialRange: MediaTimeRange
  private var question: EditModel.Question?
  private var notice: String?
  private var dragged: Handle?
  /// The range that was last handed to the cutter.
  private(set) var cutRange: MediaTimeRange?
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
  var model: PlayModel { play.model }
  func paste(_ text: String) { play.paste(text) }

  /// Where the last cut was written, as it may be shown.
  var written: String? { presenter.exportedLocation }

  func canvas(size: Size) -> Canvas {
    want(for: EditLayout(size: size, hasPictures: parts.desk != nil))
    return EditView(model: editModel).canvas(size: size)
  }

  var editModel: EditModel {
    var model = EditModel(play: play.model, target: parts.target.shown)
    model.purpose = parts.options.choice
    if let plans, plans.answered == presenter.timeRange { model.outlook = plans.answer?.sentence }
    model.question = question
    model.notice = notice
    model.showsPictures = parts.desk != nil
    model.strip = parts.desk?.strip ?? []
    if let levels = parts.desk?.levels {
      model.levels = levels.values
      model.levelRange = levels.range
    }
    return model
  }

  // MARK: Pictures

  private static let levelCount = 2000

  private func want(for layout: EditLayout) {
    if presenter.phase == .ready { plans?.want(presenter.timeRange) }
    guard let desk = parts.desk, EditLayout.fits(layout.size) else { return }
    desk.want(levels: .init(range: parts.film.bounds, count: Self.levelCount))
    play.wantPicture(columns: layout.timeColumns.count, rows: layout.picture.count)
    let slots = EditStrip.slots(columns: layout.timeColumns.count, rows: layout.strip.count)
    if slots > 0,
      let times = FilmstripInstants.count(slots).times(in: play.window.shown, atMost: slots)
    {
      let size = PictureSize.within(
        width: layout.timeColumns.count / slots, height: 2 * layout.strip.count)
      desk.want(strip: .init(times: times, size: size))
    }
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
    case .preview:
      // The loop of the range from a little before its end shows both of its edges.
      let lead = MediaDuration(2)
      let range = presenter.timeRange
      let start = (try? range.end.moved(back: lead)) ?? range.start
      presenter.playheadDidMove(to: max(range.start, start))
      if !presenter.isPlaying { presenter.playDidTap() }
      return .none
    }
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
    presenter.pauseDidTap()
    cutRange = presenter.timeRange
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
    presenter.timeRange != initialRange
      && !(written != nil && cutRange == presenter.timeRange)
  }

  // MARK: The mouse

  func take(_ mouse: Mouse, on size: Size) {
    let layout = EditLayout(size: size, hasPictures: parts.desk != nil)
    guard EditLayout.fits(size), presenter.exportState == .idle, question == nil else { return }
    switch (mouse.action, mouse.button) {
    case (.press, .left) where layout.showsTime(row: mouse.position.row):
      presenter.tutorialDidClose()
      grab(column: mouse.position.column - layout.timeColumns.lowerBound, layout)
    case (.drag, .left): drag(to: mouse.position.column, layout)
    case (.release, _):
      if dragged == .inPoint || dragged == .outPoint { presenter.dragDidEnd() }
      dragged = nil
    case (.wheelUp, _): presenter.nudge(model.handle, by: .frames(-1))
    case (.wheelDown, _): presenter.nudge(model.handle, by: .frames(1))
    default: break
    }
  }

  /// The handle within a column of the place is taken, else the playhead goes there.
  private func grab(column: Int, _ layout: EditLayout) {
    let columns = layout.timeColumns.count
    func distance(_ time: MediaTime) -> Int {
      play.window.column(of: time, columns: columns).map { abs($0 - column) } ?? .max
    }
    let range = presenter.timeRange
    let (toIn, toOut) = (distance(range.start), distance(range.end))
    let nearest = min(toIn, toOut)
    let handle: Handle = nearest > 1 ? .playhead : toIn <= toOut ? .inPoint : .outPoint
    dragged = handle
    play.choose(handle)
    if handle == .playhead {
      drag(to: column + layout.timeColumns.lowerBound, layout)
    } else {
      presenter.dragDidBegin()
    }
  }

  private func drag(to column: Int, _ layout: EditLayout) {
    let columns = layout.timeColumns.count
    let place = min(max(column - layout.timeColumns.lowerBound, 0), columns - 1)
    guard dragged != nil, let time = play.window.time(atColumn: place, columns: columns) else {
      return
    }
    play.move(to: time)
  }
}

extension LengthLimit {
  @MainActor fileprivate func sentence(of presenter: TrimmingPresenter) -> String {
    (try? presenter.timeRange.checkedLength()).map { sentence(on: $0) } ?? "TOO LONG"
  }
}
