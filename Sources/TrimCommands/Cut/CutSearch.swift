import CommandLineKit
import Detection
import EditLists
import ExactTime
import MediaEngine
import Trimming

/// What a cut looks for in its file: `--remove silence`, `--split scenes`.
struct CutSearch: Sendable, Equatable {
  var options: FindOptions
  /// The kinds that are removed; maybe none.
  var removed: Set<Finding.Kind>
  /// What separates the parts.
  var split: Finding.Kind?
  /// Whether the parts are chapters of one file.
  var makesChapters: Bool
  /// How much stays at both ends of what is removed.
  var margin: MediaDuration
  /// What is left between two findings is removed if it is shorter.
  var leastKept: MediaDuration

  static let usualMargin = "0.1"
  /// What `--split` takes.
  static let dividers: [Finding.Kind] = [.scene, .black, .silence, .fade]

  /// - Returns: `nil` if nothing is looked for.
  init?(_ parsed: ParsedArguments, removing kinds: [Finding.Kind], command: String)
    throws(UsageError)
  {
    removed = Set(kinds)
    split = parsed.last("split")?.text.flatMap { word in
      Self.dividers.first { $0.option == word }
    }
    makesChapters = parsed.has("as-chapters")
    func refusal(_ option: String, _ needed: String) -> UsageError {
      UsageError("'--\(option)' applies only with '\(needed)'.", command: command)
    }
    if makesChapters, split == nil { throw refusal("as-chapters", "--split") }
    for option in ["margin", "min-keep"] where parsed.last(option) != nil && kinds.isEmpty {
      throw refusal(option, "--remove silence', '--remove black' or '--remove still")
    }
    for option in ["join", "separate"] where split != nil && parsed.has(option) {
      throw UsageError(
        "'--split' and '--\(option)' cannot be used together.", command: command)
    }
    margin = try LengthArgument.parse(
      parsed.last("margin") ?? ArgumentText(Self.usualMargin), option: "margin", command: command,
      allowsZero: true)
    leastKept = try LengthArgument.parse(
      parsed.last("min-keep") ?? "0", option: "min-keep", command: command, allowsZero: true)
    let looked = removed.union(split.map { [$0] } ?? [])
    options = try FindOptions(
      parsed, kinds: looked, command: command,
      needed: { $0 == .scene ? "--split scenes" : "--remove \($0.rawValue)" })
    guard !looked.isEmpty else { return nil }
  }

  /// Whether several files may be written.
  var makesFiles: Bool { split != nil && !makesChapters }

  /// What a word after `--remove` finds; `nil` for a range.
  static func kind(_ word: ArgumentText, command: String) throws(UsageError) -> Finding.Kind? {
    guard let text = word.text,
      let kind = Finding.Kind.allCases.first(where: { [$0.option, $0.rawValue].contains(text) })
    else { return nil }
    guard kind != .scene else {
      throw UsageError(
        "Every frame is in a scene, so '--remove \(text)' would leave nothing: "
          + "'--split scenes' writes each scene to a file.", command: command)
    }
    return kind
  }

  /// What is removed of some parts.
  func removals(_ found: Findings, in parts: [MediaTimeRange]) throws(ExactTimeError)
    -> [MediaTimeRange]
  {
    let ranges = found.findings.filter { removed.contains($0.kind) }.map(\.range)
    var removals: [MediaTimeRange] = []
    for part in parts {
      removals += try FoundRanges.removals(
        ranges, of: part, margin: margin, leastKept: leastKept)
    }
    return removals
  }

  /// Where parts are separated: where scenes begin, and in the middle of what else is found.
  ///
  /// Chapters also begin before a part that something between two parts leads to.
  ///
  /// - Parameter frames: when frames begin; where one does within a finding, its beginning separates.
  func splits(
    _ found: Findings, in parts: [MediaTimeRange], frames: FrameStarts?
  ) throws(ExactTimeError) -> [MediaTime] {
    guard let split else { return [] }
    var instants: [MediaTime] = []
    for (number, range) in found.ranges(of: split).enumerated() {
      guard split != .scene else {
        if number > 0 { instants.append(range.start) }
        continue
      }
      instants.append(
        try FoundRanges.seam(in: range) { time in
          frames.flatMap { frames in
            (try? frames.frame(atOrAfter: time)).flatMap { try? frames.start(ofFrame: $0) }
          }
        })
    }
    var leading: [MediaTime] = []
    for part in parts where makesChapters {
      guard let place = instants.last(where: { $0 <= part.start }), place > found.range.start,
        !parts.contains(where: { place <= $0.start && $0.start < part.start })
      else { continue }
      leading.append(place)
    }
    return instants.filter { place in
      leading.contains(place) || parts.contains { $0.start < place && place < $0.end }
    }
  }
}

/// What was found for a cut, and what follows from it.
struct CutFindings: Sendable, Equatable {
  var search: CutSearch
  var found: Findings
  /// What is removed because of it.
  var removals: [MediaTimeRange] = []
  /// Where parts are separated because of it.
  var splits: [MediaTime] = []

  /// The parts, separated.
  func divided(_ parts: [MediaTimeRange]) -> [MediaTimeRange] {
    parts.flatMap { FoundRanges.pieces(of: $0, at: splits) }
  }

  /// The chapters that the file gets in place of its own; `nil` if it keeps them.
  var chapters: [CutRequest.Chapter]? {
    guard search.makesChapters else { return nil }
    let name = search.split == .scene ? "Scene" : "Part"
    return ([found.range.start] + splits).enumerated().map { number, start in
      CutRequest.Chapter(start: start, title: "\(name) \(number + 1)")
    }
  }

  /// In JSON; the columns of `trim find`, and what was made of them.
  var record: JSONValue {
    .object(
      FindingsRecord.columns(found)
        + JSONValue.members([
          "margin": search.removed.isEmpty ? .null : .time(search.margin),
          "min_keep": search.removed.isEmpty ? .null : .time(search.leastKept),
          "removed": .array(removals.map(FindingsRecord.range)),
          "split_at": .array(splits.map { .time($0) }),
        ]))
  }

  /// For people: what was found, and what it means for the cut.
  var sentences: [String] {
    var sentences: [String] = []
    if !search.removed.isEmpty {
      let count = found.findings.count { search.removed.contains($0.kind) }
      let length = (try? RangeSet(removals).checkedLength())?.seconds ?? .zero
      sentences.append(
        count == 0
          ? "nothing to remove was found"
          : "found to remove: \(CountText.of(count, "finding")); "
            + "\(DecimalText.fixed(length, places: 3)) s removed, "
            + "with a margin of \(DecimalText.shortest(search.margin.seconds)) s")
    }
    if search.split != nil {
      sentences.append(
        splits.isEmpty
          ? "nothing to split at was found"
          : "split at \(CountText.of(splits.count, "place"))"
            + (search.makesChapters ? ", as chapters" : ""))
    }
    return sentences + ["looked for: \(found.options.sentence)"]
  }
}
