package import Trimming

/// Looking for silence, black, still pictures and scenes in a file.
package struct StudioFinding: Sendable {
  /// A kind that can be looked for.
  package struct Choice: Sendable, Hashable, Encodable {
    package var kind: TrimmingFinding.Kind
    /// Why this file cannot be examined for it; `nil` if it can.
    package var refusal: String?
    package var thresholds: [Threshold]

    package init(
      kind: TrimmingFinding.Kind, refusal: String? = nil, thresholds: [Threshold] = []
    ) {
      self.kind = kind
      self.refusal = refusal
      self.thresholds = thresholds
    }
  }

  /// A threshold that can be typed.
  package struct Threshold: Sendable, Hashable, Encodable {
    package var id: ThresholdID
    /// What it is, with its unit.
    package var title: String
    /// As it is unless another is typed.
    package var usual: String

    package init(id: ThresholdID, title: String, usual: String) {
      self.id = id
      self.title = title
      self.usual = usual
    }
  }

  package enum ThresholdID: String, Sendable, Hashable, Codable, CaseIterable {
    case silenceLevel = "silence_level"
    case silenceFor = "silence_for"
    case blackFor = "black_for"
    case stillFor = "still_for"
  }

  /// What a page asks for.
  package struct Wish: Sendable, Hashable {
    package var kinds: Set<TrimmingFinding.Kind>
    /// As typed.
    package var thresholds: [ThresholdID: String]

    package init(kinds: Set<TrimmingFinding.Kind>, thresholds: [ThresholdID: String] = [:]) {
      self.kinds = kinds
      self.thresholds = thresholds
    }
  }

  package struct Found: Sendable, Hashable {
    package var findings: [TrimmingFinding]
    /// What was looked for, with the thresholds.
    package var sentence: String
    /// What could not be looked at, in sentences.
    package var gaps: [String]

    package init(findings: [TrimmingFinding], sentence: String, gaps: [String] = []) {
      self.findings = findings
      self.sentence = sentence
      self.gaps = gaps
    }
  }

  /// Looks, and throws `VideoFailure`; the closure is called during the work, on any thread.
  package typealias Work =
    @Sendable (_ isCancelled: @escaping @Sendable () -> Bool) async throws -> Found

  /// The kinds, in the order in which they are shown.
  package var choices: [Choice]
  /// Returns the work; throws `VideoFailure` about what was typed.
  package var work: @Sendable (Wish) throws -> Work

  package init(
    choices: [Choice] = [],
    work: @escaping @Sendable (Wish) throws -> Work = { _ in
      throw VideoFailure("Nothing can be looked for in this file.")
    }
  ) {
    self.choices = choices
    self.work = work
  }
}
