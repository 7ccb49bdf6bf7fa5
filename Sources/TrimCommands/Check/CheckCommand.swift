import CommandLineKit
import ExactTime
import MediaEngine
import MediaFacts
import Trimming

/// `trim check FILE…`: the length rule as a gate.
struct CheckCommand: Sendable {
  var selection: FileSelection
  var options: ProbeOptions
  var format: OutputFormat
  var limit: LengthLimit
  /// What is judged of each named file, where a range stands behind its name.
  private var parts: [PartExpression?] = []

  init(_ parsed: ParsedArguments) throws(UsageError) {
    selection = try FileSelection(parsed, command: "check")
    for (place, file) in selection.named.enumerated() {
      let (path, part) = try PlayInput.split(file, command: "check")
      selection.named[place] = ArgumentText(bytes: path)
      parts.append(part)
    }
    options = try ProbeOptions(parsed, command: "check")
    format = try OutputFormat(parsed, command: "check")
    limit = try LengthLimit(parsed, command: "check")
  }

  func run(in tool: Tool, console: Console) throws(UsageError) -> ExitStatus {
    let run = ProbeRun(tool: tool, console: console, selection: selection, options: options)
    var report = RowReport(console: console, format: format, isSeveral: selection.isSeveral)
    var worst = ExitStatus.success
    var place = 0
    let listFailure = try run.outcomes { outcome in
      let outcome = place < parts.count ? outcome.reduced(to: parts[place]) : outcome
      place += 1
      worst = max(worst, status(of: outcome))
      report.add(
        row(outcome), failure: outcome.failure, name: outcome.input.nameBytes, isBrief: true
      ) { traits in
        guard case .success(let facts) = outcome.result else { return "" }
        return screen(facts, name: outcome.input.nameBytes, traits, isPlain: console.isPlain)
      }
      return console.out.failure == nil
    }
    report.finish()
    return max(worst, listFailure ?? .success)
  }

  /// The largest of all files' statuses is the run's: what could not be judged outweighs a no.
  private func status(of outcome: ProbeOutcome) -> ExitStatus {
    switch outcome.result {
    case .failure(let error): return error.exitStatus
    case .success(let facts): return CheckRecord.status(of: facts, limit)
    }
  }

  private func row(_ outcome: ProbeOutcome) -> JSONValue {
    let record = CheckRecord(input: outcome.input, limit: limit)
    switch outcome.result {
    case .success(let facts): return record.row(facts, fillsColumns: format == .lines)
    case .failure(let error): return record.row(error, fillsColumns: format == .lines)
    }
  }

  private func screen(
    _ facts: MediaFacts, name: [UInt8], _ traits: StreamTraits, isPlain: Bool
  ) -> String {
    var sheet = Sheet(traits: traits, isPlain: isPlain)
    let file = sheet.foreign(name)
    if let presented = facts.durations.presented?.length {
      let seconds = DecimalText.fixed(presented.seconds, places: 3)
      sheet.row(
        "\(file): \(limit.sentence(on: presented)); presented \(seconds) s",
        limit.isValid(presented) ? .good : .bad)
    } else {
      sheet.row("\(file): UNKNOWN: the presented duration cannot be known", .bad)
    }
    for damage in facts.damage.prefix(5) {
      sheet.row("\(file): DAMAGED: \(sheet.foreign(damage.text, cells: 400))", .bad)
    }
    return sheet.text
  }
}

extension LengthLimit {
  /// `--max-length` and `--min-length`.
  init(_ parsed: ParsedArguments, command: String) throws(UsageError) {
    let standard = Self.standard
    var (least, most) = (standard.minimum, standard.maximum)
    if let value = parsed.last("max-length") {
      most = try Self.longest(value, command)
    } else if let value = parsed.last(Self.variable) {
      do throws(UsageError) {
        most = try Self.longest(value, command)
      } catch {
        throw UsageError(
          "The variable \(Self.variable) is '\(value.shown)': a length such as 60.5 or 1:30, "
            + "or none, is expected.", command: command)
      }
    }
    if let value = parsed.last("min-length") {
      least = try LengthArgument.parse(
        value, option: "min-length", command: command, allowsZero: true)
    }
    if let most, most <= least {
      throw UsageError(
        "No length is at least \(least) s and under \(most) s.", command: command)
    }
    self.init(minimum: least, maximum: most)
  }

  /// Changes what `check`, `play`, `edit` and `studio` judge by, where no option does.
  static let variable = "TRIM_MAX_LENGTH"

  private static func longest(
    _ value: ArgumentText, _ command: String
  ) throws(UsageError) -> MediaDuration? {
    if let text = value.text, isNone(text) { return nil }
    return try LengthArgument.parse(value, option: "max-length", command: command)
  }
}

extension ProbeOutcome {
  /// The same, as if a file held only that part of what it presents.
  fileprivate func reduced(to part: PartExpression?) -> ProbeOutcome {
    guard let part, case .success(var facts) = result, var fact = facts.durations.presented,
      let whole = MediaTimeRange(from: .zero, to: MediaTime(seconds: fact.length.seconds))
    else { return self }
    let context = TimelineContext(presented: whole)
    let from = (try? part.from?.resolve(in: context)) ?? whole.start
    var to = whole.end
    if case .to(let end) = part.end { to = min((try? end.resolve(in: context)) ?? to, whole.end) }
    fact.start = fact.start.flatMap { try? $0.advanced(by: MediaDuration(seconds: from.seconds)) }
    fact.length = from < to ? ((try? to.distance(from: from)) ?? .zero) : .zero
    facts.durations.presented = fact
    return ProbeOutcome(input: input, result: .success(facts))
  }
}
