import Synchronization
import TrimStudio
import Trimming

extension WorkKeeper.Settings {
  /// The name of the output is kept for the studio, and changed there only.
  ///
  /// - Parameters:
  ///   - output: the name that a cut writes here.
  ///   - isGiven: whether options choose mode or tracks: what was kept of them is then not used.
  static func editing(_ choice: CutSettingsChoice, output: String, isGiven: Bool) -> Self {
    let name = Mutex(output)
    return Self(
      now: {
        StudioSettings(
          output: name.withLock { $0 }, mode: choice.settings.mode, tracks: choice.shownTracks)
      },
      change: { change in
        switch change {
        case .output(let kept): name.withLock { $0 = kept }
        case .mode(let text):
          if !isGiven, let mode = CutMode(rawValue: text) { choice.choose(mode) }
        case .tracks(let text):
          if !isGiven { _ = choice.choose(tracks: TrackNumbers.set(text)) }
        default: break
        }
      })
  }
}

/// `1,2`, as pages send the tracks to write.
enum TrackNumbers {
  static func set(_ text: String) -> Set<Int> {
    Set(text.split(separator: ",").compactMap { Int($0) })
  }
}
