import CommandLineKit
import Detection
import ExactTime
import MediaEngine
import MediaFacts

/// `--no-black` and `--no-silence`: what a checked file must not contain.
enum ContentGate {
  static let kinds: [Finding.Kind] = [.black, .silence]

  /// - Returns: what is looked for; `nil` if nothing is.
  static func options(
    _ parsed: ParsedArguments, command: String
  ) throws(UsageError) -> FindOptions? {
    let asked = kinds.filter { parsed.last("no-\($0.option)") != nil }
    var options = try FindOptions(
      parsed, kinds: Set(asked), command: command, needed: { "--no-\($0.option)" })
    for kind in asked {
      let option = "no-\(kind.option)"
      options.shortest[kind] = try parsed.last(option).map { (value) throws(UsageError) in
        try LengthArgument.parse(value, option: option, command: command, allowsZero: true)
      }
    }
    return asked.isEmpty ? nil : options
  }

  /// Looks in one file.
  ///
  /// - Parameter deadline: `nil` for the usual time.
  static func content(
    of input: MediaInput, _ facts: MediaFacts, _ part: PartExpression?, _ options: FindOptions,
    with engine: EnginePort, deadline: ContinuousClock.Instant? = nil,
    isCancelled: @escaping @Sendable () -> Bool
  ) throws(MediaError) -> CheckedContent {
    guard case .file(let path) = input else {
      throw MediaError(
        .needsSeeking, "standard input is read only once, so nothing can be looked for in it",
        hint: "Name a file.")
    }
    let named = part.flatMap { NamedPart($0, of: facts) }
    let range = named.flatMap { part in
      part.end.flatMap { MediaTimeRange(from: part.start, to: $0) }
    }
    guard var media = DrawnMedia(path, facts, part: range) else {
      throw MediaError(.damaged, "the presented duration cannot be determined")
    }
    // A part outside the file contains nothing.
    guard media.part.start < media.part.end else {
      return CheckedContent(Findings(media.part, options))
    }
    media.deadline = deadline ?? media.deadline
    do throws(PlayedMedia.Failure) {
      return CheckedContent(
        try engine.findings(in: media, options: options, isCancelled: isCancelled))
    } catch {
      throw MediaError(MediaErrorCode(rawValue: error.code), error.message, hint: error.hint)
    }
  }
}

extension CheckedContent {
  init(_ found: Findings) {
    self.init(
      status: found.gateStatus, unwanted: found.unwantedRecord,
      found: .object(FindingsRecord.columns(found)),
      sentences: found.unwantedSentences + found.gaps)
  }
}

extension Findings {
  /// A file that could not be looked at everywhere outweighs one that has what it must not.
  fileprivate var gateStatus: ExitStatus {
    if !missing.isEmpty || !unseen.isEmpty { return .badData }
    return findings.isEmpty ? .success : .negative
  }

  /// Of each kind that a file must not contain and does, all findings and the longest.
  private var unwanted: [(kind: Finding.Kind, count: Int, longest: MediaTimeRange)] {
    ContentGate.kinds.compactMap { kind in
      let found = ranges(of: kind)
      let longest = found.max { one, other in
        guard let one = try? one.checkedLength(), let other = try? other.checkedLength() else {
          return false
        }
        return one < other
      }
      return longest.map { (kind, found.count, $0) }
    }
  }

  /// In JSON, what a file must not contain and does.
  fileprivate var unwantedRecord: JSONValue {
    .array(
      unwanted.map { one in
        .object([
          "kind": .string(one.kind.rawValue), "count": .integer(one.count),
          "limit": .time(options.shortest[one.kind]),
          "longest": .object([
            "from": .time(one.longest.start), "to": .time(one.longest.end),
            "length": .time(try? one.longest.checkedLength()),
          ]),
        ])
      })
  }

  /// For people: what a file must not contain and does.
  fileprivate var unwantedSentences: [String] {
    unwanted.map { one in
      let length = (try? one.longest.checkedLength())?.seconds ?? .zero
      let others = one.count == 1 ? "" : ", the longest of \(one.count)"
      let limit = DecimalText.shortest((options.shortest[one.kind] ?? .zero).seconds)
      return "\(one.kind.rawValue) for \(DecimalText.fixed(length, places: 3)) s from "
        + "\(DecimalText.clock(one.longest.start.seconds)) to "
        + "\(DecimalText.clock(one.longest.end.seconds))\(others); less than \(limit) s is allowed"
    }
  }
}
