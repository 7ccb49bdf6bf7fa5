import CommandLineKit
import Isolation
import MediaEngine
import Synchronization

/// The request to a sealed process for a command's output on a file.
struct FactsReport: Sendable, Codable {
  static let operation = "report"

  private var options: CodedProbeOptions
  private var page: FactsPage

  init(_ options: ProbeOptions, _ page: FactsPage) {
    self.options = CodedProbeOptions(options)
    self.page = page
  }

  /// The operation of a sealed process that produces it.
  static var performing: SealedOperation {
    // Usually the same for consecutive files.
    let known = Mutex<(arguments: JSONValue, report: FactsReport)?>(nil)
    return { work in
      let report = try known.withLock { known throws in
        if let known, known.arguments == work.arguments { return known.report }
        let report = try work.arguments.decoded(as: FactsReport.self)
        known = (work.arguments, report)
        return report
      }
      let reported = report.page.reported(try work.facts(report.options.options), of: work.input)
      return SealedAnswer(
        .object(["status": .integer(Int64(reported.status.code))]), reported.bytes)
    }
  }
}

extension FactsPage {
  /// Checks what a process has reported about a file.
  func reported(_ answer: SealedAnswer) throws(MediaError) -> ReportedFacts {
    guard let status = answer.value["status"]?.exactInteger.flatMap(Int32.init(exactly:)),
      let reported = admitted(ReportedFacts(status: ExitStatus(code: status), bytes: answer.bytes))
    else { throw EngineFailure.invalidAnswer.mediaError }
    return reported
  }
}
