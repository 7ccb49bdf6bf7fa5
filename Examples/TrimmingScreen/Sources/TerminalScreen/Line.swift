import ExactTime
import Trimming

extension TrimmingScreen {
  /// The whole screen on one line.
  var line: String {
    switch self {
    case .loading(let loading): "loading \(loading.location)"
    case .failed(let failed): "\(failed.location): \(failed.failure)"
    case .ready(let ready): ready.line
    }
  }
}

extension TrimmingScreen.Ready {
  fileprivate var line: String {
    let range = "\(clock(timeRange.start)) to \(clock(timeRange.end))"
    let state = isPlaying ? "playing" : "paused"
    return "\(range), \(verdict.words); \(state) at \(clock(playbackTime)), passes: \(passCount)"
  }

  private func clock(_ time: MediaTime) -> RoundedText {
    time.clockText(places: 3, rounding: .nearest)
  }
}

extension LengthVerdict {
  /// The verdict, and by how much the length is off, if that is known.
  fileprivate var words: String {
    switch self {
    case .valid: "valid"
    case .empty: "empty"
    case .tooLong(let difference): "too long" + Self.by(difference)
    case .tooShort(let difference): "too short" + Self.by(difference)
    }
  }

  private static func by(_ difference: MediaDuration?) -> String {
    guard let difference else { return "" }
    if difference == .zero { return ": exactly the limit" }
    return " by \(difference.secondsText(places: 3, rounding: .up)) s"
  }
}
