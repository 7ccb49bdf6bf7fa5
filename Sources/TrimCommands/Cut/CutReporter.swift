import CommandLineKit
import ExactTime
import MediaEngine
import Trimming

/// Reports the outcome of a cut, on both streams.
struct CutReporter {
  var input: [UInt8]
  var output: [UInt8]
  var console: Console
  var timecodes: CutTimecodes?
  /// What is left between removals but not written, since no frame begins in it.
  var frameless: [MediaTimeRange] = []
  /// What was looked for and found.
  var found: CutFindings?
  /// The edges of chosen cues.
  var edges: QuietEdges?
  /// What was written for the output besides; `nil` where it was not asked for.
  var sidecars: [Sidecars.Written]?

  /// - Parameter report: `nil` for a plan that was not executed.
  func show(
    _ plan: CutPlan, _ report: CutReport?, of source: MediaInput, asJSON: Bool,
    layout: JSONWriter.Layout = .indented
  ) {
    if asJSON {
      let record = CutRecord(
        input: source, output: output, timecodes: timecodes, frameless: frameless,
        found: found, edges: edges, sidecars: sidecars)
      console.out.write(JSONWriter.write(record.value(plan, report: report), layout))
    } else {
      console.out.write(
        CutScreen.text(
          plan, report, output: shownOutput, timecodes: timecodes, frameless: frameless,
          found: found, edges: edges, sidecars: sidecars ?? [], console.outTraits,
          isPlain: console.isPlain))
    }
  }

  /// The output as a person reads it.
  private var shownOutput: [UInt8] {
    output == [UInt8(ascii: "-")] ? Array("standard output".utf8) : output
  }

  func fail(_ error: MediaError) -> ExitStatus {
    if error.code != .cancelled {
      let name = error.concernsOutput ? shownOutput : input
      let advice = error.concernsOutput ? error.adviceOfOutput : error.advice
      var hint = advice.map { console.shownOnErr($0) }
      if error.code == .verificationFailed, let words = hint {
        hint = words + " --keep-failed keeps the file."
      }
      console.error(
        "\(console.shownOnErr(name)): \(console.shownOnErr(error.message))", hint: hint)
    }
    return error.exitStatus
  }
}
