import Observation
import Trimming

/// A line-based trimming screen: it prints the state whenever it changes, and reacts to events.
@MainActor struct TerminalScreen {
  let presenter: TrimmingPresenter

  /// Returns at the end of the commands, or on `quit`.
  func run(_ commands: AsyncStream<String>) async {
    // Subscribes before anything can happen, so that no event is missed.
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

  /// Only the latest state counts: two changes in one turn of the main actor are drawn once.
  private func draw() async {
    var shown = ""
    for await line in Observations({ presenter.screen.line }) where line != shown {
      print(line)
      shown = line
    }
  }

  /// Every event arrives, in order: this does what has to happen once for each.
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
