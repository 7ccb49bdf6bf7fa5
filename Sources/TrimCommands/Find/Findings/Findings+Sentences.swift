import CommandLineKit
import Detection
import ExactTime

extension Findings {
  /// What could not be looked at, in sentences.
  var gaps: [String] {
    missing.map { one in
      "not looked for: \(one.kinds.map(\.option).joined(separator: ", ")), since \(one.message)"
    }
      + unseen.map { one in
        "not examined, since it cannot be decoded: "
          + "\(DecimalText.clock(one.range.start.seconds)) to \(DecimalText.clock(one.range.end.seconds))"
      }
  }
}

extension FindOptions {
  /// What is looked for, with its thresholds.
  var sentence: String {
    var words: [String] = []
    func least(_ kind: Finding.Kind) -> String {
      let length = shortest[kind] ?? .zero
      return length == .zero ? "" : ", at least \(DecimalText.shortest(length.seconds)) s"
    }
    if kinds.contains(.silence) {
      let below =
        silenceLevel.isRelative
        ? "\(silenceLevel.level.shown.dropFirst(silenceLevel.level.tenths < 0 ? 1 : 0)) dB below the loudness"
        : "below \(silenceLevel.level.shown) dBFS"
      words.append(
        "silence \(below)\(isPerChannel ? " in each channel" : "")\(least(.silence))")
    }
    if kinds.contains(.black) { words.append("black\(least(.black))") }
    if kinds.contains(.still) { words.append("still\(least(.still))") }
    if kinds.contains(.scene) { words.append(isFast ? "scenes where keyframes differ" : "scenes") }
    if kinds.contains(.fade) { words.append("fades") }
    return words.joined(separator: "; ")
  }
}
