import CommandLineKit
import ExactTime
import MediaFacts

/// The five durations in JSON, always all of them.
enum DurationRecord {
  static func members(_ durations: Durations) -> [JSONValue.Member] {
    DurationKind.allCases.map { kind in
      JSONValue.Member(key: kind.rawValue, value: value(durations[kind]))
    }
  }

  static func value(_ fact: DurationFact?) -> JSONValue {
    guard let fact else { return .null }
    return .object([
      "value": .string(fact.length.description),
      "seconds": .number(DecimalText.shortest(fact.length.seconds)),
      "start": .time(fact.start),
      "source": .string(fact.source.rawValue),
      "track": .optional(fact.trackID),
    ])
  }
}
