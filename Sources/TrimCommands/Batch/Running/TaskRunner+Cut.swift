import CommandLineKit
import ExactTime
import Isolation
import MediaEngine
import MediaFacts
import Trimming

extension TaskRunner {
  func cut(_ parsed: ParsedArguments, within time: Duration) throws(BatchFailure) -> Done {
    let deadline = ContinuousClock.now + time
    let isLate: @Sendable () -> Bool = { ContinuousClock.now >= deadline }
    var options = try Self.options(parsed)
    guard options.parts.count == 1 || options.joins, options.search?.makesFiles != true else {
      throw .badTask(
        "several parts without 'join' would be several files", hint: "Use one task per part.")
    }
    var facts: MediaFacts?
    if (options.parts + options.removals).contains(where: \.needsKeyframes) {
      facts = try self.facts(
        of: options.file.bytes, .ofParts(namingKeyframes: true), within: time)
    }
    do throws(MediaError) {
      let media = try engine.open(.file(path: options.file.bytes), isLate)
      let list = try Self.take(&options, for: media.facts)
      let parts = try parts(of: media, facts ?? media.facts, options, deadline, isLate)
      let order = options.order(
        parts.ranges, chapters: parts.found?.chapters, to: options.output.bytes)
      let record = CutRecord(
        input: .file(path: options.file.bytes), output: options.output.bytes,
        timecodes: parts.timecodes, frameless: parts.frameless, found: parts.found,
        edges: parts.edges)
      var done =
        options.isDryRun
        ? try plan(media, order, options, record)
        : try cut(media, order, options, record, isLate: isLate)
      if let list, case .object(let members) = done.result {
        done.result = .object(members + [JSONValue.Member(key: "list", value: list.record)])
      }
      return done
    } catch {
      throw error.code == .cancelled ? .timedOut : BatchFailure(error)
    }
  }

  /// Adds what a list says, where there is one.
  private static func take(
    _ options: inout CutOptions, for facts: MediaFacts
  ) throws(MediaError) -> CutList? {
    guard let (file, meaning, reading) = options.list else { return nil }
    do throws(PlanFile.Failure) {
      let list = try CutList(reading: file, for: facts, as: meaning, reading)
      do throws(UsageError) {
        try options.take(list)
      } catch {
        throw PlanFile.Failure(message: error.message, status: .usage)
      }
      return list
    } catch {
      throw MediaError(
        error.status == .usage ? .emptyRange : .notCuttable, "the list: \(error.message)")
    }
  }

  private static func options(_ parsed: ParsedArguments) throws(BatchFailure) -> CutOptions {
    do throws(UsageError) {
      return try CutOptions(parsed)
    } catch {
      throw BatchFailure(error)
    }
  }

  private func plan(
    _ media: any Cuttable, _ order: CutOrder, _ options: CutOptions, _ record: CutRecord
  ) throws(MediaError) -> Done {
    let plan: CutPlan
    do throws(MediaError) {
      plan = try media.plan(order)
    } catch {
      throw options.worded(error)
    }
    return Done(
      result: .object(record.columns(plan, report: nil) + CutRecord.executable(plan)),
      bytes: media.facts.byteCount)
  }

  private func cut(
    _ media: any Cuttable, _ order: CutOrder, _ options: CutOptions, _ record: CutRecord,
    isLate: () -> Bool
  ) throws(MediaError) -> Done {
    let report: CutReport
    do throws(MediaError) {
      report = try media.cut(order) { _ in !isLate() }
    } catch {
      throw options.worded(error)
    }
    let bytes = JSONValue.Member(key: "bytes", value: .integer(report.byteCount))
    return Done(
      result: .object([bytes] + record.columns(report.plan, report: report)),
      bytes: media.facts.byteCount)
  }

  private func parts(
    of media: any Cuttable, _ facts: MediaFacts, _ options: CutOptions,
    _ deadline: ContinuousClock.Instant, _ isLate: @escaping @Sendable () -> Bool
  ) throws(MediaError) -> ResolvedParts {
    do throws(PlayedMedia.Failure) {
      return try ResolvedParts(
        options, of: media, facts, named: "", with: engine, deadline: deadline,
        isCancelled: isLate)
    } catch {
      // What cannot be looked for, and what ran out of time, keep their code.
      guard error.code == "usage" else {
        throw MediaError(MediaErrorCode(rawValue: error.code), error.message, hint: error.hint)
      }
      throw MediaError(error.status == .usage ? .emptyRange : .notCuttable, error.message)
    }
  }
}
