import CommandLineKit

/// What a batch sends to one of its workers: a line, which ends with the task as it was given.
struct WorkerRequest: Equatable {
  var line: Int
  var attempt: Int
  /// What the task may take.
  var milliseconds: Int64
  /// `-` where the task has none.
  var key: String
  var task: [UInt8]

  var bytes: [UInt8] {
    Array("\(line) \(attempt) \(milliseconds) \(key) ".utf8) + task + [UInt8(ascii: "\n")]
  }

  init(line: Int, attempt: Int, milliseconds: Int64, key: String, task: [UInt8]) {
    self.line = line
    self.attempt = attempt
    self.milliseconds = milliseconds
    self.key = key
    self.task = task
  }

  /// `nil` for anything else than a request.
  init?(_ bytes: [UInt8]) {
    let parts = bytes.split(
      separator: UInt8(ascii: " "), maxSplits: 4, omittingEmptySubsequences: false)
    guard parts.count == 5 else { return nil }
    let words = parts[..<4].map { String(decoding: $0, as: UTF8.self) }
    guard let line = Int(words[0]), let attempt = Int(words[1]),
      let milliseconds = Int64(words[2])
    else { return nil }
    self.init(
      line: line, attempt: attempt, milliseconds: milliseconds, key: words[3],
      task: Array(parts[4]))
  }
}

/// What a worker answers: a line with the status of the task, the memory that the worker holds,
/// and the finished row.
struct WorkerReply: Equatable {
  var status: ExitStatus
  /// What the worker holds in memory now, in KiB.
  var memory: Int
  /// With its newline.
  var row: [UInt8]

  var bytes: [UInt8] { Array("\(status.code) \(memory) ".utf8) + row }

  init(status: ExitStatus, memory: Int, row: [UInt8]) {
    self.status = status
    self.memory = memory
    self.row = row
  }

  /// - Parameter line: without its newline.
  init?(line: ArraySlice<UInt8>) {
    let parts = line.split(
      separator: UInt8(ascii: " "), maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, let status = Int32(String(decoding: parts[0], as: UTF8.self)),
      let memory = Int(String(decoding: parts[1], as: UTF8.self))
    else { return nil }
    self.init(
      status: ExitStatus(code: status), memory: memory,
      row: Array(parts[2]) + [UInt8(ascii: "\n")])
  }
}
