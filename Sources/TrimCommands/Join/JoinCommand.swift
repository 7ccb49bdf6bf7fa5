import CommandLineKit
import ExactTime
import Isolation
import MediaEngine
import MediaFacts
import Trimming

/// `trim join a.mp4 b.mp4#t=5,10 c.mp4 -o all.mp4`.
struct JoinCommand: Sendable {
  private let options: JoinOptions

  /// - Parameter items: those of a list, in place of the files that are named.
  init(_ parsed: ParsedArguments, listed items: [JoinOptions.Item]? = nil) throws(UsageError) {
    options = try JoinOptions(parsed, listed: items)
  }

  func run(in tool: Tool, console: Console) -> ExitStatus {
    let clock = CutClock(options.timeout, in: tool)
    let files = options.files
    let numbers = files.numbers
    var parts = PartRanges(tool.engine, of: options.items, clock.isOver)
    var ranges: [(source: Int, range: MediaTimeRange)] = []
    for item in options.items {
      guard let source = numbers[item.file] else { continue }
      do throws(PlayedMedia.Failure) {
        ranges.append((source, try parts.range(of: item)))
      } catch {
        console.error("\(console.shownOnErr(item.file.bytes)): \(error.message)", hint: error.hint)
        return error.status
      }
    }
    do throws(MediaError) {
      let media = try tool.engine.join(files.map { MediaInput.file(path: $0.bytes) }, clock.isOver)
      try join(media, options.order(ranges), files, console)
      return .success
    } catch {
      var worded = clock.worded(error)
      if let limit = options.limit, let length = error.refusedLength {
        worded = limit.refusal(of: length)
      }
      return fail(worded, files, console)
    }
  }

  private func join(
    _ media: any Cuttable, _ order: CutOrder, _ files: [ArgumentText], _ console: Console
  ) throws(MediaError) {
    let plan = try media.plan(order)
    guard !options.isDryRun else {
      show(plan, nil, files, console)
      return
    }
    let progress = CutProgressLine(console: console)
    defer { progress.clear() }
    let report = try media.cut(
      plan, to: order.output, replaces: order.replaces, keepsFailed: order.keepsFailed
    ) { step in
      progress.report(step)
      return true
    }
    progress.clear()
    show(report.plan, report, files, console)
  }

  private func show(
    _ plan: CutPlan, _ report: CutReport?, _ files: [ArgumentText], _ console: Console
  ) {
    if options.printsJSON {
      let record = JoinRecord(inputs: files.map(\.bytes), output: options.output.bytes)
      console.out.write(JSONWriter.write(record.value(plan, report: report), .indented))
    } else {
      console.out.write(
        CutScreen.text(
          plan, report, output: options.output.bytes, sources: files.map(\.bytes),
          console.outTraits, isPlain: console.isPlain))
    }
  }

  private func fail(
    _ error: MediaError, _ files: [ArgumentText], _ console: Console
  ) -> ExitStatus {
    let input = error.source.flatMap { files.indices.contains($0) ? files[$0] : nil }
    let reporter = CutReporter(
      input: (input ?? options.output).bytes, output: options.output.bytes, console: console)
    return reporter.fail(error)
  }
}
