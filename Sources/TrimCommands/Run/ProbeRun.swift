import CommandLineKit
import MediaEngine
import MediaFacts

/// The outcome for one input.
struct ProbeOutcome: Sendable {
  var input: MediaInput
  var result: Result<ReportedFacts, MediaError>
  /// What was fetched for it; `nil` where it is no address.
  var cost: RemoteCost?

  var failure: MediaError? {
    if case .failure(let error) = result { error } else { nil }
  }

  var status: ExitStatus {
    switch result {
    case .success(let reported): reported.status
    case .failure(let error): error.exitStatus
    }
  }
}

/// Probes the files of one invocation, several at a time, and delivers the output for each, in
/// order.
struct ProbeRun {
  var tool: Tool
  var console: Console
  var selection: FileSelection
  var options: ProbeOptions
  var page: FactsPage
  /// The range named for each file; `nil` for the whole file.
  var parts: [PartExpression?] = []
  /// What else is looked for in each file.
  var look: Look?

  typealias Look =
    @Sendable (MediaInput, MediaFacts, PartExpression?) throws(MediaError) -> CheckedContent

  private struct Order {
    var input: MediaInput
    var part: PartExpression?
  }

  private struct Read {
    var result: Result<ReportedFacts, MediaError>
    var cost: RemoteCost?
  }

  /// - Parameter emit: returns false to stop.
  /// - Returns: why the list of names ended early, if it did.
  func outcomes(_ emit: (ProbeOutcome) -> Bool) throws(UsageError) -> ExitStatus? {
    let progress = ProgressLine(console: console, isSeveral: selection.isSeveral)
    defer { progress.clear() }
    let engine = tool.engine
    let interruption = tool.interruption
    let workers = selection.isSeveral ? selection.jobs : 1
    let atOnce = selection.list == nil ? min(workers, selection.named.count) : workers
    let report = engine.reportFacts?(options, page, atOnce)
    let read = {
      @Sendable [options, page, look] (order: Order) -> Result<ReportedFacts, MediaError> in
      guard interruption() == 0 else {
        return .failure(MediaError(.cancelled, "the run was interrupted"))
      }
      let follow = { (step: ProbeProgress) -> Bool in
        guard interruption() == 0 else { return false }
        progress.report(step)
        return interruption() == 0
      }
      do throws(MediaError) {
        if order.part == nil, look == nil, let report {
          return .success(try report(order.input, follow))
        }
        let facts = try engine.probe(order.input, options, follow)
        let checked = try look.map { (look) throws(MediaError) in
          try look(order.input, facts, order.part)
        }
        return .success(
          page.reported(facts, of: order.input, part: order.part, checked: checked))
      } catch {
        return .failure(error)
      }
    }
    let work = OrderedWork<Order, Read>(workers: workers) { order in
      let (result, cost) = RemoteFiles.measured([order.input.nameBytes]) { read(order) }
      return Read(result: result, cost: cost)
    }
    do throws(NameReader.Failure) {
      var inputs = InputList(named: selection.named, list: try selection.openList())
      var parts = parts[...]
      try work.run(
        next: { () throws(NameReader.Failure) in
          guard let input = try inputs.next() else { return nil }
          return Order(input: input, part: parts.popFirst() ?? nil)
        },
        emit: { order, read in
          guard interruption() == 0, console.out.failure == nil else { return false }
          progress.fileDone()
          return emit(ProbeOutcome(input: order.input, result: read.result, cost: read.cost))
        })
      return nil
    } catch {
      progress.clear()
      return selection.report(error, on: console)
    }
  }
}
