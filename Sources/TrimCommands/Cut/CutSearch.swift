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
  static let dividers: [Finding.Kind] = [.scene, .black, .silence]

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
  ///
  /// Findings that overlap or touch are one. Its ends move inwards by the margin, except where the part begins
  /// or ends there: nothing is kept beyond.
  func removals(_ found: Findings, in parts: [MediaTimeRange]) throws(ExactTimeError)
    -> [MediaTimeRange]
  {
    let united = RangeSet(found.findings.filter { removed.contains($0.kind) }.map(\.range))
    let back = try MediaDuration.zero.subtracting(margin)
    var removals: [MediaTimeRange] = []
    for part in parts {
      var inPart: [MediaTimeRange] = []
      for range in united.intersection(RangeSet([part])).ranges {
        let start = range.start == part.start ? range.start : try range.start.advanced(by: margin)
        let end = range.end == part.end ? range.end : try range.end.advanced(by: back)
        guard let left = MediaTimeRange(from: start, to: end), !left.isEmpty else { continue }
        if let last = inPart.last, try left.start.distance(from: last.end) < leastKept {
          inPart[inPart.count - 1] = last.union(left)
        } else {
          inPart.append(left)
        }
      }
      removals += inPart
    }
    return removals
  }

  /// Where parts are separated: where scenes begin, and in the middle of what else is found.
  ///
  /// - Parameter frames: when frames begin; where one does within a finding, its beginning separates.
  func splits(_ found: Findings, frames: FrameStarts?) throws(ExactTimeError) -> [MediaTime] {
    guard let split else { return [] }
    let ranges = found.ranges(of: split)
    guard split != .scene else { return ranges.dropFirst().map(\.start) }
    var instants: [MediaTime] = []
    for range in ranges {
      let half = try range.checkedLength().seconds.divided(by: Rational(2))
      let middle = try range.start.advanced(by: MediaDuration(seconds: half))
      let next = frames.flatMap { frames in
        (try? frames.frame(atOrAfter: middle)).flatMap { try? frames.start(ofFrame: $0) }
      }
      instants.append(next.flatMap { $0 < range.end ? $0 : nil } ?? middle)
    }
    return instants
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
    parts.flatMap { part in
      let inside = splits.filter { part.start < $0 && $0 < part.end }
      return zip([part.start] + inside, inside + [part.end]).compactMap {
        MediaTimeRange(from: $0, to: $1)
      }
    }
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
