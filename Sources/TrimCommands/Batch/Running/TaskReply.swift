import CommandLineKit
import Isolation

/// What a sealed process answers to a task: how it went, and the columns of the operation as JSON bytes.
///
/// Its batch validates both before any of it gets into a row: output of a process that reads
/// hostile files is untrusted text.
struct TaskReply: Equatable {
  /// Columns of the operation; `nil` if it failed.
  var result: TaskResult?
  var failure: BatchFailure?
  var bytes: Int64?
  var milliseconds: Int64

  init(bytes: Int64? = nil, milliseconds: Int64 = 0) {
    self.bytes = bytes
    self.milliseconds = milliseconds
  }

  var answer: SealedAnswer {
    let error: JSONValue =
      failure.map {
        .object([
          "code": .string($0.code), "status": .integer(Int64($0.status.code)),
          "message": .string($0.message), "hint": .optional($0.hint),
        ])
      } ?? .null
    let columns = result.map { Array(JSONWriter.write($0.value, .line).dropLast()) }
    return SealedAnswer(
      .object([
        "wall_ms": .integer(milliseconds), "bytes": .optional(bytes), "error": error,
      ]), columns ?? [])
  }

  /// `nil` for anything other than an answer.
  init?(_ answer: SealedAnswer) {
    let head = answer.value
    guard let time = head["wall_ms"]?.exactInteger, let error = head["error"] else { return nil }
    self.init(bytes: head["bytes"]?.exactInteger, milliseconds: time)
    if error == .null {
      guard let result = TaskResult(answer.bytes[...]) else { return nil }
      self.result = result
    } else {
      guard let code = error["code"]?.text, let message = error["message"]?.text,
        let status = error["status"]?.exactInteger
      else { return nil }
      failure = BatchFailure(
        code: code, status: ExitStatus(code: Int32(clamping: status)), message,
        hint: error["hint"]?.text)
    }
  }
}

/// The columns of an operation.
enum TaskResult: Equatable {
  case value(JSONValue)
  /// The columns as written by the worker, which most rows consist of.
  case written(JSONText)

  /// - Parameter bytes: from a worker; `nil` unless they are an object.
  init?(_ bytes: ArraySlice<UInt8>) {
    if let text = JSONText(object: bytes) {
      self = .written(text)
    } else if case .object(let members)? = try? JSONReader.read(bytes) {
      self = .value(.object(members))
    } else {
      return nil
    }
  }

  var value: JSONValue {
    switch self {
    case .value(let value): value
    case .written(let text): (try? JSONReader.read(text.bytes)) ?? .null
    }
  }
}
