import CommandLineKit
import MediaEngine
import MediaFacts
import Trimming

/// Tells the facts of files: `trim probe FILE…`.
struct ProbeCommand: Sendable {
  var selection: FileSelection
  var options: ProbeOptions
  var format: OutputFormat
  var limit: LengthLimit

  init(_ parsed: ParsedArguments) throws(UsageError) {
    selection = try FileSelection(parsed, command: "probe")
    options = try ProbeOptions(parsed, command: "probe")
    options.wantsKeyframes = parsed.has("keyframes")
    options.wantsFrames = parsed.has("frames")
    format = try OutputFormat(parsed, command: "probe")
    limit = try LengthLimit(parsed, command: "probe")
  }

  func run(in tool: Tool, console: Console) throws(UsageError) -> ExitStatus {
    let run = ProbeRun(tool: tool, console: console, selection: selection, options: options)
    var report = RowReport(console: console, format: format, isSeveral: selection.isSeveral)
    var worst = ExitStatus.success
    let listFailure = try run.outcomes { outcome in
      worst = max(worst, status(of: outcome))
      report.add(row(outcome), failure: outcome.failure, name: outcome.input.nameBytes) { traits in
        guard case .success(let facts) = outcome.result else { return "" }
        return ProbeScreen(
          facts: facts, name: outcome.input.nameBytes, limit: limit, traits: traits,
          isPlain: console.isPlain, listsKeyframes: options.wantsKeyframes,
          listsFrames: options.wantsFrames
        ).text
      }
      return console.out.failure == nil
    }
    report.finish()
    if let listFailure { return listFailure }
    return selection.isSeveral && worst != .success ? .negative : worst
  }

  private func row(_ outcome: ProbeOutcome) -> JSONValue {
    let record = FactsRecord(
      input: outcome.input, limit: limit, listsKeyframes: options.wantsKeyframes,
      listsFrames: options.wantsFrames)
    switch outcome.result {
    case .success(let facts): return record.row(facts, fillsColumns: format == .lines)
    case .failure(let error): return record.row(error, fillsColumns: format == .lines)
    }
  }

  private func status(of outcome: ProbeOutcome) -> ExitStatus {
    switch outcome.result {
    case .success(let facts): facts.damage.isEmpty ? .success : .badData
    case .failure(let error): error.exitStatus
    }
  }
}

extension ProbeOutcome {
  var failure: ProbeError? {
    if case .failure(let error) = result { error } else { nil }
  }
}

extension ProbeOptions {
  init(_ parsed: ParsedArguments, command: String) throws(UsageError) {
    self.init()
    depth = parsed.last("depth")?.text.flatMap(RequestedDepth.init(rawValue:)) ?? .auto
    timeout = try LengthArgument.timeout(parsed, command: command)
  }
}
