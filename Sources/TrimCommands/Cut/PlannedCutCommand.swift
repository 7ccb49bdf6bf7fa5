import CommandLineKit
import Isolation
import MediaEngine
import Trimming

/// `trim cut --plan PLAN [FILE] -o OUT`: executes an existing plan.
struct PlannedCutCommand: Sendable {
  private let plan: ArgumentText
  private let file: ArgumentText?
  private let output: ArgumentText
  private let pipe: PipedCut?
  private let limit: LengthLimit?
  private let replaces: Bool
  private let keepsFailed: Bool
  private let printsJSON: Bool
  private let timeout: Duration?

  /// Options that the plan already determines.
  private static let planned = [
    "from", "to", "for", "keep", "remove", "cuts", "cuts-are", "sources", "ignore-mute", "words",
    "join",
    "separate", "margin", "min-keep", "keep-cues",
    "remove-words", "edge-tolerance", "split", "as-chapters", "silence-level", "silence-for",
    "black-for", "still-for", "mode", "audio",
    "fragmented", "strict-range", "tracks", "verify", "reject-damage", "keep-creation-time",
    "dry-run", "max-bytes", "sidecars",
  ]

  init?(_ parsed: ParsedArguments) throws(UsageError) {
    guard let plan = parsed.last("plan") else { return nil }
    for option in Self.planned where parsed.last(option) != nil || parsed.has(option) {
      throw UsageError(
        "'--plan' and '--\(option)' cannot be used together.", command: CutOptions.command)
    }
    guard let output = parsed.last("output") else {
      throw UsageError("Missing expected option '-o <output>'.", command: CutOptions.command)
    }
    self.plan = plan
    self.output = output
    pipe = try PipedCut(parsed, command: CutOptions.command)
    file = parsed.positionals.first
    replaces = parsed.has("force")
    keepsFailed = parsed.has("keep-failed")
    printsJSON = parsed.has("json")
    timeout = try LengthArgument.timeout(parsed, command: CutOptions.command)
    limit = try LengthLimit(stated: parsed, command: CutOptions.command)
  }

  func run(in tool: Tool, console: Console) -> ExitStatus {
    let read: PlanFile
    do throws(PlanFile.Failure) {
      read = try PlanFile(reading: plan)
    } catch {
      console.error("\(console.shownOnErr(plan.bytes)): \(console.shownOnErr(error.message))")
      return error.status
    }
    guard let name = file?.bytes ?? read.input else {
      console.error("\(console.shownOnErr(plan.bytes)): it does not say which file to cut")
      return .badData
    }
    let clock = CutClock(timeout, in: tool)
    let report = CutReporter(input: name, output: output.bytes, console: console)
    do throws(MediaError) {
      if let limit, !limit.isValid(read.plan.length) {
        throw limit.refusal(of: read.plan.length)
      }
      try check(read.plan)
      let input: MediaInput = name == [UInt8(ascii: "-")] ? .standardInput : .file(path: name)
      if pipe != nil, let status = PipedCut.refusal(input, console) { return status }
      let media = try tool.engine.open(input, clock.isOver)
      let progress = CutProgressLine(console: console)
      defer { progress.clear() }
      guard pipe == nil else {
        if let done = try PipedCut.write(read.plan, of: media, to: console.out, progress) {
          report.showPipe(done, of: input, asJSON: printsJSON)
        }
        return .success
      }
      let done = try media.cut(
        read.plan, to: output.bytes, replaces: replaces, keepsFailed: keepsFailed
      ) { step in
        progress.report(step)
        return true
      }
      progress.clear()
      report.show(done.plan, done, of: input, asJSON: printsJSON)
      return .success
    } catch {
      return report.fail(clock.worded(error))
    }
  }

  /// - Throws: ``MediaError`` where the output cannot be what was planned.
  private func check(_ plan: CutPlan) throws(MediaError) {
    guard OutputContainer(fileName: pipe?.fileName ?? output.bytes) == plan.container else {
      throw MediaError(
        .codecDoesNotFit, "the plan is for a \(plan.container.rules.ending) file",
        hint: pipe == nil
          ? "Use that extension for the output, or plan the cut again."
          : "Use that --type, or plan the cut again.")
    }
    if pipe?.isFragmented == true, !plan.request.isFragmented {
      throw MediaError(
        .codecDoesNotFit, "the plan is for an MP4 file without fragments",
        hint: "Plan the cut again with --fragmented, or name a file.")
    }
  }
}
