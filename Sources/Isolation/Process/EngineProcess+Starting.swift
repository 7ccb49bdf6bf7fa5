import CSystem
import Glibc

extension EngineProcess {
  /// Why no process was started.
  struct StartFailure: Error {
    /// An errno.
    var code: Int32
  }

  /// The maximum number of processes that start together.
  static let mostTogether = 1 + Int(TRIM_MOST_SIBLINGS)

  /// Starts several processes that share a single load of what they need.
  ///
  /// Must be called on a thread that outlives them.
  static func start(_ count: Int, _ kind: ProcessKind = ProcessKind()) -> Result<
    [Start], StartFailure
  > {
    let count = min(max(1, count), mostTogether)
    var process: pid_t = 0
    var channels = [Int32](repeating: -1, count: count)
    let words = ([EngineLoop.command, "\(count - 1)"] + kind.words).map {
      (word: String) in strdup(word)
    }
    defer { for word in words { free(word) } }
    var arguments = words + [nil]
    let failure = arguments.withUnsafeMutableBufferPointer { list in
      list.baseAddress.map { trim_start_workers(&process, &channels, Int32(count), $0) } ?? EINVAL
    }
    guard failure == 0 else { return .failure(StartFailure(code: failure)) }
    return .success(
      channels.enumerated().map {
        Start(process: $0 == 0 ? process : nil, channel: $1, kind: kind)
      })
  }

  /// A starting process that loads what it needs, and then seals itself.
  struct Start: Sendable {
    /// The process; `nil` if another process creates it.
    fileprivate var process: pid_t?
    fileprivate var channel: Int32
    fileprivate var kind: ProcessKind

    /// Waits on any thread until it is sealed, while others start.
    ///
    /// Must be called only once.
    func sealed() -> Result<EngineProcess, StartFailure> {
      if let greeting = EngineProcess.greeting(on: channel) {
        return .success(
          EngineProcess(process ?? greeting.process, channel, greeting.layers, kind))
      }
      close(channel)
      if let process { _ = trim_end_worker(process, 1) }
      return .failure(StartFailure(code: ECHILD))
    }
  }

  private static func greeting(on channel: Int32) -> SealGreeting? {
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while line.count < 64 {
      var request = pollfd(fd: channel, events: Int16(POLLIN), revents: 0)
      let ready = poll(&request, 1, 60_000)
      if ready < 0, errno == EINTR { continue }
      guard ready > 0, recv(channel, &byte, 1, 0) == 1 else { return nil }
      if byte == UInt8(ascii: "\n") { return SealGreeting(line[...]) }
      line.append(byte)
    }
    return nil
  }
}
