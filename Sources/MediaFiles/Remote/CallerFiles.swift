import CSystem
import Dispatch
import Glibc
import Synchronization

/// The files of the program that started this one, such as those of an object store that only it can open: it is
/// asked over connected sockets, with one question at a time on each.
///
/// A question is four numbers of 64 bits, little-endian (what is asked, the length of the name, an offset, a
/// count), and the name. An answer is two (the size of the file, how many bytes follow), and the bytes; where the
/// size is -1, they are a code, a message and a hint, each in a line.
package final class CallerFiles: Sendable {
  /// What is asked.
  enum Question: Int64 {
    /// The size, and up to `count` bytes of the front.
    case open
    /// The bytes of a range, all of them.
    case read
    /// Whether it is still what it was.
    case confirm
  }

  /// The largest file; no store holds one of 2^60 bytes.
  private static let largest: Int64 = 1 << 60
  /// The longest message of a failure.
  private static let mostWords = 1 << 16
  /// How long an answer may take: the program has limits of its own.
  private static let usualSeconds = 600

  private struct State {
    var free: [Int32]
    var alive: Int
  }

  private let state: Mutex<State>
  private let change: DispatchSemaphore
  /// How many questions may be asked at once.
  let count: Int

  /// - Parameters:
  ///   - descriptors: the sockets, which are taken over.
  ///   - seconds: how long an answer may take.
  /// - Returns: `nil` if one of them is no socket.
  package init?(descriptors: [Int32], seconds: Int? = nil) {
    for descriptor in descriptors {
      var status = stat()
      var time = timeval(tv_sec: max(1, seconds ?? Self.usualSeconds), tv_usec: 0)
      let size = socklen_t(MemoryLayout<timeval>.size)
      // No process that is started may keep it open.
      guard trim_file_status(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK,
        fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0,
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, size) == 0,
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &time, size) == 0
      else { return nil }
    }
    state = Mutex(State(free: descriptors, alive: descriptors.count))
    change = DispatchSemaphore(value: 0)
    count = descriptors.count
  }

  /// Asks for a file.
  package func open(_ name: [UInt8]) throws(MediaError) -> any RemoteSource {
    let answer = try ask(.open, name, 0..<RemoteFiles.firstBytes)
    guard (0...Self.largest).contains(answer.size), answer.bytes.count <= answer.size else {
      throw Self.broken
    }
    return CallerFile(self, name, answer.size, answer.bytes)
  }

  /// - Returns: the file's size, and the bytes.
  fileprivate func ask(
    _ question: Question, _ name: [UInt8], _ range: Range<Int64>
  ) throws(MediaError) -> (size: Int64, bytes: [UInt8]) {
    let line = try takeLine()
    var isWhole = false
    defer { giveBack(line, isWhole: isWhole) }
    let count = range.upperBound - range.lowerBound
    let words = [question.rawValue, Int64(name.count), range.lowerBound, count].map(\.littleEndian)
    var reported: [Int64] = [0, 0]
    guard words.withUnsafeBytes({ RangeServer.deliver($0, to: line) }),
      name.withUnsafeBytes({ RangeServer.deliver($0, to: line) }),
      reported.withUnsafeMutableBytes({ RangeLine.receive($0, from: line) })
    else { throw Self.broken }
    let size = Int64(littleEndian: reported[0])
    let length = Int64(littleEndian: reported[1])
    guard length >= 0, length <= (size < 0 ? Int64(Self.mostWords) : count) else {
      throw Self.broken
    }
    var bytes = [UInt8](repeating: 0, count: Int(length))
    guard bytes.withUnsafeMutableBytes({ RangeLine.receive($0, from: line) }) else {
      throw Self.broken
    }
    isWhole = true
    guard size >= 0 else { throw Self.failure(bytes) }
    return (size, bytes)
  }

  private func takeLine() throws(MediaError) -> Int32 {
    while true {
      let (line, alive) = state.withLock { ($0.free.popLast(), $0.alive) }
      if let line { return line }
      guard alive > 0 else { throw Self.broken }
      _ = change.wait(timeout: .now() + .seconds(1))
    }
  }

  /// A line in the middle of an answer is of no use to anybody.
  private func giveBack(_ line: Int32, isWhole: Bool) {
    if !isWhole { close(line) }
    state.withLock { state in
      if isWhole { state.free.append(line) } else { state.alive -= 1 }
    }
    change.signal()
  }

  private static let broken = MediaError(
    .storeFailed, "the program that has it does not answer", hint: "Start it again.")

  private static func failure(_ bytes: [UInt8]) -> MediaError {
    let lines = String(decoding: bytes, as: UTF8.self)
      .split(separator: "\n", maxSplits: 2, omittingEmptySubsequences: false)
    guard lines.count == 3 else { return broken }
    return MediaError(
      MediaErrorCode(rawValue: String(lines[0])), String(lines[1]),
      hint: lines[2].isEmpty ? nil : String(lines[2]))
  }
}

/// One of them, as it was when it was asked for.
private final class CallerFile: RemoteSource {
  let byteCount: Int64
  let head: [UInt8]
  private let files: CallerFiles
  private let name: [UInt8]
  private let requests = Mutex(1)

  init(_ files: CallerFiles, _ name: [UInt8], _ byteCount: Int64, _ head: [UInt8]) {
    (self.files, self.name, self.byteCount, self.head) = (files, name, byteCount, head)
  }

  var mostRequests: Int { files.count }

  func restart() {}

  func bytes(in range: Range<Int64>) throws(MediaError) -> [UInt8] {
    let answer = try files.ask(.read, name, range)
    guard answer.size == byteCount, answer.bytes.count == range.count else {
      throw MediaError(
        MediaErrorCode(rawValue: "inputChanged"), "it changed while it was being read",
        hint: "Try again when nothing is writing to it.")
    }
    requests.withLock { $0 += 1 }
    return answer.bytes
  }

  /// What came with a single answer is of one version.
  func confirm() throws(MediaError) {
    guard requests.withLock({ $0 > 1 }) else { return }
    _ = try files.ask(.confirm, name, 0..<0)
  }
}
