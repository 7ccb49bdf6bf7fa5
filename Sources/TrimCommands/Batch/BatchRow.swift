import CommandLineKit
import MediaEngine

/// One line of the result: every task gets one, and every row has the same columns.
struct BatchRow {
  var task: BatchTask
  /// What identifies the task when it is repeated; `nil` if the source does not exist.
  var key: TaskKey?
  var bytes: Int64?
  /// Columns of the operation; `nil` if it failed.
  var result: TaskResult?
  var failure: BatchFailure?
  var isSkipped = false
  /// The number of attempts.
  var attempts = 0
  /// The layers that its process was sealed with; `nil` if no process was needed.
  var sandbox: [String]?
  var milliseconds: Int64?
  /// What was fetched for it; `nil` where its inputs are no addresses.
  var cost: RemoteCost?

  var json: JSONValue {
    let result = JSONValue.Member(key: Self.resultKey, value: result?.value ?? .null)
    return .object(head + [result] + tail)
  }

  private static let resultKey = "result"

  private var head: [JSONValue.Member] {
    JSONValue.members([
      "schema": .integer(RecordHead.schema), "tool": .string(Version.tool),
      "kind": .string(kind), "id": task.id, "line": .integer(task.line),
      "op": .optional(task.operation), "input": Self.name(task.path, bytes: bytes),
      "output": Self.name(task.output, bytes: nil), "skipped": .bool(isSkipped),
    ])
  }

  private var tail: [JSONValue.Member] {
    JSONValue.members([
      "error": failure?.json ?? .null, "attempts": .integer(attempts),
      "sandbox": sandbox.map { .array($0.map(JSONValue.string)) } ?? .null,
      "wall_ms": .optional(milliseconds), "key": .optional(key?.text),
      "remote": .fetched(cost),
    ])
  }

  private var kind: String { failure == nil ? task.operation ?? "error" : "error" }

  private static func name(_ name: [UInt8]?, bytes: Int64?) -> JSONValue {
    guard let name else { return .null }
    let isText = UTF8Units.isValid(name)
    return .object([
      "path": .string(String(decoding: name, as: UTF8.self)),
      "path_b64": isText ? .null : .string(Base64.encode(name)), "bytes": .optional(bytes),
    ])
  }

  /// As a line of NDJSON.
  var line: [UInt8] {
    guard case .written(let text) = result else { return JSONWriter.write(json, .line) }
    return JSONWriter.line(head, Self.resultKey, text, tail)
  }
}
