import CommandLineKit
import MediaFacts
import Synchronization
import TrimStudio
import Trimming

/// How a file will be cut, while the user is still choosing.
final class CutSettingsChoice: Sendable {
  /// The tracks that can be chosen.
  let tracks: [TrackFacts]
  private let state: Mutex<CutSettings>

  init(_ facts: MediaFacts, _ settings: CutSettings) {
    tracks = facts.tracks.filter { TrackChoice.namedKinds.contains($0.kind) }
    state = Mutex(settings)
  }

  var settings: CutSettings { state.withLock { $0 } }

  func isWritten(_ track: TrackFacts) -> Bool {
    settings.tracks?.contains(kind: track.kind, id: track.id) ?? true
  }

  func choose(_ mode: CutMode) { state.withLock { $0.mode = mode } }

  func chooseNextMode() {
    let modes = CutMode.allCases
    state.withLock { settings in
      let index = modes.firstIndex(of: settings.mode) ?? 0
      settings.mode = modes[(index + 1) % modes.count]
    }
  }

  /// - Returns: `false` if none of the numbers is a track's.
  func choose(tracks ids: Set<Int>) -> Bool {
    let known = Set(tracks.map(\.id))
    let chosen = ids.intersection(known)
    guard !chosen.isEmpty else { return false }
    state.withLock { $0.tracks = chosen == known ? nil : TrackChoice(ids: chosen) }
    return true
  }

  /// Includes or excludes a track.
  ///
  /// - Returns: `false` if nothing would be left.
  func toggle(_ track: TrackFacts) -> Bool {
    let written = Set(tracks.filter(isWritten).map(\.id))
    return choose(tracks: written.symmetricDifference([track.id]))
  }

  /// The tracks as a page shows them.
  var shownTracks: [StudioSettings.Track] {
    tracks.map { track in
      StudioSettings.Track(id: track.id, words: track.words, isWritten: isWritten(track))
    }
  }

  /// A line for each track, and the mode.
  var lines: [String] {
    tracks.enumerated().map { index, track in
      "\(index < 9 ? "\(index + 1)" : " ")  [\(isWritten(track) ? "x" : " ")] \(track.words)"
    } + ["", "m  mode: \(settings.mode.rawValue)"]
  }
}
