import CSystem
import ExactTime
import Glibc
import JSON
import MediaEngine
import Synchronization

/// The engine in a sealed process, as seen by a command: ended when its last owner releases it.
final class EngineProcess: Sendable {
  /// A request, with its cancellation and progress callbacks.
  struct Request {
    var operation: RequestedOperation
    var arguments: JSONValue
    var body: [UInt8] = []
    var files = EngineFiles()
    var descriptors: [Int32] = []
    /// How long it may take in total; `nil` for no limit while it makes progress.
    var limit: Duration?
    /// Called while it runs, on the calling thread.
    var isCancelled: () -> Bool = { false }
    /// Receives the progress, on the calling thread; returning `false` ends the work.
    var progress: (Int64, Int64?) -> Bool = { _, _ in true }
  }

  /// The layers it was sealed with before it received any request.
  let layers: SandboxLayers
  private let process: pid_t
  private let channel: Int32
  private let state = Mutex(State())

  private struct State {
    var reader = EngineMessage.Reader()
    var requests = 0
    /// Why it accepts no more requests.
    var end: EngineFailure?
  }

  /// The number of requests after which a new process takes over.
  static let mostRequests = 500

  /// The polling interval of a waiting caller, in milliseconds.
  private static let tick: Int32 = 50

  /// How long work past its time limit may take to report that itself.
  private static var patience: Duration { .seconds(3) }

  init(_ process: pid_t, _ channel: Int32, _ layers: SandboxLayers) {
    self.process = process
    self.channel = channel
    self.layers = layers
  }

  deinit {
    close(channel)
    // Reap the process, so that its time and memory are accounted for and nothing is left behind.
    if state.withLock({ $0.end == nil }) { _ = trim_end_worker(process, 1) }
  }

  /// Whether it can take another request; waits while it is busy.
  var isFresh: Bool {
    state.withLock { state in
      guard state.end == nil, state.requests < Self.mostRequests else { return false }
      // A process without a request writes nothing: readable data means that it has died.
      var look = pollfd(fd: channel, events: Int16(POLLIN), revents: 0)
      guard poll(&look, 1, 0) > 0 else { return true }
      _ = ended(&state, ProbeError(.internalError, "the sealed process ended between two requests"))
      return false
    }
  }

  /// Raises its memory limit for a picture size: encoders hold dozens of pictures.
  func allowMemory(forPixels pixels: Int64) {
    trim_limit_memory(process, EngineLoop.memory(forPixels: pixels))
  }

  /// Lowers its priority in favor of work that someone is waiting for.
  func stepBack() { trim_step_back(process) }

  /// Sends a request and waits for the answer; one request at a time.
  ///
  /// - Throws: ``EngineFailure``: what the engine reports, or what happened to its process. After
  ///   `cancelled`, or if the process died or was ended, it accepts no more requests.
  func perform(_ request: Request) throws(EngineFailure) -> EngineMessage {
    try state.withLock { state throws(EngineFailure) in
      if let end = state.end { throw end }
      state.requests += 1
      let head = JSONValue.object([
        "operation": .string(request.operation.name), "arguments": request.arguments,
        "files": request.files.value,
      ])
      let bytes = EngineMessage(head: head, body: request.body).bytes
      let sent = trim_send(
        channel, bytes, bytes.count, request.descriptors, Int32(request.descriptors.count))
      guard sent == 0 else {
        throw sent == EPIPE || sent == ECONNRESET
          ? died(&state)
          : ended(
            &state,
            ProbeError(
              .internalError,
              "the file could not be handed to the sealed process: \(systemText(sent))"))
      }
      var watch = Watch(
        process, limit: request.limit, step: request.operation.longestStep)
      while true {
        let message: EngineMessage?
        do throws(EngineMessage.Reader.Failure) {
          message = try state.reader.next()
        } catch {
          throw ended(&state, EngineFailure.invalidAnswer.probeError)
        }
        if let message {
          watch.heard()
          if let answer = try Self.answer(message) { return answer }
          guard Self.goesOn(message, request) else {
            throw ended(&state, ProbeError.cancelled)
          }
          continue
        }
        if request.isCancelled() {
          throw ended(&state, ProbeError.cancelled)
        }
        if let refusal = watch.refusal() { throw ended(&state, refusal) }
        guard receive(&state.reader) else { throw died(&state) }
        watch.looked()
      }
    }
  }

  /// The answer; `nil` for a message that only signals that the work continues.
  private static func answer(_ message: EngineMessage) throws(EngineFailure) -> EngineMessage? {
    if let result = message.head["result"] {
      return EngineMessage(head: result, body: message.body)
    }
    if let failure = message.head["failure"] { throw try decoded(failure) }
    return nil
  }

  private static func goesOn(_ message: EngineMessage, _ request: Request) -> Bool {
    guard case .array(let numbers)? = message.head["progress"], numbers.count == 2,
      let done = numbers[0].exactInteger
    else { return true }
    return request.progress(done, numbers[1].exactInteger)
  }

  /// - Returns: `false` at the end: the process is gone.
  private func receive(_ reader: inout EngineMessage.Reader) -> Bool {
    var request = pollfd(fd: channel, events: Int16(POLLIN), revents: 0)
    let ready = poll(&request, 1, Self.tick)
    guard ready > 0 else { return ready == 0 || errno == EINTR }
    return withUnsafeTemporaryAllocation(byteCount: 1 << 18, alignment: 16) { buffer in
      let count = recv(channel, buffer.baseAddress, buffer.count, 0)
      guard count > 0 else { return count < 0 && errno == EINTR }
      reader.add(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      return true
    }
  }

  /// Handles a process that has ended by itself or no longer responds.
  private func died(_ state: inout State) -> EngineFailure {
    // A process that has already ended keeps its status.
    let status = trim_end_worker(process, 1)
    let signal = status & 0x7F
    let code = status >> 8 & 0xFF
    let error: ProbeError =
      signal == 0 && code == Int32(TRIM_NO_MEMORY_STATUS)
      ? .memoryUsedUp : .crashed(signal: signal != 0 ? signal : -code)
    let failure = EngineFailure(error)
    state.end = failure
    return failure
  }

  /// Ends the process.
  private func ended(_ state: inout State, _ error: ProbeError) -> EngineFailure {
    _ = trim_end_worker(process, 1)
    let failure = EngineFailure(error)
    state.end = failure
    return failure
  }

  static func encoded(_ value: some Encodable) throws(EngineFailure) -> JSONValue {
    do {
      return try JSONValue.encoded(value)
    } catch {
      throw EngineFailure(any: error)
    }
  }

  /// Decodes untrusted data from a process: its structure and the type of each value are checked.
  static func decoded<Value: Decodable>(
    _ value: JSONValue, as type: Value.Type = Value.self
  ) throws(EngineFailure) -> Value {
    do {
      return try value.decoded(as: type)
    } catch {
      throw EngineFailure.invalidAnswer
    }
  }
}

extension EngineProcess {
  /// Monitors work in another process: its CPU time and its heartbeats between steps.
  ///
  /// Time is counted in polls of the waiting thread, each a few ticks at most, so that a stopped
  /// job or a sleeping machine does not use it up.
  private struct Watch {
    private let process: pid_t
    private let limit: Duration?
    /// How much CPU time one step may take.
    private let step: Duration
    private var total = Duration.zero
    private var clock: StepClock
    private var lastLook = ContinuousClock.now

    init(_ process: pid_t, limit: Duration?, step: Duration) {
      self.process = process
      self.limit = limit
      self.step = step
      clock = StepClock(used: Self.used(by: process))
    }

    private static func used(by process: pid_t) -> Duration {
      .nanoseconds(max(0, trim_processor_time(process)))
    }

    mutating func heard() { clock.heard(used: Self.used(by: process)) }

    mutating func looked() {
      let now = ContinuousClock.now
      let time = min(now - lastLook, .milliseconds(4 * EngineProcess.tick))
      lastLook = now
      total += time
      clock.passed(time)
    }

    func refusal() -> ProbeError? {
      if let limit, total > limit + EngineProcess.patience {
        return .tookTooLong
      }
      return clock.refusal(
        used: Self.used(by: process), step: step, standstill: Limits.standard.standstill)
    }
  }
}
