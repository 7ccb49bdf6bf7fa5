import CSystem
import CommandLineKit
import Glibc
import MediaEngine
import Synchronization

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
    while true {
      let start = reader.position
      guard let line = reader.next() else { break }
      guard case .bytes(let bytes) = line, let row = try? JSONReader.read(bytes),
        let key = row["key"]?.text
      else { continue }
      if row["kind"]?.text == OutputIntent.kind {
        record.intents[key] = OutputIntent(row)
      } else if row["skipped"] == .bool(false) {
        record.intents[key] = nil
        guard row["error"] == .null else { continue }
        record.finished[key] = FinishedTask(
          outputBytes: row["result"]?["bytes"]?.exactInteger, ids: [row["id"] ?? .null],
          place: start..<start + Int64(bytes.count))
      } else if let id = row["id"], record.finished[key]?.ids.contains(id) == false {
        record.finished[key]?.ids.append(id)
      }
    }
    return record
  }

  /// The result in the row of a finished task; `nil` if it cannot be read anymore.
  func result(of task: FinishedTask) -> JSONValue? {
    var row = [UInt8](repeating: 0, count: task.place.count)
    guard pread(descriptor, &row, row.count, off_t(task.place.lowerBound)) == row.count,
      let known = try? JSONReader.read(row)
    else { return nil }
    return known["result"]
  }

  /// Ensures that the next row begins on a new line: a row without its newline gets it, and what a
  /// killed run or a full disk left of one is removed.
  func endLine() throws(Refusal) {
    let failure = exclusively {
      let size = Int64(lseek(descriptor, 0, SEEK_END))
      let start = startOfLastLine(endingAt: size)
      guard start < size else { return 0 }
      var line = [UInt8](repeating: 0, count: Int(size - start))
      guard pread(descriptor, &line, line.count, off_t(start)) == line.count,
        // What is no row at all was written by someone else, and stays.
        line.first != UInt8(ascii: "{") || (try? JSONReader.read(line)) != nil
      else { return ftruncate(descriptor, off_t(start)) == 0 ? 0 : errno }
      return trim_terminal_write(descriptor, [UInt8(ascii: "\n")], 1)
    }
    guard failure == 0 else { throw .system(failure) }
  }

  /// Where the bytes behind the last newline begin.
  private func startOfLastLine(endingAt size: Int64) -> Int64 {
    var end = size
    var block = [UInt8](repeating: 0, count: 65_536)
    while end > 0 {
      let count = Int(min(end, Int64(block.count)))
      guard pread(descriptor, &block, count, off_t(end) - off_t(count)) == count else {
        return size
      }
      if let newline = block[..<count].lastIndex(of: UInt8(ascii: "\n")) {
        return end - Int64(count) + Int64(newline) + 1
      }
      end -= Int64(count)
    }
    return 0
  }

  /// Appends a row in a single write, so that rows of several runs do not interleave; nothing of it stays if
  /// it does not fit on the disk.
  ///
  /// - Parameter isDurable: whether it must survive a subsequent power loss.
  func append(_ row: [UInt8], isDurable: Bool = false) throws(Refusal) {
    let failure = exclusively {
      let size = lseek(descriptor, 0, SEEK_END)
      let failure = trim_terminal_write(descriptor, row, row.count)
      guard failure == 0 else {
        if size >= 0 { _ = ftruncate(descriptor, size) }
        return failure
      }
      return !isDurable || fsync(descriptor) == 0 ? 0 : errno
    }
    guard failure == 0 else { throw .system(failure) }
  }

  /// Changes the file while no other thread or run does; where a file system has no locks, rows are still
  /// appended in one piece.
  private func exclusively(_ change: () -> Int32) -> Int32 {
    writing.withLock { _ in
      while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
      defer { _ = flock(descriptor, LOCK_UN) }
      return change()
    }
  }
}

/// A task that an earlier run has done.
struct FinishedTask: Sendable, Equatable {
  /// The size of its output in bytes.
  var outputBytes: Int64?
  /// The IDs that it was given under, each with a row.
  var ids: [JSONValue] = []
  /// Where its row is in the results file.
  var place: Range<Int64> = 0..<0

  /// Whether its output still exists unchanged.
  func stands(for task: BatchTask) -> Bool {
    guard let output = task.target else { return true }
    return SourceState(path: output).map { $0.byteCount == outputBytes } ?? false
  }
}
