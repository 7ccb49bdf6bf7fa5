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
    var ranges: [(source: Int, range: MediaTimeRange)] = []
    for item in options.items {
      guard let source = files.firstIndex(of: item.file) else { continue }
      do throws(PlayedMedia.Failure) {
        ranges.append((source, try range(of: item, in: tool, clock)))
      } catch {
        console.error("\(console.shownOnErr(item.file.bytes)): \(error.message)", hint: error.hint)
        return error.status
      }
    }
    do throws(CutError) {
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
  ) throws(CutError) {
    let plan = try media.plan(order)
    guard !options.isDryRun else {
      tell(plan, nil, files, console)
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
    tell(report.plan, report, files, console)
  }

  private func tell(
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

  /// The part of a file, on its own timeline.
  private func range(
    of item: JoinOptions.Item, in tool: Tool, _ clock: CutClock
  ) throws(PlayedMedia.Failure) -> MediaTimeRange {
    let input = MediaInput.file(path: item.file.bytes)
    let facts: MediaFacts
    do throws(ProbeError) {
      let options = ProbeOptions.ofParts(namingKeyframes: item.part.needsKeyframes)
      facts = try tool.engine.probe(input, options) { _ in !clock.isOver() }
    } catch {
      throw PlayedMedia.Failure(
        message: error.message, hint: error.advice, status: error.exitStatus)
    }
    var frames: FrameStarts?
    if item.part.namesFrames {
      do throws(CutError) {
        frames = try tool.engine.open(input, clock.isOver).frameStarts
      } catch {
        throw PlayedMedia.Failure(
          message: error.message, hint: error.hint, status: error.exitStatus)
      }
    }
    return try PlayedMedia(facts, location: "", part: item.part, frames: frames).part
  }

  private func fail(
    _ error: CutError, _ files: [ArgumentText], _ console: Console
  ) -> ExitStatus {
    let input = error.source.flatMap { files.indices.contains($0) ? files[$0] : nil }
    let reporter = CutReporter(
      input: (input ?? options.output).bytes, output: options.output.bytes, console: console)
    return reporter.fail(error)
  }
}
