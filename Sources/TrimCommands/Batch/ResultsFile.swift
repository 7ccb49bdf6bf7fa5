import CSystem
import CommandLineKit
import MediaEngine
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The file that a batch appends its rows to, which is also its record of finished work.
final class ResultsFile: Sendable {
  private let descriptor: Int32
  /// Serializes writing: one row at a time.
  private let writing = Mutex(())
  let identity: FileIdentity

  /// Why a file cannot be used for results.
  enum Refusal: Error, Equatable {
    /// The `errno` of a failed call.
    case system(Int32)
    /// It has content that is not a results file.
    case foreign
  }

  /// Opens or creates the file.
  init(_ path: ArgumentText) throws(Refusal) {
    let descriptor = open(
      path.bytes.map { CChar(bitPattern: $0) } + [0],
      O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0o666)
    guard descriptor >= 0 else { throw .system(errno) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw .system(EINVAL)
    }
    guard Self.isOurs(descriptor, byteCount: Int64(status.st_size)) else {
      close(descriptor)
      throw .foreign
    }
    self.descriptor = descriptor
    identity = FileIdentity(
      device: UInt64(truncatingIfNeeded: status.st_dev), inode: UInt64(status.st_ino))
  }

  deinit { close(descriptor) }

  /// What every row begins with (``BatchRow``).
  private static let start = Array(#"{"schema":"#.utf8)

  /// Whether the file is empty, or begins with a row, or with a partial first row left by a killed
  /// run.
  private static func isOurs(_ descriptor: Int32, byteCount: Int64) -> Bool {
    guard byteCount > 0 else { return true }
    var head = [UInt8](repeating: 0, count: start.count)
    let count = pread(descriptor, &head, head.count, 0)
    guard count > 0, start.starts(with: head.prefix(count)) else { return false }
    var reader = LineReader(descriptor: descriptor, longest: 64 << 20)
    defer { _ = lseek(descriptor, 0, SEEK_SET) }
    guard case .bytes(let line) = reader.next() else { return false }
    if let row = try? JSONReader.read(line) { return isOurs(row) }
    // A partial first row left by a killed run; the next run ended that line and continued after
    // it.
    guard case .bytes(let next) = reader.next() else { return true }
    return (try? JSONReader.read(next)).map(isOurs) ?? false
  }

  private static func isOurs(_ row: JSONValue) -> Bool {
    row["tool"]?.text?.hasPrefix("trim ") == true && row["kind"]?.text != nil
  }

  /// What earlier runs have recorded.
  struct Record {
    /// Finished tasks, by their key.
    var finished: [String: FinishedTask] = [:]
    /// Outputs that were about to be named, without a row that confirms it.
    var intents: [String: OutputIntent] = [:]
  }

  /// Reads the whole file; a line that is not a row, such as one left at the end by a killed run, is ignored.
  func record() -> Record {
    var record = Record()
    _ = lseek(descriptor, 0, SEEK_SET)
    var reader = LineReader(descriptor: descriptor, longest: 64 << 20)
    while let line = reader.next() {
      guard case .bytes(let bytes) = line, let row = try? JSONReader.read(bytes),
        let key = row["key"]?.text
      else { continue }
      if row["kind"]?.text == OutputIntent.kind {
        record.intents[key] = OutputIntent(row)
      } else if row["skipped"] == .bool(false) {
        record.intents[key] = nil
        guard row["error"] == .null else { continue }
        record.finished[key] = FinishedTask(outputBytes: row["result"]?["bytes"]?.exactInteger)
      }
    }
    return record
  }

  /// Ensures that the next row begins on a new line.
  func endLine() throws(Refusal) {
    let size = lseek(descriptor, 0, SEEK_END)
    var last: UInt8 = 0
    guard size > 0, pread(descriptor, &last, 1, size - 1) == 1, last != UInt8(ascii: "\n") else {
      return
    }
    try append([UInt8(ascii: "\n")])
  }

  /// Appends a row in a single write, so that rows of several runs do not interleave.
  ///
  /// - Parameter isDurable: whether it must survive a subsequent power loss.
  func append(_ row: [UInt8], isDurable: Bool = false) throws(Refusal) {
    let failure = writing.withLock { _ -> Int32 in
      let failure = trim_terminal_write(descriptor, row, row.count)
      guard failure == 0, isDurable else { return failure }
      return fsync(descriptor) == 0 ? 0 : errno
    }
    guard failure == 0 else { throw .system(failure) }
  }
}

/// A task that an earlier run has done.
struct FinishedTask: Sendable, Equatable {
  /// The size of its output in bytes.
  var outputBytes: Int64?

  /// Whether its output still exists unchanged.
  func stands(for task: BatchTask) -> Bool {
    guard let output = task.target else { return true }
    return SourceState(path: output).map { $0.byteCount == outputBytes } ?? false
  }
}

extension JSONValue {
  /// An integer, even if the writer had to encode it as text.
  var exactInteger: Int64? {
    switch self {
    case .integer(let number): number
    case .string(let text): Int64(text)
    default: nil
    }
  }
}
