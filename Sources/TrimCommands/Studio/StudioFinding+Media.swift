import CommandLineKit
import Detection
import MediaFacts
import TrimStudio
import Trimming

extension StudioFinding {
  /// Looks as `trim find` does, in a sealed process where there is one, and on a thread of its own.
  init(_ media: PlayedMedia, _ path: [UInt8], engine: EnginePort, timeout: Duration?) {
    let worker = StudioWorker()
    self.init(
      choices: Self.choices(of: media),
      work: { wish in
        let kinds = Finding.Kind.allCases.filter { $0.shown.map(wish.kinds.contains) == true }
        let options = try FindOptions(
          Set(kinds),
          typed: Dictionary(
            uniqueKeysWithValues: wish.thresholds.map { id, text in (id.option, text) }))
        return { isCancelled in
          try await worker.value {
            try Found(
              media.findings(
                at: path, options, engine: engine, timeout: timeout, isCancelled: isCancelled))
          }
        }
      })
  }

  private static func choices(of media: PlayedMedia) -> [Choice] {
    Finding.Kind.allCases.compactMap { kind in
      guard let shown = kind.shown else { return nil }
      var thresholds: [Threshold] = []
      if kind == .silence {
        thresholds.append(
          Threshold(
            id: .silenceLevel, title: "Below (dBFS)", usual: FindOptions.usualLevel))
      }
      let id = ThresholdID.allCases.first { $0.option == "\(kind.option)-for" }
      if let id, let usual = FindOptions.usualLengths[kind] {
        thresholds.append(Threshold(id: id, title: "At least (s)", usual: usual))
      }
      let isThere = media.findableKinds.contains(kind)
      return Choice(
        kind: shown, refusal: isThere ? nil : kind.isHeard ? "no audio" : "no video",
        thresholds: thresholds)
    }
  }
}

extension StudioFinding.ThresholdID {
  /// The option of the command.
  fileprivate var option: String { String(rawValue.map { $0 == "_" ? "-" : $0 }) }
}

extension StudioFinding.Found {
  init(_ found: Findings) {
    self.init(
      findings: found.shown, sentence: found.options.sentence,
      gaps: found.gaps.map { ForeignText.shown($0) })
  }
}
