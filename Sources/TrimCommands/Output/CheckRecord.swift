import CommandLineKit
import ExactTime
import MediaEngine
import MediaFacts
import Trimming

/// The JSON of one checked file.
struct CheckRecord {
  var input: MediaInput
  var limit: LengthLimit
  /// What was looked for, and found.
  var content: CheckedContent?

  func row(_ facts: MediaFacts, fillsColumns: Bool) -> JSONValue {
    var members = RecordHead.members(kind: "check", input: input, bytes: facts.byteCount)
    members += columns(of: facts)
    if fillsColumns { members += JSONValue.members(["error": .null]) }
    return .object(members)
  }

  /// The columns that a batch row also contains.
  func columns(of facts: MediaFacts) -> [JSONValue.Member] {
    let presented = facts.durations.presented
    let verdict = presented.map { limit.verdict(on: $0.length) }
    return JSONValue.members([
      "presented": DurationRecord.value(presented),
      "rule": RuleRecord.value(limit, presented?.length),
      "verdict": .string(verdict?.identifier ?? "unknown"),
      "by": .time(verdict?.distance),
      "damage": .array(facts.damage.map(FactsRecord.damage)),
      "unwanted": content?.unwanted ?? .null,
      "found": content?.found ?? .null,
    ])
  }

  /// The exit status; a file that could not be checked outweighs an invalid one.
  static func status(
    of facts: MediaFacts, _ limit: LengthLimit, _ content: CheckedContent? = nil
  ) -> ExitStatus {
    guard facts.damage.isEmpty, let presented = facts.durations.presented else { return .badData }
    return max(
      limit.isValid(presented.length) ? .success : .negative, content?.status ?? .success)
  }

  func row(_ error: MediaError, fillsColumns: Bool) -> JSONValue {
    let columns =
      fillsColumns ? ["presented", "rule", "verdict", "by", "damage", "unwanted", "found"] : []
    return ErrorRecord.row(error, input: input, nullColumns: columns)
  }
}
