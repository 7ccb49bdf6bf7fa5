import CommandLineKit
import Detection
import ExactTime
import MediaEngine
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
        let options = try wish.options
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
    let presented = media.facts.tracks.filter(\.isPresented)
    let hasSound = presented.contains { $0.kind == .audio }
    let hasPictures = presented.contains { $0.kind == .video }
    return Finding.Kind.allCases.compactMap { kind in
      guard let shown = kind.shown else { return nil }
      let refusal = kind.isHeard ? (hasSound ? nil : "no audio") : (hasPictures ? nil : "no video")
      var thresholds: [Threshold] = []
      if kind == .silence {
        thresholds.append(
          Threshold(
            id: .silenceLevel, title: "Below (dBFS)", usual: FindOptions.usualLevel))
      }
      if let usual = FindOptions.usualLengths[kind],
        let id = ThresholdID(rawValue: "\(kind.option)_for")
      {
        thresholds.append(Threshold(id: id, title: "At least (s)", usual: usual))
      }
      return Choice(kind: shown, refusal: refusal, thresholds: thresholds)
    }
  }
}

extension PlayedMedia {
  /// Looks in the whole file; blocking.
  ///
  /// - Throws: `VideoFailure`.
  func findings(
    at path: [UInt8], _ options: FindOptions, engine: EnginePort, timeout: Duration? = nil,
    isCancelled: @escaping @Sendable () -> Bool
  ) throws(VideoFailure) -> Findings {
    guard let drawn = DrawnMedia(path, facts, part: bounds, timeout: timeout) else {
      throw VideoFailure("Nothing is presented: the length of the file cannot be determined.")
    }
    do throws(Failure) {
      return try engine.findings(in: drawn, options: options, isCancelled: isCancelled)
    } catch {
      throw VideoFailure(ForeignText.shown(error.message), hint: error.hint)
    }
  }
}

extension StudioFinding.Wish {
  /// The options, checked by the parser of the command.
  ///
  /// - Throws: `VideoFailure` about what was typed.
  var options: FindOptions {
    get throws(VideoFailure) {
      let words =
        Finding.Kind.allCases.compactMap { kind -> ArgumentText? in
          kind.shown.flatMap { kinds.contains($0) ? ArgumentText("--\(kind.option)") : nil }
        }
        + thresholds.sorted { $0.key.rawValue < $1.key.rawValue }.map { id, text in
          ArgumentText("--\(String(id.rawValue.map { $0 == "_" ? "-" : $0 }))=\(text)")
        }
      do throws(UsageError) {
        let request = try ArgumentParser(root: CommandTable.root)
          .parse([ArgumentText(FindCommand.command)] + words + ["--", "file"])
        guard case .run(_, let parsed) = request else {
          throw UsageError("This is not a search.", command: FindCommand.command)
        }
        return try FindOptions(parsed, command: FindCommand.command)
      } catch {
        throw VideoFailure(ForeignText.shown(error.message))
      }
    }
  }
}

extension StudioFinding.Found {
  init(_ found: Findings) {
    self.init(
      findings: found.shown, sentence: found.options.sentence,
      gaps: found.gaps.map { ForeignText.shown($0) })
  }
}

extension Findings {
  /// As a session takes them.
  var shown: [TrimmingFinding] {
    findings.enumerated().compactMap { number, one in
      one.kind.shown.map { TrimmingFinding(id: number + 1, kind: $0, range: one.range) }
    }
  }
}

extension Finding.Kind {
  /// As a session names it.
  var shown: TrimmingFinding.Kind? { TrimmingFinding.Kind(rawValue: rawValue) }
}
