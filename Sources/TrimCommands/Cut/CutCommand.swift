import CommandLineKit
import ExactTime
import Isolation
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
    if options.pipe != nil, !options.isDryRun,
      let status = PipedCut.refusal(input, console)
    {
      return status
    }
    let clock = CutClock(options.timeout, in: tool)
    var named = self
    do throws(MediaError) {
      let media = try tool.engine.open(input, clock.isOver)
      named.options.nameOutput(holding: media.facts)
      if let status = named.takeList(for: media.facts, console) { return status }
      return try named.cut(media, in: tool, clock, console: console)
    } catch {
      return reporter(named.options.output.bytes, console).fail(clock.worded(error))
    }
  }

  /// Adds what `--cuts` says; returns the exit status if that cannot be done.
  private mutating func takeList(for facts: MediaFacts, _ console: Console) -> ExitStatus? {
    guard let (file, meaning, reading) = options.list else { return nil }
    let list: CutList
    do throws(PlanFile.Failure) {
      list = try CutList(reading: file, for: facts, as: meaning, reading)
    } catch {
      console.error("\(console.shownOnErr(file.bytes)): \(console.shownOnErr(error.message))")
      return error.status
    }
    do throws(UsageError) {
      try options.take(list)
    } catch {
      console.error("\(console.shownOnErr(file.bytes)): \(error.message)")
      return .usage
    }
    if let note = list.rateNote { console.error("\(console.shownOnErr(file.bytes)): \(note)") }
    for place in list.leftOut {
      console.error("\(console.shownOnErr(file.bytes)): left out: \(console.shownOnErr(place))")
    }
    if list.behind > 0 {
      console.error(
        "\(console.shownOnErr(file.bytes)): after the end of the file, and ignored: "
          + CountText.of(list.behind, "part"))
    }
    return nil
  }

  private func cut(
    _ media: any Cuttable, in tool: Tool, _ clock: CutClock, console: Console
  ) throws(MediaError) -> ExitStatus {
    let name = console.shownOnErr(options.file.bytes)
    let parts: ResolvedParts
    do throws(PlayedMedia.Failure) {
      let needsKeyframes = (options.parts + options.removals).contains { $0.needsKeyframes }
      let facts = needsKeyframes ? try keyed(in: tool, media.facts) : media.facts
      parts = try ResolvedParts(
        options, of: media, facts, named: name, with: tool.engine,
        deadline: options.timeout.map { .now + $0 }, isCancelled: clock.isOver)
    } catch {
      console.error("\(name): \(error.message)", hint: error.hint)
      return error.status
    }
    var targets: [Target] = []
    let files = options.targets(ofParts: parts.ranges.count)
    for target in files {
      let order = options.order(
        Array(parts.ranges[target.parts]), chapters: parts.found?.chapters, to: target.path)
      do throws(MediaError) {
        targets.append(
          Target(
            path: target.path, plan: try media.plan(order), parts: parts, isOnly: files.count < 2))
      } catch {
        throw options.worded(error)
      }
    }
    if options.movesSidecars {
      do throws(PlayedMedia.Failure) {
        let sidecars = try Sidecars(beside: options.file.bytes)
        for index in targets.indices {
          targets[index].sidecars = try sidecars.written(
            by: targets[index].plan, beside: targets[index].path, replaces: options.replaces,
            isDryRun: options.isDryRun)
        }
      } catch {
        console.error("\(console.shownOnErr(error.message))", hint: error.hint)
        return error.status
      }
    }
    // None of several files is written if one of the targets already exists.
    for step in options.isDryRun || options.pipe != nil ? [cut] : [check, cut] {
      for target in targets {
        do throws(MediaError) {
          try step(media, target, console)
        } catch {
          return reporter(target.path, console).fail(clock.worded(error))
        }
      }
    }
    return .success
  }

  private func check(
    _ media: any Cuttable, _ target: Target, _ console: Console
  ) throws(MediaError) {
    try media.checkPlace(target.path, replaces: options.replaces)
  }

  /// A file to write.
  private struct Target {
    var path: [UInt8]
    var plan: CutPlan
    var parts: ResolvedParts
    /// Whether it is the only one.
    var isOnly: Bool
    /// What is written besides; `nil` where it was not asked for.
    var sidecars: [Sidecars.Written]?
  }

  private func cut(
    _ media: any Cuttable, _ target: Target, _ console: Console
  ) throws(MediaError) {
    guard !options.isDryRun else {
      show(target.plan, nil, of: target, console)
      return
    }
    let progress = CutProgressLine(console: console)
    defer { progress.clear() }
    guard options.pipe == nil else {
      if let report = try PipedCut.write(target.plan, of: media, to: console.out, progress) {
        reporter(of: target, console).showPipe(report, of: input, asJSON: options.printsJSON)
      }
      return
    }
    let report = try media.cut(
      target.plan, to: target.path, replaces: options.replaces, keepsFailed: options.keepsFailed
    ) { step in
      progress.report(step)
      return true
    }
    progress.clear()
    for sidecar in target.sidecars ?? [] {
      do throws(PlayedMedia.Failure) {
        try sidecar.publish()
      } catch {
        throw MediaError(.writeFailed, "the cut is written, its sidecar is not: \(error.message)")
      }
    }
    show(report.plan, report, of: target, console)
  }

  private func reporter(_ output: [UInt8], _ console: Console) -> CutReporter {
    CutReporter(input: options.file.bytes, output: output, console: console)
  }

  private func show(
    _ plan: CutPlan, _ report: CutReport?, of target: Target, _ console: Console
  ) {
    reporter(of: target, console).show(
      plan, report, of: input, asJSON: options.printsJSON,
      layout: target.isOnly ? .indented : .line)
  }

  private func reporter(of target: Target, _ console: Console) -> CutReporter {
    var reporter = reporter(target.path, console)
    (reporter.timecodes, reporter.frameless) = (target.parts.timecodes, target.parts.frameless)
    (reporter.found, reporter.edges) = (target.parts.found, target.parts.edges)
    reporter.sidecars = target.sidecars
    return reporter
  }

  /// The same facts with the keyframes that a time such as `k12` refers to.
  private func keyed(in tool: Tool, _ facts: MediaFacts) throws(PlayedMedia.Failure) -> MediaFacts {
    do {
      return try tool.engine.probe(input, .ofParts(namingKeyframes: true)) { _ in true }
    } catch {
      throw PlayedMedia.Failure(
        message: error.message, hint: error.advice, status: error.exitStatus)
    }
  }
}
