import CommandLineKit
import Detection
import ExactTime
import MediaFacts
import Trimming

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

extension FindOptions {
  /// - Parameter typed: thresholds by the names of their options, checked as on the command line.
  /// - Throws: `VideoFailure` about what was typed.
  init(_ kinds: Set<Finding.Kind>, typed: [String: String] = [:]) throws(VideoFailure) {
    var parsed = ParsedArguments()
    for kind in Finding.Kind.allCases where kinds.contains(kind) {
      parsed.note(flag: kind.option)
    }
    for (option, text) in typed { parsed.note(ArgumentText(text), for: option) }
    do throws(UsageError) {
      try self.init(parsed, command: "find")
    } catch {
      throw VideoFailure(ForeignText.shown(error.message))
    }
  }
}

extension PlayedMedia {
  /// The kinds that it has a track for.
  var findableKinds: [Finding.Kind] {
    let presented = facts.tracks.filter(\.isPresented)
    return Finding.Kind.allCases.filter { kind in
      presented.contains { $0.kind == (kind.isHeard ? .audio : .video) }
    }
  }

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
