import CommandLineKit
import TerminalUI
import Trimming

extension EditController {
  /// Lists what can be looked for, and what was found, in the first file.
  func listFindings() {
    if parts.finder == nil {
      notice = "Nothing can be looked for here."
    } else if presenter.session.shownSource != 0 {
      let first = PlayModel.names(of: presenter.session.location).base
      notice = "Only \(first) is looked through: select a part of it first."
    } else {
      shownList = .find
    }
  }

  /// Handles a key while what was found is listed over the screen.
  ///
  /// - Returns: `false` for a key that closes the list.
  func chooseFinding(_ key: Key) -> Bool {
    guard let finder = parts.finder else { return false }
    if key == Key(.escape), finder.isLooking {
      finder.stop()
      notice = "Stopped looking."
      return true
    }
    switch key.code {
    case .enter:
      look(with: finder)
      return true
    case .up: step(-1)
    case .down: step(1)
    case .character(let character):
      if let number = character.wholeNumberValue { return finder.toggle(number) }
      switch character {
      case ":": step(-1)
      case "\"": step(1)
      default:
        act(character, on: finder)
        return false
      }
    default: return false
    }
    return true
  }

  private func step(_ count: Int) { presenter.findingDidStep(by: count) }

  /// Keeps, removes or splits at what was found of the chosen kinds: one step for undo.
  private func act(_ character: Character, on finder: EditFinder) {
    let ids = presenter.session.findings.filter { one in
      finder.chosen.contains { $0.shown == one.kind }
    }.map(\.id)
    switch character {
    case "k": presenter.findingsDidKeep(ids: ids)
    case "x": presenter.findingsDidRemove(ids: ids)
    case "/": presenter.findingsDidSplit(ids: ids)
    default: return
    }
    if play.model.notice == nil {
      notice = "\(CountText.of(presenter.list.parts.count, "part")): u undoes that."
    }
  }

  private func look(with finder: EditFinder) {
    do throws(VideoFailure) {
      try finder.start { [self] result in
        switch result {
        case .success(let found):
          presenter.findingsDidArrive(found.shown)
          let count = presenter.session.findings.count
          notice =
            "\(count == 0 ? "Nothing" : "\(count)") found: \(found.options.sentence). d lists it."
        case .failure(let failure): notice = "Not found out: \(ForeignText.shown(failure.message))"
        }
        parts.repaint()
      }
    } catch {
      notice = error.message
    }
  }
}
