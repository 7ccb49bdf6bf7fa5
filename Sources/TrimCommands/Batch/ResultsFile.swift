import CSystem
import CommandLineKit

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The file that a batch appends its rows to, which is also its record of finished work.
final class ResultsFile: Sendable {
  private let descriptor: Int32

  /// Opens or makes it.
  ///
  /// - Throws: the `errno` of what failed.
  init(_ path: ArgumentText) throws(SystemFailure) {
    let descriptor = open(
      path.bytes.map { CChar(bitPattern: $0) } + [0],
      O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0o666)
    guard descriptor >= 0 else { throw SystemFailure(number: errno) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw SystemFailure(number: EINVAL)
    }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  struct SystemFailure: Error { var number: Int32 }

  /// What was done, by its key: the outputs' sizes, or nothing for a task without output.
  ///
  /// A line that is no row, as a killed run leaves one at the end, says nothing.
  func finished() -> [String: FinishedTask] {
    var finished: [String: FinishedTask] = [:]
    _ = lseek(descriptor, 0, SEEK_SET)
    var reader = LineReader(descriptor: descriptor, longest: 64 << 20)
    while let line = reader.next() {
      guard case .bytes(let bytes) = line, let row = try? JSONReader.read(bytes),
        let key = row["key"]?.text, row["error"] == .null, row["skipped"] == .bool(false)
      else { continue }
      finished[key] = FinishedTask(outputBytes: row["result"]?["bytes"]?.exactInteger)
    }
    return finished
  }

  /// Makes sure that the next row begins on a line of its own.
  func endLine() throws(SystemFailure) {
    let size = lseek(descriptor, 0, SEEK_END)
    var last: UInt8 = 0
    guard size > 0, pread(descriptor, &last, 1, size - 1) == 1, last != UInt8(ascii: "\n") else {
      return
    }
    try append([UInt8(ascii: "\n")])
  }

  /// Appends a row in one call, so that rows of several runs do not mix.
  func append(_ row: [UInt8]) throws(SystemFailure) {
    let failure = trim_terminal_write(descriptor, row, row.count)
    guard failure == 0 else { throw SystemFailure(number: failure) }
  }
}

/// A task that an earlier run has done.
struct FinishedTask: Sendable, Equatable {
  /// How long its output was.
  var outputBytes: Int64?

  /// Whether its output is still there as it was left.
  func stands(for task: BatchTask) -> Bool {
    guard let output = task.output else { return true }
    return SourceState(path: output).map { $0.byteCount == outputBytes } ?? false
  }
}

extension JSONValue {
  /// An integer, also where the writer had to spell it as a text.
  var exactInteger: Int64? {
    switch self {
    case .integer(let number): number
    case .string(let text): Int64(text)
    default: nil
    }
  }
}
