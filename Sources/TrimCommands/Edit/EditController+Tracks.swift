import TerminalUI
import Trimming

extension EditController {
  /// Handles a key while the track list is shown over the screen.
  ///
  /// - Returns: `false` for a key that selects nothing.
  func chooseTrack(_ key: Key) -> Bool {
    guard case .character(let character) = key.code else { return false }
    let choice = parts.choice
    if character == "m" {
      choice.chooseNextMode()
      notice = "mode: \(choice.settings.mode.rawValue)"
    } else if let number = character.wholeNumberValue, choice.tracks.indices.contains(number - 1) {
      let track = choice.tracks[number - 1]
      let isDone = choice.toggle(track)
      notice =
        isDone
        ? "\(track.words): \(choice.isWritten(track) ? "written" : "left out")"
        : "At least one track has to be written."
    } else {
      return false
    }
    // A preview made with other settings is no longer the result.
    endPreview()
    return true
  }
}
