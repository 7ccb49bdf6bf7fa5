import CSystem
import CommandLineKit
import ExactTime
import Glibc
import MediaEngine
import Trimming

/// What the records of all commands have in common.
enum RecordHead {
  /// The version of the schema; additive changes do not change it.
  static let schema = 1

  static func members(kind: String, input: MediaInput, bytes: Int64?) -> [JSONValue.Member] {
    members(kind: kind) + JSONValue.members(["input": value(input, bytes: bytes)])
  }

  static func members(kind: String) -> [JSONValue.Member] {
    JSONValue.members([
      "schema": .integer(schema), "tool": .string(Version.tool), "kind": .string(kind),
    ])
  }

  /// Paths as text, plus the exact bytes of all if those of one are not valid text.
  static func members(inputs: [[UInt8]]) -> [JSONValue.Member] {
    var members = JSONValue.members([
      "inputs": .array(inputs.map { .string(String(decoding: $0, as: UTF8.self)) })
    ])
    if !inputs.allSatisfy({ UTF8Units.isValid($0) }) {
      members += JSONValue.members([
        "inputs_b64": .array(inputs.map { .string(Base64.encode($0)) })
      ])
    }
    return members
  }

  /// The path as text, plus the exact bytes if they are not valid text.
  private static func value(_ input: MediaInput, bytes: Int64?) -> JSONValue {
    let name = input.nameBytes
    var members = JSONValue.members(["path": .string(String(decoding: name, as: UTF8.self))])
    if !UTF8Units.isValid(name) {
      members += JSONValue.members(["path_b64": .string(Base64.encode(name))])
    }
    return .object(
      members + JSONValue.members(["bytes": .optional(bytes ?? Self.byteCount(input))]))
  }

  /// The size of a regular file, even if reading it failed; `nil` for anything else.
  private static func byteCount(_ input: MediaInput) -> Int64? {
    guard case .file(let path) = input else { return nil }
    var status = stat()
    let result = (path + [0]).withUnsafeBytes { bytes in
      bytes.bindMemory(to: CChar.self).baseAddress.map { stat($0, &status) } ?? -1
    }
    guard result == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int64(status.st_size)
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
    _ error: MediaError, input: MediaInput, nullColumns: [String]
  ) -> JSONValue {
    let nulls = nullColumns.map { JSONValue.Member(key: $0, value: .null) }
    let failure = JSONValue.members([
      "error": .object([
        "code": .string(error.code.rawValue),
        "retryable": .bool(error.isRetryable),
        "message": .string(error.message),
        "hint": .optional(error.adviceOfProbe),
      ])
    ])
    return .object(
      RecordHead.members(kind: "error", input: input, bytes: nil) + nulls + failure)
  }
}

/// A command line that cannot be understood.
enum UsageErrorRecord {
  static func value(_ error: UsageError) -> JSONValue {
    let topic = error.command.isEmpty ? "trim --help" : "trim help \(error.command)"
    return .object(
      JSONValue.members([
        "schema": .integer(RecordHead.schema), "tool": .string(Version.tool),
        "kind": .string("error"), "input": .null,
        "error": .object([
          "code": .string("usage"), "retryable": .bool(false),
          "message": .string(error.message), "hint": .string("See '\(topic)'."),
        ]),
      ]))
  }
}
