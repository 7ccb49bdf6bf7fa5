import CommandLineKit
import ExactTime
import MediaEngine
import MediaFacts
import Trimming

/// The JSON of one checked file.
struct CheckRecord {
  var input: MediaInput
  var limit: LengthLimit

  func row(_ facts: MediaFacts, fillsColumns: Bool) -> JSONValue {
    let presented = facts.durations.presented
    let verdict = presented.map { limit.verdict(on: $0.length) }
    var members = RecordHead.members(kind: "check", input: input, bytes: facts.byteCount)
    members += JSONValue.members([
      "presented": DurationRecord.value(presented),
      "rule": RuleRecord.value(limit, presented?.length),
      "verdict": .string(verdict?.identifier ?? "unknown"),
      "by": .time(verdict?.distance),
      "damage": .array(facts.damage.map(FactsRecord.damage)),
    ])
    if fillsColumns { members += JSONValue.members(["error": .null]) }
    return .object(members)
  }

  func row(_ error: ProbeError, fillsColumns: Bool) -> JSONValue {
    let columns = fillsColumns ? ["presented", "rule", "verdict", "by", "damage"] : []
    return ErrorRecord.row(error, input: input, nullColumns: columns)
  }
}
