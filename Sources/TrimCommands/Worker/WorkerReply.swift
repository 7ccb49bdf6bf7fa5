import CommandLineKit

/// A worker's answer: a line of JSON, a tab, and the columns of the operation as JSON.
///
/// Its batch validates both before any of it gets into a row: output of a process that reads
/// hostile files is untrusted text.
struct WorkerReply: Equatable {
  /// Columns of the operation; `nil` if it failed.
  var result: WorkerResult?
  var failure: BatchFailure?
  var bytes: Int64?
  var milliseconds: Int64
  /// The worker's current resident memory, in KiB.
  var memory: Int

  init(
    bytes: Int64? = nil, milliseconds: Int64 = 0, memory: Int = 0
  ) {
    self.bytes = bytes
    self.milliseconds = milliseconds
    self.memory = memory
  }

  /// JSON contains tabs only as whitespace, which the writer omits.
  private static let tab = UInt8(ascii: "\t")

  /// As a line.
  var line: [UInt8] {
    let error: JSONValue =
      failure.map {
        .object([
          "code": .string($0.code), "status": .integer(Int64($0.status.code)),
          "message": .string($0.message), "hint": .optional($0.hint),
        ])
      } ?? .null
    let members = JSONValue.members([
      "memory": .integer(memory), "wall_ms": .integer(milliseconds), "bytes": .optional(bytes),
      "error": error,
    ])
    return JSONWriter.write(.object(members), .line).dropLast() + [Self.tab]
      + JSONWriter.write(result?.value ?? .null, .line)
  }

  /// `nil` for anything other than an answer.
  init?(line: ArraySlice<UInt8>) {
    guard let tab = line.firstIndex(of: Self.tab), let head = try? JSONReader.read(line[..<tab]),
      let memory = head["memory"]?.exactInteger, let time = head["wall_ms"]?.exactInteger,
      let error = head["error"]
    else { return nil }
    self.init(
      bytes: head["bytes"]?.exactInteger, milliseconds: time, memory: Int(clamping: memory))
    if error == .null {
      guard let result = WorkerResult(line[(tab + 1)...]) else { return nil }
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
enum WorkerResult: Equatable {
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
