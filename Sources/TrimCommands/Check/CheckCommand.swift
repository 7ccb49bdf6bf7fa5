import CommandLineKit
import ExactTime
import MediaEngine
import MediaFacts
import Trimming

/// `trim check FILE…`: the length rule, and what a file must not contain, as a gate.
struct CheckCommand: Sendable {
  var selection: FileSelection
  var options: ProbeOptions
  var format: OutputFormat
  var limit: LengthLimit
  /// The range to check in each named file, if one follows its name.
  private var parts: [PartExpression?]
  /// What a file must not contain.
  private let unwanted: FindOptions?

  init(_ parsed: ParsedArguments) throws(UsageError) {
    selection = try FileSelection(parsed, command: "check")
    parts = try selection.splitParts(command: "check")
    options = try ProbeOptions(parsed, command: "check")
    options.needsLength = true
    format = try OutputFormat(parsed, command: "check")
    limit = try LengthLimit(parsed, command: "check")
    unwanted = try ContentGate.options(parsed, command: "check")
  }

  func run(in tool: Tool, console: Console) throws(UsageError) -> ExitStatus {
    let page = FactsPage(
      content: .check, format: format, isSeveral: selection.isSeveral, limit: limit,
      traits: console.outTraits, isPlain: console.isPlain)
    var run = ProbeRun(
      tool: tool, console: console, selection: selection, options: options, page: page)
    run.parts = parts
    if let unwanted {
      run.look = {
        [engine = tool.engine, interruption = tool.interruption, options]
        (input, facts, part) throws(MediaError) in
        try ContentGate.content(
          of: input, facts, part, unwanted, with: engine,
          deadline: options.timeout.map { .now + $0 }, isCancelled: { interruption() != 0 })
      }
    }
    var report = RowReport(console: console, page: page)
    // The exit status is the largest of all files: a file that could not be checked outweighs an
    // invalid one.
    var worst = ExitStatus.success
    let listFailure = try run.outcomes { outcome in
      worst = max(worst, outcome.status)
      report.add(outcome)
      return console.out.failure == nil
    }
    report.finish()
    return max(worst, listFailure ?? .success)
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
        "The limits contradict each other: no length is at least \(least) s and under \(most) s.",
        command: command)
    }
    self.init(minimum: least, maximum: most)
  }

  /// The environment variable with the limit for `check`, `play`, `edit` and `studio` when no
  /// option sets it.
  static let variable = "TRIM_MAX_LENGTH"

  private static func longest(
    _ value: ArgumentText, _ command: String
  ) throws(UsageError) -> MediaDuration? {
    if let text = value.text, isNone(text) { return nil }
    return try LengthArgument.parse(value, option: "max-length", command: command)
  }
}
