import CommandLineKit
import MediaEngine
import Trimming

/// `trim cut --plan PLAN [FILE] -o OUT`: executes an existing plan.
struct PlannedCutCommand: Sendable {
  private let plan: ArgumentText
  private let file: ArgumentText?
  private let output: ArgumentText
  private let limit: LengthLimit?
  private let replaces: Bool
  private let keepsFailed: Bool
  private let printsJSON: Bool
  private let timeout: Duration?

  /// Options that the plan already determines.
  private static let planned = [
    "from", "to", "for", "keep", "remove", "cuts", "cuts-are", "ignore-mute", "words", "join",
    "separate", "mode", "audio",
    "fragmented", "strict-range", "tracks", "verify", "reject-damage", "keep-creation-time",
    "dry-run", "max-bytes",
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
    do throws(CutError) {
      if let limit, !limit.isValid(read.plan.length) {
        throw limit.refusal(of: read.plan.length)
      }
      guard OutputContainer(fileName: output.bytes) == read.plan.container else {
        throw CutError(
          .codecDoesNotFit, "the plan is for a \(read.plan.container.rules.ending) file",
          hint: "Use that extension for the output, or plan the cut again.")
      }
      let input: MediaInput = name == [UInt8(ascii: "-")] ? .standardInput : .file(path: name)
      let media = try tool.engine.open(input, clock.isOver)
      let progress = CutProgressLine(console: console)
      defer { progress.clear() }
      let done = try media.cut(
        read.plan, to: output.bytes, replaces: replaces, keepsFailed: keepsFailed
      ) { step in
        progress.report(step)
        return true
      }
      progress.clear()
      report.tell(done.plan, done, of: input, asJSON: printsJSON)
      return .success
    } catch {
      return report.fail(clock.worded(error))
    }
  }
}
