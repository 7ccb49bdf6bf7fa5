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

  /// - Parameter report: `nil` for a plan that was not executed.
  func tell(
    _ plan: CutPlan, _ report: CutReport?, of source: MediaInput, asJSON: Bool,
    layout: JSONWriter.Layout = .indented
  ) {
    if asJSON {
      let record = CutRecord(
        input: source, output: output, timecodes: timecodes, frameless: frameless)
      console.out.write(JSONWriter.write(record.value(plan, report: report), layout))
    } else {
      console.out.write(
        CutScreen.text(
          plan, report, output: output, timecodes: timecodes, frameless: frameless,
          console.outTraits,
          isPlain: console.isPlain))
    }
  }

  func fail(_ error: CutError) -> ExitStatus {
    if error.code != .cancelled {
      let name = error.concernsOutput ? output : input
      // General advice for an error code is about the input.
      let advice = error.concernsOutput ? nil : error.code.advice
      var hint = (error.hint ?? advice).map { console.shownOnErr($0) }
      if error.code == .verificationFailed, let words = hint {
        hint = words + " --keep-failed keeps the file."
      }
      console.error(
        "\(console.shownOnErr(name)): \(console.shownOnErr(error.message))", hint: hint)
    }
    return error.exitStatus
  }
}
