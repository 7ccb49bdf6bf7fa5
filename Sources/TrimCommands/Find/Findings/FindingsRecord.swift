import CommandLineKit
import Detection
import ExactTime

/// The JSON of what was found: everywhere the same.
enum FindingsRecord {
  /// The columns that a batch row also contains.
  static func columns(_ found: Findings) -> [JSONValue.Member] {
    JSONValue.members([
      "range": range(found.range),
      "tracks": .array(found.tracks.map { .integer($0) }),
      "thresholds": thresholds(found),
      "findings": .array(found.findings.map(finding)),
      "not_examined": .array(
        found.unseen.map {
          .object([
            "from": .time($0.range.start), "to": .time($0.range.end), "track": .integer($0.track),
          ])
        }),
      "not_looked_for": .array(
        found.missing.flatMap { one in
          one.kinds.map {
            .object([
              "kind": .string($0.rawValue), "reason": .string(one.reason),
              "message": .string(ForeignText.shown(one.message)),
            ])
          }
        }),
    ])
  }

  static func range(_ range: MediaTimeRange) -> JSONValue {
    .object(["from": .time(range.start), "to": .time(range.end)])
  }

  static func finding(_ finding: Finding) -> JSONValue {
    .object([
      "kind": .string(finding.kind.rawValue), "from": .time(finding.range.start),
      "to": .time(finding.range.end), "length": .time(try? finding.range.checkedLength()),
      "score": finding.hundredths.map { .number(text($0)) } ?? .null,
      "channel": .optional(finding.channel),
    ])
  }

  /// With up to two decimals.
  static func text(_ hundredths: Int64) -> String {
    let rest = abs(hundredths % 100)
    let sign = hundredths < 0 ? "-" : ""
    return "\(sign)\(abs(hundredths / 100))"
      + (rest == 0 ? "" : rest < 10 ? ".0\(rest)" : ".\(rest)")
  }

  /// The thresholds of what was looked for.
  private static func thresholds(_ found: Findings) -> JSONValue {
    let options = found.options
    return .object(
      Finding.Kind.allCases.filter(options.kinds.contains).map { kind in
        var members: [JSONValue.Member] = []
        if let shortest = options.shortest[kind] {
          members += JSONValue.members(["shortest": .time(shortest)])
        }
        switch kind {
        case .silence:
          members += JSONValue.members([
            "level_dbfs": found.quiet.map { .number($0.shown) } ?? .null,
            "below_loudness_db": options.silenceLevel.isRelative
              ? .number(options.silenceLevel.level.shown) : .null,
            "channels": .string(FindOptions.channels[options.isPerChannel ? 1 : 0]),
            "window": .time(MediaDuration(1, 100)),
          ])
        case .black:
          members += JSONValue.members([
            "level": .integer(Int(BlackDetector.level)),
            "most_light_percent": .integer(BlackDetector.mostLight),
          ])
        case .still:
          members += JSONValue.members(["most_difference": .integer(StillDetector.most)])
        case .scene:
          members += JSONValue.members([
            "least_difference": .integer(SceneDetector.least),
            "ratio": .number("\(SceneDetector.ratio)"),
            "window_frames": .integer(SceneDetector.reach),
            "fast": .bool(options.isFast),
          ])
        case .fade:
          members += JSONValue.members([
            "most_deviation": .integer(FadeDetector.mostDeviation),
            "least_frames": .integer(FadeDetector.leastFrames),
            "least_rise": .integer(FadeDetector.leastRise),
            "least_linear_percent": .integer(FadeDetector.leastLinear),
          ])
        }
        return JSONValue.Member(key: kind.rawValue, value: .object(members))
      })
  }
}

extension AudioLevel {
  /// In dBFS, as text.
  var shown: String {
    let (whole, rest) = (tenths / 10, abs(tenths % 10))
    let sign = tenths < 0 && whole == 0 ? "-" : ""
    return sign + (rest == 0 ? "\(whole)" : "\(whole).\(rest)")
  }
}
