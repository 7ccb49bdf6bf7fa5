import CSystem
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A worker process as its batch sees it: gone with its last owner.
final class WorkerChild: Sendable {
  /// What became of a request.
  enum Outcome: Equatable {
    case answered(WorkerReply)
    /// The process died, of this signal or with exit status `-signal`.
    case died(signal: Int32)
    /// No answer came in time; the process was killed.
    case overran
  }

  /// The folder it can write beneath; `nil` for none.
  let folder: [UInt8]?
  private let process: pid_t
  private let channel: Int32
  private let state = Mutex(State())

  private struct State {
    var received: [UInt8] = []
    var tasks = 0
    var memory = 0
    var isOver = false
  }

  /// After so many tasks, or with so much memory in KiB, a new process takes over.
  static let mostTasks = 500
  static let mostMemory = 512 << 10

  /// An answer longer than this is none of ours.
  private static let longestReply = 256 << 20

  private init(folder: [UInt8]?, process: pid_t, channel: Int32) {
    self.folder = folder
    self.process = process
    self.channel = channel
  }

  deinit {
    // A worker at rest ends when nothing more can come; it is not waited for longer than that.
    close(channel)
    if !state.withLock({ $0.isOver }) { _ = trim_end_worker(process, 1) }
  }

  /// Must be called on a thread that outlives the child.
  static func start(folder: [UInt8]?) -> Result<WorkerChild, BatchFailure> {
    var process: pid_t = 0
    var channel: Int32 = -1
    let words = [Array(WorkerLoop.command.utf8)] + (folder.map { [$0] } ?? [])
    let copies = words.map { strdup($0.map { CChar(bitPattern: $0) } + [0]) }
    defer { for copy in copies { free(copy) } }
    var arguments = copies + [nil]
    let temporary = folder.map { $0.map { CChar(bitPattern: $0) } + [0] }
    let failure = arguments.withUnsafeMutableBufferPointer { list in
      guard let argv = list.baseAddress else { return EINVAL }
      guard let temporary else { return trim_start_worker(&process, &channel, argv, nil) }
      return trim_start_worker(&process, &channel, argv, temporary)
    }
    guard failure == 0 else { return .failure(.cannotStart(failure)) }
    return .success(WorkerChild(folder: folder, process: process, channel: channel))
  }

  /// True while it can take another task.
  var isFresh: Bool {
    state.withLock {
      !$0.isOver && $0.tasks < Self.mostTasks && $0.memory < Self.mostMemory
    }
  }

  /// Sends a request and waits for the answer.
  ///
  /// - Parameter patience: how long; the process is killed then.
  func perform(_ request: WorkerRequest, patience: Duration) -> Outcome {
    state.withLock { state in
      state.tasks += 1
      let bytes = request.bytes
      guard trim_send(channel, bytes, bytes.count) == 0 else { return end(&state, kills: false) }
      let deadline = ContinuousClock.now + patience
      while true {
        if let end = state.received.firstIndex(of: UInt8(ascii: "\n")) {
          let reply = WorkerReply(line: state.received[..<end])
          state.received.removeSubrange(...end)
          guard let reply, state.received.isEmpty else { return self.end(&state, kills: true) }
          state.memory = reply.memory
          return .answered(reply)
        }
        guard waitForAnswer(until: deadline) else {
          _ = end(&state, kills: true)
          return .overran
        }
        guard receive(into: &state.received), state.received.count <= Self.longestReply else {
          return end(&state, kills: true)
        }
      }
    }
  }

  private func end(_ state: inout State, kills: Bool) -> Outcome {
    state.isOver = true
    let status = trim_end_worker(process, kills ? 1 : 0)
    let signal = status & 0x7F
    return .died(signal: signal != 0 ? signal : -(status >> 8 & 0xFF))
  }

  private func waitForAnswer(until deadline: ContinuousClock.Instant) -> Bool {
    while true {
      let left = (deadline - .now).wholeMilliseconds
      guard left > 0 else { return false }
      var request = pollfd(fd: channel, events: Int16(POLLIN), revents: 0)
      let ready = poll(&request, 1, Int32(clamping: left))
      if ready > 0 { return true }
      if ready < 0, errno != EINTR { return false }
    }
  }

  /// False at the end: the process is gone.
  private func receive(into bytes: inout [UInt8]) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = recv(channel, &buffer, buffer.count, 0)
      if count > 0 {
        bytes += buffer[..<count]
        return true
      }
      if count < 0, errno == EINTR { continue }
      return false
    }
  }
}
