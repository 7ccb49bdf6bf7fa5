import CommandLineKit
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
      return report(error, options.output.bytes, on: console)
    }
  }

  private func cut(in tool: Tool, console: Console) throws(CutError) -> ExitStatus {
    let cutter = FileCutter(isCancelled: { tool.interruption() != 0 })
    let film = try cutter.open(input)
    let name = console.shownOnErr(options.file.bytes)
    let parts: [MediaTimeRange]
    do throws(PlayFilm.Failure) {
      parts = try ranges(of: film.facts, named: name, in: tool)
    } catch {
      console.error("\(name): \(error.message)", hint: error.hint)
      return error.status
    }
    var targets: [Target] = []
    for target in options.targets {
      let request = request(Array(parts[target.parts]))
      let plan = try film.plan(request, for: options.container)
      if let limit = options.limit, !limit.isValid(plan.length) {
        console.error(
          "\(name): the written length is \(DecimalText.shortest(plan.length.seconds)) s: "
            + limit.sentence(on: plan.length))
        return .negative
      }
      targets.append(Target(path: target.path, request: request, plan: plan))
    }
    // Of several files none is written where one is in the way.
    for step in options.isDryRun ? [cut] : [check, cut] {
      for target in targets {
        do throws(CutError) {
          try step(film, target, console)
        } catch {
          return report(error, target.path, on: console)
        }
      }
    }
    return .success
  }

  private func check(
    _ film: CutFilm, _ target: Target, _ console: Console
  ) throws(CutError) {
    try film.checkPlace(target.path, replaces: options.replaces)
  }

  /// A file to write.
  private struct Target {
    var path: [UInt8]
    var request: CutRequest
    var plan: CutPlan
  }

  private func ranges(
    of facts: MediaFacts, named name: String, in tool: Tool
  ) throws(PlayFilm.Failure) -> [MediaTimeRange] {
    let needsKeyframes = options.parts.contains { $0.needsKeyframes }
    let facts = needsKeyframes ? try keyed(in: tool, facts) : facts
    var ranges: [MediaTimeRange] = []
    for part in options.parts {
      ranges.append(try PlayFilm(facts, location: name, part: part).part)
    }
    return ranges
  }

  private func request(_ parts: [MediaTimeRange]) -> CutRequest {
    var request = CutRequest(
      range: parts[0], mode: options.mode, verification: options.verification)
    request.isFragmented = options.isFragmented
    request.audio = options.audio
    for part in parts.dropFirst() { request.join(part) }
    return request
  }

  private func cut(
    _ film: CutFilm, _ target: Target, _ console: Console
  ) throws(CutError) {
    guard !options.isDryRun else {
      write(target.plan, nil, target.path, on: console)
      return
    }
    let progress = CutProgressLine(console: console)
    defer { progress.clear() }
    let report = try film.cut(
      target.request, to: target.path, as: options.container, replaces: options.replaces,
      keepsFailed: options.keepsFailed
    ) { step in
      progress.report(step)
      return true
    }
    progress.clear()
    write(report.plan, report, target.path, on: console)
  }

  /// The same facts with the keyframes that a time such as `k12` counts.
  private func keyed(in tool: Tool, _ facts: MediaFacts) throws(PlayFilm.Failure) -> MediaFacts {
    do {
      return try tool.engine.probe(input, ProbeOptions(wantsKeyframes: true)) { _ in true }
    } catch {
      throw PlayFilm.Failure(message: error.message, hint: error.hint, status: error.exitStatus)
    }
  }

  private func write(
    _ plan: CutPlan, _ report: CutReport?, _ path: [UInt8], on console: Console
  ) {
    if options.printsJSON {
      let record = CutRecord(
        input: input, output: path, mode: options.mode, verification: options.verification)
      let layout: JSONWriter.Layout = options.targets.count > 1 ? .line : .indented
      console.out.write(JSONWriter.write(record.value(plan, report: report), layout))
    } else {
      console.out.write(
        CutScreen.text(
          plan, report, output: path, console.outTraits, isPlain: console.isPlain))
    }
  }

  private func report(
    _ error: CutError, _ output: [UInt8], on console: Console
  ) -> ExitStatus {
    if error.code != .cancelled {
      let name = error.concernsOutput ? output : options.file.bytes
      console.error(
        "\(console.shownOnErr(name)): \(console.shownOnErr(error.message))",
        hint: error.hint.map { console.shownOnErr($0) })
    }
    return error.exitStatus
  }
}

extension CutError {
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
