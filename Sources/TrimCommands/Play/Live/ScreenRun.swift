import CommandLineKit
import ExactTime
import TerminalUI
import Trimming

/// A screen on a terminal: waits for keys, signals and the clock, and paints after each.
@MainActor final class ScreenRun {
  private enum Wake: Sendable {
    case terminal(TerminalEvent)
    case loaded(Result<PlayedMedia, PlayedMedia.Failure>)
    /// Playback has advanced.
    case tick
    /// There is something new to show.
    case change
  }

  /// Makes the screen of a loaded file; `trace` receives all its events, and `repaint` is called
  /// when it has something new to show.
  typealias Maker =
    @MainActor (
      _ media: PlayedMedia, _ trace: @escaping (SessionEvent) -> Void,
      _ repaint: @escaping @MainActor () -> Void
    ) -> any MediaScreen

  private let tool: Tool
  private let console: Console
  private let options: PlayOptions
  private let loader: MediaLoader
  private let terminal: PlayTerminal
  private let makeScreen: Maker
  private let wakes = AsyncStream.makeStream(of: Wake.self)
  private let clock: DeadlineClock<JobClock>
  private var controller: (any MediaScreen)?
  private var failure: PlayedMedia.Failure?
  private var wasReported = false
  private var playback: (task: Task<Void, Never>, speed: Rational)?
  private var notes: [String] = []
  private var speech = SpokenChanges()
  /// Lines that the terminal has not accepted yet.
  private var unsaid = ""
  private var isPaintingLater = false
  private var painter: TerminalUI.Painter
  private var look: ScreenLook { didSet { controller?.look = look } }
  private var lastPainting: JobClock.Instant?

  init(
    tool: Tool, console: Console, options: PlayOptions, loader: MediaLoader,
    terminal: PlayTerminal, makeScreen: @escaping Maker
  ) {
    self.tool = tool
    self.console = console
    self.options = options
    self.loader = loader
    self.terminal = terminal
    self.makeScreen = makeScreen
    painter = terminal.painter
    look = terminal.look
    clock = DeadlineClock(JobClock(), stoppingAfter: options.stopAfter)
  }

  func perform() async -> ExitStatus {
    let status: ExitStatus
    do {
      status = try await show()
    } catch {
      console.error("\(error)")
      return .unavailable
    }
    if let failure, !wasReported { loader.report(failure, on: console) }
    if console.verbosity > 0 {
      for note in notes { console.err.write("trim: \(console.shownOnErr(note))\n") }
    }
    return status
  }

  private func show() async throws(TerminalError) -> ExitStatus {
    load()
    await waitALittle()
    if let failure, failure.endsRun {
      loader.report(failure, on: console)
      wasReported = true
      return failure.status
    }
    let mode = try TerminalMode(terminal.descriptor, options: terminal.modes)
    let input = try TerminalInput(terminal.descriptor, environment: terminal.variables)
    let keys = Task { [wakes] in
      for await event in input.events { wakes.continuation.yield(.terminal(event)) }
    }
    defer {
      input.stop()
      keys.cancel()
      stopPlayback()
    }
    look.pane.cell = mode.cellPixels()
    if terminal.showsPictures, terminal.pictures == .image { showImages(on: mode) }
    var frame = Frame(size: mode.size(environment: terminal.variables))
    try paint(&frame, on: mode)
    for await wake in wakes.stream {
      var isTick = false
      switch wake {
      case .loaded(let result):
        take(result)
        if let failure, failure.endsRun { return failure.status }
      case .tick: isTick = true
      case .change: break
      case .terminal(.resized(let size)):
        frame = Frame(size: size)
        look.pane.cell = mode.cellPixels()
        if painter.showsImages { showImages(on: mode) }
      case .terminal(.showsImages): showImages(on: mode)
      case .terminal(.background(let color)):
        look.palette = Palette(depth: painter.depth, background: color)
        look.pane.background = color
      case .terminal(.has256Colors):
        guard take256Colors() else { continue }
        frame.shown = nil
      case .terminal(.continued): frame.shown = nil
      case .terminal(.asked(let signal)): return .signal(signal.rawValue)
      case .terminal(.closed): return .signal(EndSignal.hangup.rawValue)
      case .terminal(.pasted(let text)): controller?.paste(text)
      case .terminal(.mouse(let mouse)): controller?.take(mouse, on: frame.size)
      case .terminal(.focusDidChange): break
      case .terminal(.key(let key)):
        switch take(key) {
        case .none: break
        case .redraw: frame.shown = nil
        case .retry: load()
        case .suspend: mode.suspend()
        case .interrupt: return .interrupted
        case .quit: return failure?.status ?? .success
        case .finish(let status): return status
        }
      }
      if isOver { return .success }
      followPlayback()
      if isTick, waitsForPicture(on: frame.size) { continue }
      try paint(&frame, on: mode)
    }
    return .success
  }

  // MARK: The file

  /// Waits briefly before opening a screen: none is opened for a file that cannot be shown, and
  /// most load quickly.
  private func waitALittle() async {
    guard !terminal.isPlain else { return }
    let isOver = wakes.continuation
    let timer = Task { [clock] in
      try? await clock.base.sleep(for: .milliseconds(400))
      if !Task.isCancelled { isOver.yield(.change) }
    }
    defer { timer.cancel() }
    for await wake in wakes.stream {
      if case .loaded(let result) = wake { take(result) }
      return
    }
  }

  private func load() {
    failure = nil
    Task { [loader, wakes] in
      wakes.continuation.yield(.loaded(await loader.loadInBackground()))
    }
  }

  private func take(_ result: Result<PlayedMedia, PlayedMedia.Failure>) {
    switch result {
    case .failure(let failure): self.failure = failure
    case .success(let media):
      let screen = makeScreen(
        media, { [weak self] event in self?.note(event) },
        { [wakes] in wakes.continuation.yield(.change) })
      controller = screen
      screen.look = look
      screen.presenter.videoDidLoad(media.timings)
      screen.presenter.viewDidAppear()
    }
  }

  private func note(_ event: SessionEvent) {
    if case .diagnostic(let text) = event { notes.append(text) }
    // An export ends and a cancel winds down without a key.
    wakes.continuation.yield(.change)
  }

  private func take(_ key: Key) -> PlayController.Reply {
    if let controller { return controller.take(key) }
    switch PlayKeys.action(for: key) {
    case .retry: return failure == nil ? .none : .retry
    case .redraw: return .redraw
    case .suspend: return .suspend
    case .interrupt: return .interrupt
    case .quit: return .quit
    default: return .none
    }
  }

  // MARK: Playback

  private var isOver: Bool {
    guard let controller else { return false }
    if let loops = options.loops, controller.presenter.passCount >= loops { return true }
    return clock.isOver
  }

  /// Keeps one driver running at the current speed while the screen plays.
  private func followPlayback() {
    guard let controller, controller.presenter.isPlaying else {
      stopPlayback()
      return
    }
    guard playback?.speed != controller.speed else { return }
    stopPlayback()
    let driver = try? PlaybackDriver(
      presenter: controller.presenter, clock: clock, tick: .seconds(1) / options.pictureRate,
      speed: controller.speed)
    let task = Task { [wakes] in
      // The range of a ready video is not empty: there is nothing that a loop could reject.
      _ = try? await driver?.run { _ in
        wakes.continuation.yield(.tick)
        return !Task.isCancelled
      }
    }
    playback = (task, controller.speed)
  }

  private func stopPlayback() {
    playback?.task.cancel()
    playback = nil
  }

  // MARK: Painting

  private struct Frame {
    let size: Size
    /// What the terminal shows; `nil` if not known.
    var shown: Canvas?

    init(size: Size) { self.size = size }
  }

  private func showImages(on mode: borrowing TerminalMode) {
    painter.showsImages = true
    look.pane.style = .images
    look.pane.cell = mode.cellPixels()
  }

  /// Returns `false` where nothing changes: the environment promises as many, or none are wanted.
  private func take256Colors() -> Bool {
    guard painter.depth == .sixteen else { return false }
    painter = TerminalUI.Painter(
      depth: .twoHundredFiftySix, isUTF8: painter.isUTF8, showsImages: painter.showsImages)
    look.palette = Palette(depth: painter.depth, background: look.palette.background)
    look.pane.dithers = false
    return true
  }

  /// Whether to delay painting: a position is painted together with its picture, but does not wait
  /// for it long.
  private func waitsForPicture(on size: Size) -> Bool {
    guard let controller, controller.wantPictures(on: size), let lastPainting else { return false }
    return lastPainting.duration(to: clock.base.now) < .milliseconds(100)
  }

  private var model: PlayModel {
    if let controller { return controller.model }
    var model = PlayModel(opening: loader.location, failure: failure, limit: options.limit)
    model.look = look
    return model
  }

  private func paint(
    _ frame: inout Frame, on mode: borrowing TerminalMode
  ) throws(TerminalError) {
    lastPainting = clock.base.now
    if terminal.isPlain {
      unsaid += speech.lines(for: model).map { $0 + "\n" }.joined()
      if try mode.draw(painter.plainText(unsaid)) { unsaid = "" } else { paintLater() }
      return
    }
    let canvas =
      controller?.canvas(size: frame.size) ?? PlayView(model: model).canvas(size: frame.size)
    let bytes = painter.bytes(painting: canvas, over: frame.shown)
    if try mode.draw(bytes) { frame.shown = canvas } else { paintLater() }
  }

  /// Retries painting later, since the terminal reads slowly or belongs to the shell.
  private func paintLater() {
    guard !isPaintingLater else { return }
    isPaintingLater = true
    Task { [weak self, wakes, clock] in
      try? await clock.base.sleep(for: .milliseconds(100))
      self?.isPaintingLater = false
      wakes.continuation.yield(.change)
    }
  }
}

extension PlayedMedia.Failure {
  /// Whether retrying cannot help: the run ends with a message instead of a waiting screen.
  fileprivate var endsRun: Bool {
    [.usage, .badData, .noInput, .noPermission, .unavailable].contains(status)
  }
}
