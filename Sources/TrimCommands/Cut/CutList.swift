import CommandLineKit
import EditLists
import ExactTime
import MediaFacts

/// `--cuts LIST`: what another program wants kept or removed.
struct CutList: Sendable, Equatable {
  /// What the ranges of a list are.
  enum Meaning: String, Sendable, CaseIterable {
    case keep, remove
  }

  /// The list's parts, in its order, all kept or all removed; times count from the first presented
  /// sample.
  var list: EditList
  var meaning: Meaning
  /// How many of its ranges lie behind the end of the file, and are ignored.
  var behind = 0
  /// What the list says and a cut does not do, each with its place.
  var leftOut: [String] = []
  /// That the list counts at its own rate, where the file has another.
  var rateNote: String?

  /// What it says and the cut does not do, in JSON.
  var record: JSONValue {
    .object([
      "left_out": .array(leftOut.map(JSONValue.string)), "behind": .integer(behind),
      "rate_note": .optional(rateNote),
    ])
  }

  /// A day of film marked at every frame is less.
  private static let longest = 64 << 20
  private static let mostParts = 100_000
  private static let mostDivisions = 10_000_000

  /// Reads a list, or standard input for `-`.
  ///
  /// - Parameter meaning: `nil` for what the format says.
  init(
    reading path: ArgumentText, for facts: MediaFacts, as meaning: Meaning?,
    _ options: ListFile.Options
  ) throws(PlanFile.Failure) {
    let file = try ListFile(reading: path, upTo: Self.longest, for: facts, options)
    try self.init(file, for: facts, as: meaning)
  }

  /// - Parameter meaning: `nil` for what the format says.
  init(
    _ file: ListFile, for facts: MediaFacts, as meaning: Meaning?
  ) throws(PlanFile.Failure) {
    guard let end = facts.presentedEnd else {
      throw PlanFile.Failure(
        message: "the length of the file that it is for cannot be determined", status: .badData)
    }
    try self.init(file.list, end: end, as: meaning)
    (leftOut, rateNote) = (file.leftOut, file.rateNote)
  }

  private init(
    _ stated: EditList, end: MediaTime, as meaning: Meaning?
  ) throws(PlanFile.Failure) {
    // Of what a list keeps, what it removes is taken away.
    let isMixed = meaning == nil && Set(stated.parts.map(\.isKept)).count == 2
    func refusal(_ message: String) -> PlanFile.Failure {
      PlanFile.Failure(message: message, status: .badData)
    }
    let removed = stated.parts.count { !$0.isKept }
    // Each part may be divided by each removal.
    guard stated.parts.count <= Self.mostParts,
      !isMixed || removed * (stated.parts.count - removed) <= Self.mostDivisions
    else { throw refusal("it lists more than \(Self.mostParts) parts, or divides them too often") }
    let list = isMixed ? stated.kept(within: [:]) : stated
    guard let first = list.parts.first else { throw refusal("it lists no part") }
    guard !list.parts.contains(where: { $0.source != first.source }) else {
      throw refusal("its parts are of several files, and only one is cut")
    }
    let meaning = meaning ?? (first.isKept ? .keep : .remove)
    (self.list, self.meaning) = (list, meaning)
    self.list.parts = []
    for var part in list.parts {
      guard part.range.start >= .zero else {
        throw refusal("one of its parts begins before the file, at \(part.range.start.seconds) s")
      }
      part.isKept = meaning == .keep
      if part.range.start >= end { behind += 1 } else { self.list.parts.append(part) }
    }
    guard !self.list.parts.isEmpty else {
      throw refusal("all of its parts begin after the end of the file")
    }
  }
}
