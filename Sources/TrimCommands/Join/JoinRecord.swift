import CommandLineKit
import ExactTime
import MediaEngine
import MediaFacts
import Trimming

/// The JSON of one join, planned or done: that of a cut, with what happens to each source.
struct JoinRecord {
  var inputs: [[UInt8]]
  var output: [UInt8]

  /// - Parameter report: `nil` for a plan that was not executed.
  func value(_ plan: CutPlan, report: CutReport?) -> JSONValue {
    let cut = CutRecord(input: .file(path: inputs[0]), output: output)
    var members = RecordHead.members(kind: report == nil ? "join_plan" : "join")
    members += RecordHead.members(inputs: inputs)
    members += cut.written(report) + cut.settings(plan)
    members += JSONValue.members(["parts": .array(parts(of: plan))])
    // Ranges of several files have no common timeline.
    members += cut.outcome(plan, report: report) { track in
      .object(CutRecord.members(of: track).filter { !["from", "to"].contains($0.key) })
    }
    return .object(members)
  }

  /// The map of source and output times, and what is copied and what is re-encoded of each part.
  private func parts(of plan: CutPlan) -> [JSONValue] {
    var offset = MediaTime.zero
    return plan.parts.map { part in
      let start = offset
      offset = (try? offset.advanced(by: part.length)) ?? offset
      return .object([
        "source": .integer(part.source),
        "from": .time(part.requested.start), "to": .time(part.requested.end),
        "written_from": .time(part.start),
        "written_to": .time(try? part.start.advanced(by: part.length)),
        "output_from": .time(start), "output_to": .time(offset),
        "tracks": .array(part.tracks.map { track($0, plan) }),
      ])
    }
  }

  private func track(_ track: PartPlan.Track, _ plan: CutPlan) -> JSONValue {
    let reported = plan.tracks.first { $0.index == track.source }
    let work = SourceWork(track)
    return .object([
      "index": .integer(track.source), "type": .optional(reported?.kind.rawValue),
      "copied": .integer(work.copied), "encoded": .integer(work.encoded),
      "reason": .optional(track.video?.reason?.rawValue),
      "difference": .optional(track.difference),
    ])
  }
}
