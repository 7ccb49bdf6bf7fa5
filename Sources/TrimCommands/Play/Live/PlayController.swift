import CommandLineKit
import ExactTime
import MediaEngine
import MediaFacts
import TerminalUI
import Trimming

/// Turns keys into presenter inputs, and keeps display-only state.
@MainActor final class PlayController {
  /// What the owner of the terminal has to do after a key.
  enum Reply: Equatable {
    case none, redraw, retry, suspend, interrupt, quit
    /// The run ends with this status.
    case finish(ExitStatus)
  }

  /// The files of the session, by their index.
  private var files: [PlayedFile]
  let presenter: TrimmingPresenter
  private(set) var speed: Rational
  private var handle = Handle.playhead
  private(set) var prompt: ScreenPrompt?
  /// The tutorial was requested: all keys are listed instead.
  private var showsKeys = false
  /// Where other pictures than the file's own come from; `nil` for these.
  var otherDesk: PictureDesk?
  var look = ScreenLook()
  /// What the last key did, or why it did nothing; the session's notices are separate.
  private(set) var remark: String?
  /// Called with a path that was typed; `nil` where none is asked for.
  var didTypePath: ((ScreenPrompt.Purpose, String) -> Void)?
  /// What a limit is changed by; `nil` for the presenter alone.
  var limit: ScreenLimit?

  /// - Parameter snapshots: writes frames as files; `nil` if not available.
  init(
    media: PlayedMedia, presenter: TrimmingPresenter, speed: Rational, desk: PictureDesk? = nil,
    snapshots: FrameSnapshots? = nil
  ) {
    files = [PlayedFile(media, desk: desk, snapshots: snapshots)]
    self.presenter = presenter
    self.speed = speed
  }

  /// The file of the selected part, which is the one that is shown.
  private(set) var file: PlayedFile {
    get { files[presenter.session.shownSource] }
    set { files[presenter.session.shownSource] = newValue }
  }

  /// A file of the session, by its index.
  func media(at index: Int) -> PlayedMedia { files[index].media }

  /// A file that the session gets as its next one.
  func append(_ file: PlayedFile) { files.append(file) }

  private var media: PlayedMedia { file.media }
  private var desk: PictureDesk? { otherDesk ?? file.desk }
  private var window: TimelineWindow {
    get { file.window }
    set { file.window = newValue }
  }

  var model: PlayModel {
    var model = PlayModel(screen: presenter.screen)
    model.summary = media.summary
    model.keyframes = media.timings.keyframes
    model.frames = media.timings.frames
    model.labels = FrameLabels(media.context).flatMap { $0.areOwn ? $0 : nil }
    model.handle = handle
    model.window = window
    model.speed = speed
    model.prompt = prompt
    model.picture = look.showsPictures ? desk?.still?.picture : nil
    model.look = look
    if media.noPicture != nil || !media.hasPictures { model.look.noPicture = media.noPicture }
    model.hasSound = hasSound
    if let levels = desk?.levels {
      model.levels = levels.values
      model.levelRange = levels.range
    }
    model.remark = remark
    model.overlay = presenter.isTutorialVisible ? (showsKeys ? .keys : .tutorial) : .none
    return model
  }

  func take(_ key: Key) -> Reply {
    let action = PlayKeys.action(for: key)
    if presenter.isTutorialVisible {
      if let action, [.interrupt, .suspend, .redraw].contains(action) { return perform(action) }
      closeOverlay()
      return .none
    }
    remark = nil
    if prompt != nil { return type(key) }
    return action.map(perform) ?? .none
  }

  /// Closes the overlay: any key except the three that belong to the shell does only that.
  func closeOverlay() {
    presenter.tutorialDidClose()
    showsKeys = false
  }

  /// Whether the file has audio.
  var hasSound: Bool {
    desk != nil && media.facts.tracks.contains { $0.kind == .audio && $0.isPresented }
  }

  /// Requests the levels of the whole file.
  func wantLevels() {
    if hasSound { desk?.want(levels: .init(range: media.bounds, count: Self.levelCount)) }
  }

  private static let levelCount = 2000

  func ask(_ purpose: ScreenPrompt.Purpose) { prompt = ScreenPrompt(purpose: purpose) }
  func say(_ remark: String) { self.remark = remark }

  /// Requests the frame at the active handle, and the first one of the range.
  ///
  /// - Returns: `true` while it is being made.
  func wantPicture(columns: Int, rows: Int) -> Bool {
    guard let desk, desk.hasPictures, look.showsPictures,
      let size = look.pane.size(columns: columns, rows: rows)
    else { return false }
    let pass = presenter.passCount
    desk.want(still: .init(time: shownTime, size: size, pass: pass))
    if presenter.isPlaying {
      desk.want(start: .init(time: presenter.timeRange.start, size: size, pass: pass))
    }
    return desk.isMakingStill
  }

  /// The time of the picture to show: at the end of the range, its last frame.
  ///
  /// Elsewhere the start of the frame, so that each is made once, but nothing before the range.
  private var shownTime: MediaTime {
    let (frames, place, start) = (media.timings.frames, place, presenter.timeRange.start)
    if handle == .outPoint {
      return frames.index(before: place).flatMap { frames.time(at: $0) } ?? place
    }
    guard let frame = frames.index(at: place).flatMap({ frames.time(at: $0) }) else { return place }
    return place >= start ? max(frame, start) : frame
  }

  func paste(_ text: String) {
    guard prompt != nil, !presenter.isTutorialVisible else { return }
    for character in text where !character.isNewline { prompt?.insert(character, in: context) }
  }

  private func perform(_ action: PlayAction) -> Reply {
    switch action {
    case .playOrPause: presenter.isPlaying ? presenter.pauseDidTap() : presenter.playDidTap()
    case .pause: presenter.pauseDidTap()
    case .faster: changeSpeed(by: Rational(2))
    case .slower: changeSpeed(by: Rational(1, 2))
    case .setIn: presenter.inPointDidSet()
    case .setOut: presenter.outPointDidSet()
    case .nextHandle: handle = handle.next
    case .previousHandle: handle = handle.next.next
    case .nudge(let step): presenter.nudge(handle, by: step)
    case .goToIn: presenter.playheadDidMove(to: presenter.timeRange.start)
    case .goToOut: presenter.playheadDidMove(to: presenter.timeRange.end)
    case .goToStart: move(to: media.bounds.start)
    case .goToEnd: move(to: media.bounds.end)
    case .goToTenth(let tenth): move(toTenth: tenth)
    case .askTime: ask(.time)
    case .askLimit: ask(.limit(presenter.limit))
    case .snapshot: takeSnapshot()
    case .nextSnap: presenter.snapDidChange(to: presenter.snap.next)
    case .zoomIn: window.zoomIn(around: place)
    case .zoomOut: window.zoomOut(around: place)
    case .zoomToPart: window.isWhole ? window.fit(presenter.timeRange) : window.showAll()
    case .undo: presenter.undoDidTap()
    case .redo: presenter.redoDidTap()
    case .help:
      showsKeys = true
      presenter.tutorialDidTap()
    case .redraw: return .redraw
    case .retry: return .none
    case .suspend: return .suspend
    case .interrupt: return .interrupt
    case .quit: return .quit
    }
    return .none
  }

  private func type(_ key: Key) -> Reply {
    switch key.code {
    case .escape: prompt = nil
    case .character("c") where key.modifiers == .control: return .interrupt
    case .character("z") where key.modifiers == .control: return .suspend
    case .character("l") where key.modifiers == .control: return .redraw
    case .backspace: prompt?.deleteLast(in: context)
    case .enter:
      enter()
    case .character(let character) where key.modifiers.isSubset(of: .shift):
      prompt?.insert(character, in: context)
    default: break
    }
    return .none
  }

  /// Applies what was typed, and keeps invalid text.
  private func enter() {
    guard let prompt else { return }
    switch prompt.reading {
    case .problem: return
    case .time(let time): presenter.timeDidType(handle, time)
    case .limit(let limit): change(to: limit)
    case .name(let name): rename(prompt.purpose, name)
    case .path: break
    case .nothing: rename(prompt.purpose, "")
    }
    self.prompt = nil
    if case .path = prompt.reading { didTypePath?(prompt.purpose, prompt.text) }
  }

  private func change(to limit: LengthLimit) {
    if let refusal = self.limit?.refusal(of: limit) { return say(refusal) }
    presenter.limitDidChange(to: limit)
    self.limit?.keep(limit)
  }

  private func rename(_ purpose: ScreenPrompt.Purpose, _ name: String) {
    if case .name(let id) = purpose { presenter.partDidRename(id: id, name: name) }
  }

  /// Writes the frame at the active handle, and reports where.
  private func takeSnapshot() {
    guard let snapshots = file.snapshots, media.hasPictures else {
      remark = "There is no frame to write here."
      return
    }
    remark = "Writing the frame …"
    let (time, frames) = (shownTime, media.timings.frames)
    snapshots.write(time, frame: frames.index(at: time)) { [weak self] sentence in
      self?.remark = sentence
    }
  }

  /// Makes a handle the one that moves.
  func choose(_ handle: Handle) { self.handle = handle }

  /// Moves the active handle.
  func move(to time: MediaTime) {
    let range = presenter.timeRange
    switch handle {
    case .playhead: presenter.playheadDidMove(to: time)
    case .inPoint: presenter.timeRangeDidChange(from: min(time, range.end), to: range.end)
    case .outPoint: presenter.timeRangeDidChange(from: range.start, to: max(time, range.start))
    }
  }

  private func move(toTenth tenth: Int) {
    guard let offset = try? media.bounds.checkedLength().scaled(by: Rational(Int64(tenth), 10)),
      let time = try? media.bounds.start.advanced(by: offset)
    else { return }
    move(to: time)
  }

  private func changeSpeed(by factor: Rational) {
    guard let changed = try? speed.multiplied(by: factor),
      (Rational(1, 1000)...Rational(1000)).contains(changed)
    else { return }
    speed = changed
    if !presenter.isPlaying { presenter.playDidTap() }
  }

  /// The position of the active handle.
  private var place: MediaTime {
    switch handle {
    case .playhead: presenter.playbackTime
    case .inPoint: presenter.timeRange.start
    case .outPoint: presenter.timeRange.end
    }
  }

  private var context: TimelineContext {
    var context = media.context
    context.inPoint = presenter.timeRange.start
    context.outPoint = presenter.timeRange.end
    return context
  }
}

extension PlayController: MediaScreen {
  func wantPictures(on size: Size) -> Bool {
    // With pictures, there is no room for levels.
    if !look.showsPictures || !media.hasPictures { wantLevels() }
    return wantPicture(columns: size.columns - 2, rows: PlayView.pictureRows(on: size))
  }

  func canvas(size: Size) -> Canvas {
    _ = wantPictures(on: size)
    return PlayView(model: model).canvas(size: size)
  }

  func take(_ mouse: Mouse, on size: Size) {}
}

extension Handle {
  fileprivate var next: Handle {
    switch self {
    case .playhead: .inPoint
    case .inPoint: .outPoint
    case .outPoint: .playhead
    }
  }
}

extension Snap {
  fileprivate var next: Snap {
    switch self {
    case .off: .frame
    case .frame: .keyframe
    case .keyframe: .off
    }
  }
}

extension PlayedMedia {
  /// What the first line shows about the file after its name.
  var summary: [String] {
    let video = facts.tracks.first { $0.kind == .video && $0.isPresented }?.video
    let size = video.map { $0.rotation % 180 == 0 ? ($0.width, $0.height) : ($0.height, $0.width) }
      .map { "\($0)x\($1)" }
    let rate = video?.nominalFrameRate.map { "\(DecimalText.fixed($0, places: 2)) fps" }
    let variable = video?.isConstantFrameRate == false ? "VFR" : nil
    return [size, rate, variable, DecimalText.clock(bounds.end.seconds)].compactMap { $0 }
  }
}
