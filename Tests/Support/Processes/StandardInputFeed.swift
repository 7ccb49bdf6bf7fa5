import CSystem
import Dispatch
import Glibc

/// What a program under test reads: a file, or a pipe that is fed by its own thread.
final class StandardInputFeed: Sendable {
  let readEnd: Int32
  private let writeEnd: Int32?
  private let bytes: [UInt8]
  private let piece: Int
  private let staysOpen: Bool
  private let isDone = DispatchSemaphore(value: 0)

  init(_ input: ProgramRun.Input) throws {
    switch input {
    case .nothing, .file:
      var path = "/dev/null"
      if case .file(let stated) = input { path = stated }
      readEnd = open(path, O_RDONLY | O_CLOEXEC)
      guard readEnd >= 0 else { throw ScratchFolder.SystemFailure(call: "open", number: errno) }
      (writeEnd, bytes, piece, staysOpen) = (nil, [], 1, false)
    case .pieces, .stalling:
      var ends: [Int32] = [0, 0]
      guard pipe(&ends) == 0 else {
        throw ScratchFolder.SystemFailure(call: "pipe", number: errno)
      }
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      readEnd = ends[0]
      writeEnd = ends[1]
      switch input {
      case .stalling(let bytes): (self.bytes, piece, staysOpen) = (bytes, 1 << 16, true)
      case .pieces(let bytes, let size): (self.bytes, piece, staysOpen) = (bytes, size, false)
      case .nothing, .file: (bytes, piece, staysOpen) = ([], 1, false)
      }
    }
  }

  /// Starts writing once the program has its end of the pipe.
  func start() {
    close(readEnd)
    guard let writeEnd else {
      isDone.signal()
      return
    }
    DispatchQueue.global().async { [self] in
      Self.withoutBrokenPipes {
        var rest = bytes[...]
        while !rest.isEmpty {
          let count = rest.prefix(piece).withUnsafeBytes {
            write(writeEnd, $0.baseAddress, $0.count)
          }
          if count < 0 { break }
          rest = rest.dropFirst(count)
        }
      }
      if !staysOpen { close(writeEnd) }
      isDone.signal()
    }
  }

  /// On this thread, a pipe whose reader is gone is an error of write(2), not a fatal signal.
  private static func withoutBrokenPipes(_ body: () -> Void) {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    var before = sigset_t()
    pthread_sigmask(SIG_BLOCK, &signals, &before)
    body()
    var now = timespec()
    while sigtimedwait(&signals, nil, &now) == SIGPIPE {}
    pthread_sigmask(SIG_SETMASK, &before, nil)
  }

  /// The program has ended.
  func finish() {
    isDone.wait()
    if let writeEnd, staysOpen { close(writeEnd) }
  }
}
