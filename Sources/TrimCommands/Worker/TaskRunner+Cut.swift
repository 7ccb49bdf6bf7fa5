import CommandLineKit
import ExactTime
import MediaEngine
import MediaFacts
import Trimming

extension TaskRunner {
  func cut(_ parsed: ParsedArguments, within time: Duration) throws(BatchFailure) -> Done {
    let deadline = ContinuousClock.now + time
    let isLate: @Sendable () -> Bool = { ContinuousClock.now >= deadline }
    let options = try Self.options(parsed)
    do throws(CutError) {
      let film = try engine.open(.file(path: options.file.bytes), isLate)
      return try cut(film, options, isLate: isLate)
    } catch {
      throw error.code == .cancelled ? .timedOut : BatchFailure(error)
    }
  }

  private static func options(_ parsed: ParsedArguments) throws(BatchFailure) -> CutOptions {
    do throws(UsageError) {
      return try CutOptions(parsed)
    } catch {
      throw BatchFailure(error)
    }
  }

  private func cut(
    _ film: CutFilm, _ options: CutOptions, isLate: () -> Bool
  ) throws(CutError) -> Done {
    let order = options.order([try Self.part(of: film, options)], to: options.output.bytes)
    let report: CutReport
    do throws(CutError) {
      report = try film.cut(order) { _ in !isLate() }
    } catch {
      throw options.worded(error)
    }
    let record = CutRecord(
      input: .file(path: options.file.bytes), output: options.output.bytes)
    let bytes = JSONValue.Member(key: "bytes", value: .integer(report.byteCount))
    return Done(
      result: .object([bytes] + record.columns(report.plan, report: report)),
      bytes: film.facts.byteCount)
  }

  private static func part(
    of film: CutFilm, _ options: CutOptions
  ) throws(CutError) -> MediaTimeRange {
    do throws(PlayFilm.Failure) {
      return try PlayFilm(
        film.facts, location: "", part: options.parts[0], frames: { film.frameStarts }
      ).part
    } catch {
      throw CutError(error.status == .usage ? .emptyRange : .notCuttable, error.message)
    }
  }
}

extension BatchFailure {
  init(_ error: CutError) {
    self.init(
      code: error.code.rawValue, status: error.exitStatus, error.message, hint: error.hint)
  }
}
