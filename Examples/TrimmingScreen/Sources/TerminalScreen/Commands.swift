import ExactTime
import Trimming

extension TerminalScreen {
  /// Tells the presenter what the user did; the presenter decides what follows from it.
  func perform(_ line: String) {
    let words = line.split(separator: " ", maxSplits: 1)
    guard let command = words.first else { return }
    do {
      let time = words.count == 2 ? try time(words[1]) : nil
      switch (command, time) {
      case ("in", let time?):
        presenter.timeRangeDidChange(from: time, to: presenter.timeRange.end)
      case ("out", let time?):
        presenter.timeRangeDidChange(from: presenter.timeRange.start, to: time)
      case ("at", let time?): presenter.playheadDidMove(to: time)
      case ("in", nil): presenter.inPointDidSet()
      case ("out", nil): presenter.outPointDidSet()
      case ("play", nil): presenter.playDidTap()
      case ("pause", nil): presenter.pauseDidTap()
      case ("undo", nil): presenter.undoDidTap()
      case ("redo", nil): presenter.redoDidTap()
      case ("close", nil): presenter.tutorialDidClose()
      case ("export", nil): presenter.exportDidTap()
      default: print(Help.commands)
      }
    } catch {
      print("error: \(error)")
    }
  }

  /// Parses a time as people type it: `1`, `1:00.5`, `-10` (before the end), `in`, `50%`.
  private func time(_ text: Substring) throws -> MediaTime {
    var context = TimelineContext(presented: presenter.session.bounds)
    context.inPoint = presenter.timeRange.start
    context.outPoint = presenter.timeRange.end
    return try TimeExpression(parsing: text).resolve(in: context)
  }
}

enum Help {
  static let commands = """
    in [TIME], out [TIME], at TIME, play, pause, undo, redo, close, export, quit
    TIME is 1, 1:00.5, 121/2, -10 (before the end), 50%; without one, in and out are set at the playhead
    """
  static let tutorial = """
    Welcome. Choose what to keep with “in 1” and “out 60”, look at it with “play”, then “export”.
    It has to be shorter than 60.5 seconds. “close” closes this.
    """
}
