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

  /// The list's ranges, in its order.
  var parts: [PartExpression]
  var meaning: Meaning
  /// How many of its ranges lie behind the end of the file, and are ignored.
  var behind = 0
  /// What the list says and a cut does not do, each with its place.
  var leftOut: [String] = []
  /// That the list counts at its own rate, where the file has another.
  var rateNote: String?

  /// A day of film marked at every frame is less.
  private static let longest = 64 << 20
  private static let mostParts = 100_000

  /// Reads a list, or standard input for `-`.
  ///
  /// - Parameter meaning: `nil` for what the format says.
  init(
    reading path: ArgumentText, for facts: MediaFacts, as meaning: Meaning?,
    _ options: ListFile.Options
  ) throws(PlanFile.Failure) {
    guard let end = facts.presentedEnd else {
      throw PlanFile.Failure(
        message: "the length of the file that it is for cannot be determined", status: .badData)
    }
    let file = try ListFile(reading: path, upTo: Self.longest, for: facts, options)
    try self.init(file.list, end: end, as: meaning)
    (leftOut, rateNote) = (file.leftOut, file.rateNote)
  }

  private init(
    _ list: EditList, end: MediaTime, as meaning: Meaning?
  ) throws(PlanFile.Failure) {
    func refusal(_ message: String) -> PlanFile.Failure {
      PlanFile.Failure(message: message, status: .badData)
    }
    guard let first = list.parts.first else { throw refusal("it lists no part") }
    guard list.parts.count <= Self.mostParts else {
      throw refusal("it lists more than \(Self.mostParts) parts")
    }
    guard !list.parts.contains(where: { $0.source != first.source }) else {
      throw refusal("its parts are of several files, and only one is cut")
    }
    self.meaning = meaning ?? (first.isKept ? .keep : .remove)
    parts = []
    for part in list.parts {
      guard let from = part.range.start.expression, let to = part.range.end.expression else {
        throw refusal("one of its parts begins before the file, at \(part.range.start.seconds) s")
      }
      if part.range.start >= end {
        behind += 1
      } else {
        parts.append(PartExpression(from: from, end: .to(to)))
      }
    }
    guard !parts.isEmpty else {
      throw refusal("all of its parts begin after the end of the file")
    }
  }
}

extension MediaTime {
  /// As a time after the presented start; `nil` before it.
  fileprivate var expression: TimeExpression? {
    self < .zero ? nil : .fromStart(MediaDuration(seconds: seconds))
  }
}
