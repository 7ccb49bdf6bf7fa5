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

  func run(in tool: Tool, console: Console) -> ExitStatus {
    let name = console.shownOnErr(options.file.bytes)
    do throws(CutError) {
      let cutter = FileCutter(isCancelled: { tool.interruption() != 0 })
      let film = try cutter.open(.file(path: options.file.bytes))
      let part: MediaTimeRange
      do throws(PlayFilm.Failure) {
        part = try PlayFilm(film.facts, location: name, part: options.part).part
      } catch {
        console.error("\(name): \(error.message)", hint: error.hint)
        return error.status
      }
      var request = CutRequest(range: part, mode: options.mode, audio: options.audio)
      request.verification = options.verification
      let plan = try film.plan(request, for: options.container)
      if let limit = options.limit, !limit.isValid(plan.length) {
        console.error("\(name): \(limit.sentence(on: plan.length))")
        return .negative
      }
      if options.isDryRun {
        console.out.write(CutScreen.text(plan, console.outTraits, isPlain: console.isPlain))
        return .success
      }
      let report = try film.cut(
        request, to: options.output.bytes, as: options.container, replaces: options.replaces,
        keepsFailed: options.keepsFailed)
      console.out.write(CutScreen.text(report.plan, console.outTraits, isPlain: console.isPlain))
      return .success
    } catch {
      console.error("\(name): \(console.shownOnErr(error.message))", hint: error.hint)
      return error.exitStatus
    }
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
