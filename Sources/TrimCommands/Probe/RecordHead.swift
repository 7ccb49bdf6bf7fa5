import CommandLineKit
import ExactTime
import MediaEngine
import Trimming

/// What the records of all commands have in common.
enum RecordHead {
  /// The version of the schema; only additive changes keep it.
  static let schema = 1

  static func members(kind: String, input: MediaInput, bytes: Int64?) -> [JSONValue.Member] {
    JSONValue.members([
      "schema": .integer(schema), "tool": .string(Version.tool), "kind": .string(kind),
      "input": value(input, bytes: bytes),
    ])
  }

  /// The path as text, and the exact bytes beside it where they are no text.
  private static func value(_ input: MediaInput, bytes: Int64?) -> JSONValue {
    let name = input.nameBytes
    var members = JSONValue.members(["path": .string(String(decoding: name, as: UTF8.self))])
    if !UTF8Units.isValid(name) {
      members += JSONValue.members(["path_b64": .string(Base64.encode(name))])
    }
    return .object(members + JSONValue.members(["bytes": .optional(bytes)]))
  }
}

/// The length rule and its verdict; `null` where the length is unknown.
enum RuleRecord {
  static func value(_ limit: LengthLimit, _ presented: MediaDuration?) -> JSONValue {
    .object([
      "max_length": .time(limit.maximum),
      "min_length": .time(limit.minimum.isPositive ? limit.minimum : nil),
      "is_video_length_valid": .optional(presented.map(limit.isValid)),
    ])
  }
}

/// One input that could not be read.
enum ErrorRecord {
  /// - Parameter nullColumns: the columns that a row without an error has.
  static func row(
    _ error: ProbeError, input: MediaInput, nullColumns: [String]
  ) -> JSONValue {
    let nulls = nullColumns.map { JSONValue.Member(key: $0, value: .null) }
    let failure = JSONValue.members([
      "error": .object([
        "code": .string(error.code.rawValue),
        "retryable": .bool(error.isRetryable),
        "message": .string(error.message),
        "hint": .optional(error.hint),
      ])
    ])
    return .object(
      RecordHead.members(kind: "error", input: input, bytes: nil) + nulls + failure)
  }
}
