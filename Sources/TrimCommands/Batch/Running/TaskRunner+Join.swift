import CommandLineKit
import ExactTime
import Isolation
import MediaEngine
import MediaFacts
import Trimming

extension TaskRunner {
  func join(_ parsed: ParsedArguments, within time: Duration) throws(BatchFailure) -> Done {
    let deadline = ContinuousClock.now + time
    let isLate: @Sendable () -> Bool = { ContinuousClock.now >= deadline }
    let options: JoinOptions
    do throws(UsageError) {
      options = try JoinOptions(parsed)
    } catch {
      throw BatchFailure(error)
    }
    let files = options.files
    let numbers = files.numbers
    var parts = PartRanges(engine, within: time, of: options.items, isLate)
    var ranges: [(source: Int, range: MediaTimeRange)] = []
    for item in options.items {
      guard let source = numbers[item.file] else { continue }
      ranges.append((source, try range(of: item, &parts)))
    }
    do throws(MediaError) {
      let media = try engine.join(files.map { MediaInput.file(path: $0.bytes) }, isLate)
      let report: CutReport
      do throws(MediaError) {
        report = try media.cut(options.order(ranges)) { _ in !isLate() }
      } catch {
        if let limit = options.limit, let length = error.refusedLength {
          throw limit.refusal(of: length)
        }
        throw error
      }
      let record = JoinRecord(inputs: files.map(\.bytes), output: options.output.bytes)
      return Done(
        result: record.columns(report), bytes: media.facts.byteCount)
    } catch {
      guard error.code != .cancelled else { throw .timedOut }
      guard let source = error.source, files.indices.contains(source) else {
        throw BatchFailure(error)
      }
      // A row names its first file only.
      throw BatchFailure(
        MediaError(
          error.code, "\(ForeignText.shown(files[source].bytes)): \(error.message)",
          hint: error.hint))
    }
  }

  private func range(
    of item: JoinOptions.Item, _ parts: inout PartRanges
  ) throws(BatchFailure) -> MediaTimeRange {
    do throws(PlayedMedia.Failure) {
      return try parts.range(of: item)
    } catch {
      guard error.code != PlayedMedia.Failure.ofPart else {
        throw BatchFailure(
          MediaError(error.status == .usage ? .emptyRange : .notCuttable, error.message))
      }
      throw BatchFailure(
        code: error.code, status: error.status,
        "\(ForeignText.shown(item.file.bytes)): \(error.message)", hint: error.hint)
    }
  }
}

extension JoinRecord {
  /// What a batch row contains of it.
  fileprivate func columns(_ report: CutReport) -> JSONValue {
    guard case .object(let members) = value(report.plan, report: report) else { return .null }
    let bytes = JSONValue.Member(key: "bytes", value: .integer(report.byteCount))
    return .object(
      [bytes] + members.filter { !["schema", "tool", "kind", "output"].contains($0.key) })
  }
}
