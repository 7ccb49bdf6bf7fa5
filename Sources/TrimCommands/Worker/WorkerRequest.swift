import CommandLineKit

/// What a worker can do: FFmpeg's libraries take longer to load than most files to read.
enum WorkerKind: String, Sendable, Equatable {
  /// Reads MP4 and QuickTime natively, and nothing else.
  case native
  /// Has loaded FFmpeg.
  case full
}

/// What a batch sends to one of its workers: a line, which ends with the task as it was given.
///
/// The files of the task come with it as descriptors: input, output, scratch.
struct WorkerRequest: Equatable {
  var line: Int
  /// What the task may take.
  var milliseconds: Int64
  var task: [UInt8]

  var bytes: [UInt8] { Array("\(line) \(milliseconds) ".utf8) + task + [UInt8(ascii: "\n")] }

  init(line: Int, milliseconds: Int64, task: [UInt8]) {
    self.line = line
    self.milliseconds = milliseconds
    self.task = task
  }

  /// `nil` for anything else than a request.
  ///
  /// - Parameter bytes: without the newline.
  init?(_ bytes: ArraySlice<UInt8>) {
    let parts = bytes.split(
      separator: UInt8(ascii: " "), maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, let line = Int(String(decoding: parts[0], as: UTF8.self)),
      let milliseconds = Int64(String(decoding: parts[1], as: UTF8.self))
    else { return nil }
    self.init(line: line, milliseconds: milliseconds, task: Array(parts[2]))
  }
}

/// What a worker answers, as a line of JSON.
///
/// Its batch takes it apart and writes its own row: what comes out of a process that reads hostile
/// files is foreign text.
struct WorkerReply: Equatable {
  /// Columns of the operation; `nil` where it failed.
  var result: JSONValue?
  var failure: BatchFailure?
  var bytes: Int64?
  var milliseconds: Int64
  /// What the worker holds in memory now, in KiB.
  var memory: Int

  init(
    result: JSONValue? = nil, failure: BatchFailure? = nil, bytes: Int64? = nil,
    milliseconds: Int64 = 0, memory: Int = 0
  ) {
    self.result = result
    self.failure = failure
    self.bytes = bytes
    self.milliseconds = milliseconds
    self.memory = memory
  }

  /// As a line of JSON.
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
      "error": error, "result": result ?? .null,
    ])
    return JSONWriter.write(.object(members), .line)
  }

  /// `nil` for anything else than an answer.
  init?(line: ArraySlice<UInt8>) {
    guard let value = try? JSONReader.read(Array(line)),
      let memory = value["memory"]?.exactInteger, let time = value["wall_ms"]?.exactInteger,
      let error = value["error"], let result = value["result"]
    else { return nil }
    self.init(
      bytes: value["bytes"]?.exactInteger, milliseconds: time, memory: Int(clamping: memory))
    if error == .null {
      guard case .object = result else { return nil }
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

/// The first line of a worker: the layers that it has entered.
enum WorkerGreeting {
  static func line(_ layers: SandboxLayers) -> [UInt8] { Array("sealed \(layers.rawValue)\n".utf8) }

  static func layers(in line: ArraySlice<UInt8>) -> SandboxLayers? {
    let words = String(decoding: line, as: UTF8.self).split(separator: " ")
    guard words.count == 2, words[0] == "sealed", let value = UInt32(words[1]) else { return nil }
    return SandboxLayers(rawValue: value)
  }
}
