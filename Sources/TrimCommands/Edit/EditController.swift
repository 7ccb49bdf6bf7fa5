import CommandLineKit
import ExactTime
import MediaEngine
import MediaFacts
import TerminalUI
import TrimStudio
import Trimming

/// Turns keys and mouse input into presenter inputs: those of `trim play`, and cutting.
@MainActor final class EditController: MediaScreen {
  /// Everything a screen of `trim edit` is made of.
  struct Parts {
    var media: PlayedMedia
    var presenter: TrimmingPresenter
    var options: EditOptions
    var target: EditTarget
    var cutter: MediaCutter?
    var choice: CutSettingsChoice
    var desk: PictureDesk?
    var snapshots: FrameSnapshots?
    /// What keeps unfinished work, if it is kept, and knows what a project has.
    var work: WorkKeeper?
    /// What reads and writes lists.
    var lists: ScreenList?
    /// Where the project is saved; `nil` if it cannot be.
    var project: ProjectPlace?
    /// What opens other files; `nil` if none can be added.
    var files: AddedFiles?
    /// What looks for silence and the like; `nil` if nothing can be looked for.
    var finder: EditFinder?
    /// Called when a plan is ready.
    var repaint: @MainActor () -> Void = {}
  }

  let parts: Parts
  let play: PlayController
  let preview = ResultPreview()
  private let plans: NewestAnswer<Planned, CutOutlook>?
  private let initialRange: MediaTimeRange
  var question: EditModel.Question?
  var notice: String?

  /// The cut that an outlook describes.
  private struct Planned: Equatable, Sendable {
    /// Without what does not matter.
    var parts: [TrimmingPart]
    var joins: Bool
    var settings: CutSettings
    var limit: LengthLimit
  }

  private var planned: Planned {
    let list = presenter.list
    return Planned(
      parts: list.parts.enumerated().map {
        TrimmingPart(id: $0, range: $1.range, source: $1.source)
      }, joins: list.joins, settings: parts.choice.settings, limit: presenter.limit)
  }

  /// The handle being dragged with the mouse.
  var dragged: Handle?
  /// What was chosen with `--print`.
  private(set) var chosen: PartList?

  init(_ parts: Parts) {
    self.parts = parts
    play = PlayController(
      media: parts.media, presenter: parts.presenter, speed: parts.options.play.speed,
      desk: parts.desk, snapshots: parts.snapshots)
    plans = parts.cutter.map { cutter in
      NewestAnswer(didArrive: parts.repaint) { [target = parts.target] wish in
        try cutter.outlook(
          target.orders(wish.parts, joins: wish.joins, wish.limit, settings: wish.settings))
      }
    }
    initialRange = parts.presenter.timeRange
    play.didTypePath = { [weak self] purpose, path in self?.takePath(path, for: purpose) }
    if let work = parts.work {
      notice = work.hasReturned ? Self.returned : work.note
      saidNote = work.note
    }
  }

  static let returned = "Your earlier work is back: u undoes that, F forgets it."

  var presenter: TrimmingPresenter { parts.presenter }
  var speed: Rational { play.speed }
  var look: ScreenLook {
    get { play.look }
    set { play.look = newValue }
  }
  /// A list shown over the screen.
  var shownList: PlayModel.Overlay?
  /// What a list was imported or exported with, or what else does not fit into a line.
  var notes: (title: String, lines: [String]) = ("", [])
  /// The name of a file that is being opened.
  var opening: String?
  var model: PlayModel {
    let model = editModel
    var spoken = model.play
    spoken.remark = model.remark
    return spoken
  }

  func paste(_ text: String) { play.paste(text) }

  func wantPictures(on size: Size) -> Bool {
    // A preview made for another range is no longer the result.
    if preview.range != presenter.timeRange || preview.source != presenter.session.shownSource {
      preview.end()
    }
    play.otherDesk = preview.desk(at: presenter.playbackTime)
    return want(for: layout(size))
  }

  func canvas(size: Size) -> Canvas {
    _ = wantPictures(on: size)
    return EditView(model: editModel).canvas(size: size)
  }

  func layout(_ size: Size) -> EditLayout {
    EditLayout(size: size, content)
  }

  private var showsPictures: Bool { play.file.media.hasPictures && look.showsPictures }

  private var content: EditLayout.Content {
    let model = play.model
    return EditLayout.Content(
      hasPictures: showsPictures, hasSound: play.hasSound,
      hasReason: !showsPictures && model.look.noPicture != nil,
      hasParts: presenter.list.isSeveral)
  }

  var editModel: EditModel {
    var model = EditModel(play: play.model, target: parts.target.shown)
    model.play.tutorial = EditKeys.tutorial
    model.play.keys = EditKeys.lines
    model.purpose = parts.options.choice
    if let plans, plans.answered == planned, let outlook = plans.answer {
      model.outlook = outlook.sentence
      model.play.planLines = outlook.sentences
    }
    model.question = question
    model.notice = notice ?? model.play.remark
    model.content = content
    if let shownList, model.play.overlay == .none { model.play.overlay = shownList }
    model.play.trackLines = parts.choice.lines
    model.play.noteLines = notes.lines
    model.noteTitle = notes.title
    // They are of the first file.
    if presenter.session.shownSource == 0 { model.play.findings = presenter.session.findings }
    if let finder = parts.finder {
      model.play.findLines = finder.lines(presenter.session.findings, at: presenter.playbackTime)
      model.search = finder.progress
    }
    model.written = isWritten ? presenter.exportedLocations.joined(separator: ", ") : nil
    switch preview.state {
    case .off: break
    case .making: model.preview = .making
    case .showing(_, let seams): model.preview = .showing(seams: seams)
    }
    model.strip = play.file.desk?.strip ?? []
    return model
  }

  // MARK: Pictures

  private func want(for layout: EditLayout) -> Bool {
    if presenter.phase == .ready { plans?.want(planned) }
    guard let desk = play.file.desk, EditLayout.fits(layout.size) else { return false }
    play.wantLevels()
    let columns = layout.timeColumns.count
    let slots = EditStrip.slots(
      columns: columns, rows: layout.strip.count, cell: look.pane.cell,
      shape: play.file.media.shape)
    if slots > 0,
      let times = FilmstripInstants.count(slots).times(in: play.file.window.shown, atMost: slots),
      let size = look.pane.thumbnail(columns: columns, slots: slots, rows: layout.strip.count)
    {
      desk.want(strip: .init(times: times, size: size))
    }
    return play.wantPicture(columns: layout.timeColumns.count, rows: layout.picture.count)
  }

  // MARK: Keys

  func take(_ key: Key) -> PlayController.Reply {
    let reply = handle(key)
    parts.work?.keep()
    if let note = parts.work?.note, note != saidNote {
      saidNote = note
      notice = notice ?? note
    }
    return reply
  }

  /// What was said about the kept work.
  var saidNote: String?

  private func handle(_ key: Key) -> PlayController.Reply {
    if key == .control("c") || key == .control("z") || key == .control("l") {
      return play.take(key)
    }
    notice = nil
    if presenter.isTutorialVisible { return play.take(key) }
    if let shownList {
      let isKept =
        switch shownList {
        case .tracks: chooseTrack(key)
        case .find: chooseFinding(key)
        default: false
        }
      if !isKept { self.shownList = nil }
      return .none
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
      endPreview()
      return .none
    }
    if play.prompt == nil, key == Key(.escape), let finder = parts.finder, finder.isLooking {
      finder.stop()
      notice = "Stopped looking."
      return .none
    }
    if play.prompt == nil, let action = EditKeys.action(for: key) { return perform(action) }
    let reply = play.take(key)
    guard reply == .quit, isUnsaved else { return reply }
    question = .quit
    return .none
  }

  private func perform(_ action: EditAction) -> PlayController.Reply {
    switch action {
    case .cut: return cut()
    case .preview: previewOrEnd()
    case .addPart: presenter.partDidAdd()
    case .splitPart: presenter.partDidSplit()
    case .deletePart: presenter.partDidDelete()
    case .removeRange: presenter.rangeDidRemove()
    case .nextPart: selectPart(1)
    case .previousPart: selectPart(-1)
    case .movePartForward: presenter.partDidMove(by: 1)
    case .movePartBack: presenter.partDidMove(by: -1)
    case .namePart: play.ask(.name(id: presenter.list.selected.id))
    case .joinOrSeparate: presenter.joinDidChange(to: !presenter.list.joins)
    case .listParts: shownList = .parts
    case .listTracks: shownList = .tracks
    case .forget: forget()
    case .addMarker: presenter.markerDidAdd()
    case .deleteMarker: presenter.markerDidDelete()
    case .nextMarker: presenter.markerDidStep(by: 1)
    case .previousMarker: presenter.markerDidStep(by: -1)
    case .find: listFindings()
    case .addFile: play.ask(.addFile)
    case .importList: play.ask(.importList(adds: false))
    case .addList: play.ask(.importList(adds: true))
    case .exportList: play.ask(.exportList)
    case .saveProject: saveProject()
    case .nextFinding: presenter.findingDidStep(by: 1)
    case .previousFinding: presenter.findingDidStep(by: -1)
    }
    return .none
  }

  private func selectPart(_ step: Int) {
    let list = presenter.list
    guard list.isSeveral else {
      notice = "There is one part. a adds another, / splits this one."
      return
    }
    let index = (list.selectedIndex + step + list.parts.count) % list.parts.count
    presenter.partDidSelect(id: list.parts[index].id)
  }

  /// Plays the result of a cut from a little before its end, so that the loop shows both edges.
  private func previewOrEnd() {
    guard !preview.isOn else { return endPreview() }
    guard presenter.isVideoLengthValid else {
      notice = "No preview: \(refusal)"
      return
    }
    guard showsPictures, let cutter = parts.cutter else {
      notice = "No preview: pictures are not available here."
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
        preview.hasSetGoing = !presenter.isPlaying
        if preview.hasSetGoing { presenter.playDidTap() }
      }
      parts.repaint()
    }
  }

  /// Ends the preview; playback that was paused before it is paused again.
  func endPreview() {
    if preview.hasSetGoing { presenter.pauseDidTap() }
    preview.end()
  }

  private static let lead = MediaDuration(2)

  private func order(_ range: MediaTimeRange) -> CutOrder {
    CutOrder(
      [TrimmingPart(id: 1, range: range, source: presenter.session.shownSource)],
      as: parts.choice.settings, to: parts.target.path, limit: presenter.limit,
      replaces: parts.target.replaces)
  }

  private func cut() -> PlayController.Reply {
    guard presenter.isVideoLengthValid else {
      notice = "Not cut: \(refusal)"
      return .none
    }
    if parts.options.choice != nil {
      chosen = presenter.list
      return .finish(.success)
    }
    let list = presenter.list
    let taken = parts.target.taken(list.parts, joins: list.joins)
    guard taken.isEmpty else {
      question = .replace(taken.map(parts.target.shown).joined(separator: ", "))
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
        notice = "Not cut: \(parts.target.shown) is unchanged"
      }
    case .replaceList(let target):
      if isYes {
        export(to: target, replaces: true)
      } else {
        notice = "Not written: \(target.shown) is unchanged"
      }
    case .quit: if isYes || key == .character("q") { return .quit }
    }
    return .none
  }

  /// Whether the parts were changed and have not been written.
  private var isUnsaved: Bool {
    let list = presenter.list
    return (list.isSeveral || list.isOfSeveralSources || presenter.timeRange != initialRange)
      && !isWritten
  }

  /// Why the length is not allowed, and what to do about it.
  private var refusal: String {
    guard case .ready(let ready) = presenter.screen else { return "it is not ready." }
    return ready.sentence() + ". M or --max-length changes that."
  }

  /// Whether the files contain exactly these parts.
  private var isWritten: Bool {
    guard let written = parts.target.written else { return false }
    let list = presenter.list
    return written.ranges == list.parts.map(\.range)
      && written.sources == list.parts.map(\.source)
      && written.joins == (list.joins && list.isSeveral)
  }
}
