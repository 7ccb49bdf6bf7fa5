import Observation
import Trimming

/// A trimming screen made of lines: it shows the state whenever that changes, and does what the
/// events ask for.
@MainActor struct TerminalScreen {
  let presenter: TrimmingPresenter

  /// Ends with the commands, or with `quit`.
  func run(_ commands: AsyncStream<String>) async {
    // Subscribed before anything can happen, so that nothing is missed.
    let events = presenter.events.subscribe()
    let reacting = Task { await react(to: events) }
    let drawing = Task { await draw() }
    presenter.viewDidAppear()
    presenter.loadVideo()
    await until { presenter.phase != .loading }
    for await command in commands {
      guard command != "quit" else { break }
      perform(command)
    }
    await until { presenter.exportState == .idle }
    presenter.events.finish()
    await reacting.value
    drawing.cancel()
  }

  /// State is the newest that counts: what changes twice in one turn is drawn once.
  private func draw() async {
    var shown = ""
    for await line in Observations({ presenter.screen.line }) where line != shown {
      print(line)
      shown = line
    }
  }

  /// Events are all of them, in order: here goes what has to happen once for each.
  private func react(to events: AsyncStream<SessionEvent>) async {
    var playing: Task<Void, any Error>?
    for await event in events {
      switch event {
      case .playingDidChange(isPlaying: true):
        playing?.cancel()
        playing = Task {
          let clock = ContinuousClock()
          try await PlaybackDriver(presenter: presenter, clock: clock, tick: .seconds(1)).run()
        }
      case .playingDidChange(isPlaying: false): playing?.cancel()
      case .restartedVideo(let restart): print("back at \(restart.position)")
      case .tutorialVisibilityDidChange(isVisible: true): print(Help.tutorial)
      case .exportDidFinish(let locations): print("exported to \(locations)")
      case .alertDidAppear(let alert):
        print("error: \(alert.message)")
        presenter.alertDidClose()
      case .diagnostic(let note): print("note: \(note)")
      default: break
      }
    }
    playing?.cancel()
  }

  private func until(_ isTrue: @escaping @MainActor () -> Bool) async {
    for await isReached in Observations({ isTrue() }) where isReached { return }
  }
}
