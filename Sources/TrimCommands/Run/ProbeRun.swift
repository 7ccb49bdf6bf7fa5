import CommandLineKit
import MediaEngine
import MediaFacts

/// What became of one input.
struct ProbeOutcome: Sendable {
  var input: MediaInput
  var result: Result<MediaFacts, ProbeError>
}

/// Probes the files of one call, several at a time, and hands on the outcomes in order.
struct ProbeRun {
  var tool: Tool
  var console: Console
  var selection: FileSelection
  var options: ProbeOptions

  /// - Parameter emit: returns false to stop.
  /// - Returns: why the list of names ended early, if it did.
  func outcomes(_ emit: (ProbeOutcome) -> Bool) throws(UsageError) -> ExitStatus? {
    let progress = ProgressLine(console: console, isSeveral: selection.isSeveral)
    defer { progress.clear() }
    let engine = tool.engine
    let interruption = tool.interruption
    let work = OrderedWork<MediaInput, Result<MediaFacts, ProbeError>>(
      workers: selection.isSeveral ? selection.jobs : 1
    ) { [options] input in
      guard interruption() == 0 else {
        return .failure(ProbeError(.cancelled, "the run was interrupted"))
      }
      do throws(ProbeError) {
        return .success(
          try engine.probe(input, options) { step in
            guard interruption() == 0 else { return false }
            progress.report(step)
            return interruption() == 0
          })
      } catch {
        return .failure(error)
      }
    }
    do throws(NameReader.Failure) {
      var inputs = InputList(named: selection.named, list: try selection.openList())
      try work.run(
        next: { () throws(NameReader.Failure) in try inputs.next() },
        emit: { input, result in
          guard interruption() == 0, console.out.failure == nil else { return false }
          progress.fileDone()
          return emit(ProbeOutcome(input: input, result: result))
        })
      return nil
    } catch {
      progress.clear()
      return selection.report(error, on: console)
    }
  }
}
