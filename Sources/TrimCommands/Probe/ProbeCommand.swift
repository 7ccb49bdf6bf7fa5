import CommandLineKit
import MediaEngine
import Trimming

/// Reports the facts of files: `trim probe FILE…`.
struct ProbeCommand: Sendable {
  var selection: FileSelection
  var options: ProbeOptions
  var format: OutputFormat
  var limit: LengthLimit
  /// The range of each named file, if one follows its name.
  private var parts: [PartExpression?]

  init(_ parsed: ParsedArguments) throws(UsageError) {
    selection = try FileSelection(parsed, command: "probe")
    parts = try selection.splitParts(command: "probe")
    options = try ProbeOptions(parsed, command: "probe")
    options.wantsKeyframes = parsed.has("keyframes")
    options.wantsFrames = parsed.has("frames")
    format = try OutputFormat(parsed, command: "probe")
    limit = try LengthLimit(parsed, command: "probe")
  }

  func run(in tool: Tool, console: Console) throws(UsageError) -> ExitStatus {
    let page = FactsPage(
      content: .probe, format: format, isSeveral: selection.isSeveral, limit: limit,
      listsKeyframes: options.wantsKeyframes, listsFrames: options.wantsFrames,
      traits: console.outTraits, isPlain: console.isPlain)
    var run = ProbeRun(
      tool: tool, console: console, selection: selection, options: options, page: page)
    run.parts = parts
    var report = RowReport(console: console, page: page)
    var worst = ExitStatus.success
    let listFailure = try run.outcomes { outcome in
      worst = max(worst, outcome.status)
      report.add(outcome)
      return console.out.failure == nil
    }
    report.finish()
    if let listFailure { return listFailure }
    return selection.isSeveral && worst != .success ? .negative : worst
  }
}

extension ProbeOptions {
  init(_ parsed: ParsedArguments, command: String) throws(UsageError) {
    self.init()
    depth = parsed.last("depth")?.text.flatMap(RequestedDepth.init(rawValue:)) ?? .auto
    timeout = try LengthArgument.timeout(parsed, command: command)
  }
}
