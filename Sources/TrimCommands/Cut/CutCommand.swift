import ExactTime
import MediaEngine
import MediaFacts
import Trimming

/// `trim cut FILE --from A --to B -o OUT`.
struct CutCommand: Sendable {
  var options: CutOptions

  init(_ parsed: ParsedArguments) throws(UsageError) {
    options = try CutOptions(parsed)
  }

  private var input: MediaInput {
    options.file == "-" ? .standardInput : .file(path: options.file.bytes)
  }

  func run(in tool: Tool, console: Console) -> ExitStatus {
    do throws(CutError) {
      return try cut(in: tool, console: console)
    } catch {
      report(error, on: console)
      return error.exitStatus
    }
  }

  private func cut(in tool: Tool, console: Console) throws(CutError) -> ExitStatus {
    let cutter = FileCutter(isCancelled: { tool.interruption() != 0 })
    let film = try cutter.open(input)
    let name = console.shownOnErr(options.file.bytes)
    let part: MediaTimeRange
    do throws(PlayFilm.Failure) {
      part = try PlayFilm(
        options.part.needsKeyframes ? try keyed(in: tool, film.facts) : film.facts,
        location: name, part: options.part
      ).part
    } catch {
      console.error("\(name): \(error.message)", hint: error.hint)
      return error.status
    }
    let request = CutRequest(
      range: part, mode: options.mode, verification: options.verification)
    let plan = try film.plan(request, for: options.container)
    if let limit = options.limit, !limit.isValid(plan.length) {
      console.error(
        "\(name): the written length is \(DecimalText.shortest(plan.length.seconds)) s: "
          + limit.sentence(on: plan.length))
      return .negative
    }
    guard !options.isDryRun else {
      write(plan, nil, on: console)
      return .success
    }
    let progress = CutProgressLine(console: console)
    defer { progress.clear() }
    let report = try film.cut(
      request, to: options.output.bytes, as: options.container, replaces: options.replaces,
      keepsFailed: options.keepsFailed
    ) { step in
      progress.report(step)
      return true
    }
    progress.clear()
    write(report.plan, report, on: console)
    return .success
  }

  /// The same facts with the keyframes that a time such as `k12` counts.
  private func keyed(in tool: Tool, _ facts: MediaFacts) throws(PlayFilm.Failure) -> MediaFacts {
    do {
      return try tool.engine.probe(input, ProbeOptions(wantsKeyframes: true)) { _ in true }
    } catch {
      throw PlayFilm.Failure(message: error.message, hint: error.hint, status: error.exitStatus)
    }
  }

  private func write(_ plan: CutPlan, _ report: CutReport?, on console: Console) {
    if options.printsJSON {
      let record = CutRecord(
        input: input, output: options.output.bytes, mode: options.mode,
        verification: options.verification)
      console.out.write(JSONWriter.write(record.value(plan, report: report), .indented))
    } else {
      console.out.write(
        CutScreen.text(
          plan, report, output: options.output.bytes, console.outTraits, isPlain: console.isPlain))
    }
  }

  private func report(_ error: CutError, on console: Console) {
    guard error.code != .cancelled else { return }
    let name = error.concernsOutput ? options.output.bytes : options.file.bytes
    console.error(
      "\(console.shownOnErr(name)): \(console.shownOnErr(error.message))",
      hint: error.hint.map { console.shownOnErr($0) })
  }
}

extension CutError {
  /// True where the file that was to be written is what the sentence is about.
  var concernsOutput: Bool {
    [
      .outputExists, .sameFile, .cannotCreate, .writeFailed, .verificationFailed,
      .codecDoesNotFit,
    ].contains(code)
  }

  var exitStatus: ExitStatus {
    switch code {
    case .emptyRange, .unknownContainer: .usage
    case .tooLong: .negative
    case .codecDoesNotFit, .notCuttable, .damaged: .badData
    case .codecMissing: .unavailable
    case .verificationFailed, .internalError: .software
    case .inputChanged: .temporaryFailure
    case .outputExists, .sameFile, .cannotCreate: .cannotCreate
    case .permissionDenied: .noPermission
    case .writeFailed: .ioError
    default: ProbeError(.init(rawValue: code.rawValue), message).exitStatus
    }
  }
}
