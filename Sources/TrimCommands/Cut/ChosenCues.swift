import CommandLineKit
import EditLists
import ExactTime
import MediaEngine

/// `--keep-cues` and `--remove-words`: the parts of a transcript that a cut is made of.
struct ChosenCues: Sendable, Equatable {
  /// What a cue must contain to be kept.
  private var texts: [String]
  /// The words that are removed.
  private var words: Set<String>
  /// How far an edge may move to a quieter instant.
  let tolerance: MediaDuration

  static let usualTolerance = "0.1"

  /// - Returns: `nil` if none are chosen.
  init?(_ parsed: ParsedArguments, command: String) throws(UsageError) {
    func values(_ option: String) throws(UsageError) -> [String] {
      try parsed.all(option).map { (value) throws(UsageError) in
        guard let text = value.text, !Self.plain(text).isEmpty else {
          throw UsageError(
            "The value '\(value.shown)' is invalid for '--\(option)': it has no letter or digit.",
            command: command)
        }
        return text
      }
    }
    texts = try values("keep-cues").map { $0.lowercased() }
    words = Set(
      try values("remove-words").flatMap { $0.split(separator: ",") }.map { Self.plain(String($0)) }
    )
    words.remove("")
    let tolerance = parsed.last("edge-tolerance")
    self.tolerance = try LengthArgument.parse(
      tolerance ?? ArgumentText(Self.usualTolerance), option: "edge-tolerance", command: command,
      allowsZero: true)
    guard self.tolerance <= MediaDuration(10) else {
      throw UsageError("'--edge-tolerance' is at most 10 s.", command: command)
    }
    guard !texts.isEmpty || !words.isEmpty else {
      if tolerance != nil {
        throw UsageError(
          "'--edge-tolerance' applies only with '--keep-cues' or '--remove-words'.",
          command: command)
      }
      return nil
    }
    let (used, other) =
      texts.isEmpty ? ("remove-words", "keep-cues") : ("keep-cues", "remove-words")
    for option in [other, "cuts-are"] where parsed.last(option) != nil {
      throw UsageError(
        "'--\(used)' and '--\(option)' cannot be used together.", command: command)
    }
    guard parsed.last("cuts") != nil else {
      throw UsageError(
        "'--\(used)' needs '--cuts' with a transcript: subtitles, or the JSON of whisper.",
        command: command)
    }
  }

  /// What the chosen parts are.
  var meaning: CutList.Meaning { texts.isEmpty ? .remove : .keep }

  /// Whether a transcript's words are read in place of its segments.
  var readsWords: Bool { texts.isEmpty }

  /// Whether a part of that name is chosen.
  func contains(_ name: String?) -> Bool {
    guard let name else { return false }
    if texts.isEmpty { return words.contains(Self.plain(name)) }
    let cue = name.lowercased()
    return texts.contains { cue.contains($0) }
  }

  /// A word without what is around its letters and digits, and in lowercase.
  private static func plain(_ word: String) -> String {
    func isPart(_ character: Character) -> Bool { character.isLetter || character.isNumber }
    guard let first = word.firstIndex(where: isPart), let last = word.lastIndex(where: isPart)
    else { return "" }
    return word[first...last].lowercased()
  }

  /// For people: that nothing was chosen.
  var nothing: String {
    texts.isEmpty
      ? "it has none of the words that are to be removed" : "no cue contains the text to keep"
  }
}

/// The edges of chosen cues, moved to where it is quietest.
struct QuietEdges: Sendable {
  /// The parts as they are cut.
  var parts: [EditList.Part]
  /// Each edge that was looked at: as stated, and as cut.
  var edges: [(stated: MediaTime, moved: MediaTime)] = []

  /// - Parameter quietest: the quietest instants near others.
  init(
    _ stated: [EditList.Part],
    quietest: ([MediaTime]) throws(PlayedMedia.Failure) -> [MediaTime]
  ) throws(PlayedMedia.Failure) {
    parts = stated
    let times = stated.flatMap { [$0.range.start, $0.range.end] }
    let moved = try quietest(times)
    guard moved.count == times.count else { return }
    for index in parts.indices {
      let (start, end) = (moved[2 * index], moved[2 * index + 1])
      // A word that is shorter than what its edges may move keeps them.
      guard start < end, let range = MediaTimeRange(from: start, to: end) else { continue }
      edges += [(times[2 * index], start), (times[2 * index + 1], end)]
      parts[index].range = range
    }
  }

  /// In JSON.
  var record: JSONValue {
    .array(
      edges.map { .object(["stated": .time($0.stated), "cut": .time($0.moved)]) })
  }
}
