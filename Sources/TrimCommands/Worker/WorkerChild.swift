import CSystem
import Glibc
import Isolation
import Synchronization

/// A worker process as seen by its batch: ended when its last owner releases it.
final class WorkerChild: Sendable {
  /// The outcome of a request.
  enum Outcome: Equatable {
    case answered(WorkerReply)
    /// The process died from this signal, or with exit status `-signal`.
    case died(signal: Int32)
    /// No answer came in time; the process was killed. `isBusy` means that it was working the whole
    /// time, and would be again.
    case overran(isBusy: Bool)
  }

  let kind: WorkerKind
  private let process: pid_t
  private let channel: Int32
  private let state = Mutex(State())

  private struct State {
    var received: [UInt8] = []
    var layers: SandboxLayers?
    var tasks = 0
    var memory = 0
    /// Whether a CPU time limit was set for a task, which also applies to the next one.
    var isLimited = false
    var isOver = false
  }

  /// The number of tasks, and the memory in KiB, after which a new process takes over.
  static let mostTasks = 500
  static let mostMemory = 512 << 10

  /// How long a task runs before its CPU time is monitored.
  private static var shortTime: Duration { .milliseconds(50) }

  /// The maximum length of an answer.
  private static let longestReply = 256 << 20

  /// How long a process may take to start, load its libraries and seal itself.
  private static var startTime: Duration { .seconds(60) }

  private init(kind: WorkerKind, process: pid_t, channel: Int32) {
    self.kind = kind
    self.process = process
    self.channel = channel
  }

  deinit {
    // An idle worker ends when its input closes; there is no need to wait longer than that.
    close(channel)
    if !state.withLock({ $0.isOver }) { _ = trim_end_worker(process, 1) }
  }

  /// Must be called on a thread that outlives the child.
  static func start(_ kind: WorkerKind, seals: Bool) -> Result<WorkerChild, BatchFailure> {
    var process: pid_t = 0
    var channel: Int32 = -1
    let words = [WorkerLoop.command, kind.rawValue] + (seals ? [] : [WorkerLoop.unsealed])
    let copies = words.map { (word: String) in strdup(word) }
    defer { for copy in copies { free(copy) } }
    var arguments = copies + [nil]
    let failure = arguments.withUnsafeMutableBufferPointer { list in
      list.baseAddress.map { trim_start_worker(&process, &channel, $0) } ?? EINVAL
    }
    guard failure == 0 else { return .failure(.cannotStart(failure)) }
    return .success(WorkerChild(kind: kind, process: process, channel: channel))
  }

  /// The layers that it reported before it received any file; waits until it has sealed itself.
  func layers() throws(BatchFailure) -> SandboxLayers {
    let layers = state.withLock { state in
      if state.layers == nil { state.layers = greeting() }
      return state.layers
    }
    guard let layers else { throw .cannotStart(ECHILD) }
    return layers
  }

  private func greeting() -> SandboxLayers? {
    var received: [UInt8] = []
    let deadline = ContinuousClock.now + Self.startTime
    while received.count < 64, Self.waitForAnswer(on: channel, until: deadline),
      Self.receive(from: channel, into: &received)
    {
      if received.last == UInt8(ascii: "\n") {
        return SealGreeting(received.dropLast())?.layers
      }
    }
    return nil
  }

  /// Whether it can take another task.
  var isFresh: Bool {
    state.withLock {
      !$0.isOver && $0.tasks < Self.mostTasks && $0.memory < Self.mostMemory
    }
  }

  /// Sends a request with its files and waits for the answer.
  ///
  /// - Parameter time: what the task may take; the process is killed after twice that time.
  func perform(
    _ request: WorkerRequest, descriptors: [Int32], within time: Duration
  ) -> Outcome {
    state.withLock { state in
      state.tasks += 1
      let start = ContinuousClock.now
      // Most files are finished before CPU time would matter.
      var watch = state.isLimited ? watched(for: time, &state) : nil
      let bytes = request.bytes
      let sent = trim_send(channel, bytes, bytes.count, descriptors, Int32(descriptors.count))
      guard sent == 0 else { return end(&state, kills: true) }
      while true {
        if let end = state.received.firstIndex(of: UInt8(ascii: "\n")) {
          let reply = WorkerReply(line: state.received[..<end])
          state.received.removeSubrange(...end)
          guard let reply, state.received.isEmpty else { return self.end(&state, kills: true) }
          state.memory = reply.memory
          return .answered(reply)
        }
        if watch == nil {
          let short = min(Self.shortTime, time / 4)
          if !Self.waitForAnswer(on: channel, until: start + short) {
            watch = watched(for: time, &state)
            continue
          }
        } else if let work = watch, !Self.waitForAnswer(on: channel, until: start + time * 2) {
          let worked = workTime - work
          _ = end(&state, kills: true)
          return .overran(isBusy: worked * 2 > time)
        }
        guard Self.receive(from: channel, into: &state.received),
          state.received.count <= Self.longestReply
        else { return end(&state, kills: true) }
      }
    }
  }

  /// Limits the CPU time of a task, and returns the time used so far.
  private func watched(for time: Duration, _ state: inout State) -> Duration {
    state.isLimited = true
    // In case this process is stopped meanwhile; codec threads count too.
    trim_limit_processor_time(process, 8 * (time.components.seconds + 1))
    return workTime
  }

  /// The CPU time it has used, plus the time it was ready but waiting for a CPU.
  private var workTime: Duration {
    .nanoseconds(trim_processor_time(process) + trim_processor_wait(process))
  }

  private func end(_ state: inout State, kills: Bool) -> Outcome {
    state.isOver = true
    let status = trim_end_worker(process, kills ? 1 : 0)
    let signal = status & 0x7F
    return .died(signal: signal != 0 ? signal : -(status >> 8 & 0xFF))
  }

  private static func waitForAnswer(
    on channel: Int32, until deadline: ContinuousClock.Instant
  ) -> Bool {
    while true {
      let left = (deadline - .now).wholeMilliseconds
      guard left > 0 else { return false }
      var request = pollfd(fd: channel, events: Int16(POLLIN), revents: 0)
      let ready = poll(&request, 1, Int32(clamping: left))
      if ready > 0 { return true }
      if ready < 0, errno != EINTR { return false }
    }
  }

  /// Returns `false` at the end: the process is gone.
  private static func receive(from channel: Int32, into bytes: inout [UInt8]) -> Bool {
    withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 1) { buffer in
      while true {
        let count = recv(channel, buffer.baseAddress, buffer.count, 0)
        if count > 0 {
          bytes += buffer[..<count]
          return true
        }
        if count < 0, errno == EINTR { continue }
        return false
      }
    }
  }
}
