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
    /// Whether it may take any number of steps within twice its limit, and no heartbeat is expected.
    var isTask = false
    /// Called while it runs, on the calling thread.
    var isCancelled: () -> Bool = { false }
    /// Receives the progress, on the calling thread; returning `false` ends the work.
    var progress: (Int64, Int64?) -> Bool = { _, _ in true }
  }

  /// The layers it was sealed with before it received any request.
  let layers: SandboxLayers
  let kind: ProcessKind
  private let process: pid_t
  private let channel: Int32
  private let state = Mutex(State())

  private struct State {
    var reader = EngineMessage.Reader()
    var requests = 0
    /// Its resident memory after the last answer, in KiB.
    var memory = 0
    /// Whether its CPU time was limited for a task, which also applies to the next one.
    var isLimited = false
    /// Why it accepts no more requests.
    var end: Fate?
  }

  /// Why a request has no answer.
  enum Fate: Error {
    /// What the operation reports; the process lives.
    case failed(EngineFailure)
    /// The process was ended, and this is why.
    case ended(EngineFailure)
    /// The process died from this signal, or with exit status `-signal`.
    case died(signal: Int32)
    /// A task was not done in time, and the process was ended; `isBusy` means that it was working the whole
    /// time, and would be again.
    case overran(isBusy: Bool)

    var failure: EngineFailure {
      switch self {
      case .failed(let failure), .ended(let failure): failure
      case .died(signal: -Int32(TRIM_NO_MEMORY_STATUS)): EngineFailure(.memoryUsedUp)
      case .died(let signal): EngineFailure(.crashed(signal: signal))
      case .overran: EngineFailure(.tookTooLong)
      }
    }
  }

  /// The number of requests, and the memory in KiB, after which a new process takes over.
  static let mostRequests = 500
  static let mostMemory = 512 << 10

  init(_ process: pid_t, _ channel: Int32, _ layers: SandboxLayers, _ kind: ProcessKind) {
    self.kind = kind
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
      _ = ended(&state, MediaError(.internalError, "the sealed process ended between two requests"))
      return false
    }
  }

  /// Whether it can be kept for the next file.
  var isReusable: Bool { isFresh && state.withLock { $0.memory < Self.mostMemory } }

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
    do throws(Fate) {
      return try attempt(request)
    } catch {
      throw error.failure
    }
  }

  /// The same, with what became of the process.
  func attempt(_ request: Request) throws(Fate) -> EngineMessage {
    try state.withLock { state throws(Fate) in
      if let end = state.end { throw end }
      state.requests += 1
      let head = JSONValue.object([
        "operation": .string(request.operation.name), "arguments": request.arguments,
        "files": request.files.value,
      ])
      let bytes = EngineMessage(head: head, body: request.body).bytes
      var watch = watch(for: request, &state)
      let sent = trim_send(
        channel, bytes, bytes.count, request.descriptors, Int32(request.descriptors.count))
      guard sent == 0 else {
        throw sent == EPIPE || sent == ECONNRESET
          ? died(&state)
          : ended(
            &state,
            MediaError(
              .internalError,
              "the file could not be handed to the sealed process: \(systemText(sent))"))
      }
      while true {
        let message: EngineMessage?
        do throws(EngineMessage.Reader.Failure) {
          message = try state.reader.next()
        } catch {
          throw ended(&state, EngineFailure.invalidAnswer.mediaError)
        }
        if let message {
          watch.heard()
          if let memory = message.head["memory"]?.exactInteger {
            state.memory = Int(clamping: memory)
          }
          if let answer = try Self.answer(message) { return answer }
          guard Self.goesOn(message, request) else {
            throw ended(&state, MediaError.cancelled)
          }
          continue
        }
        if request.isCancelled() {
          throw ended(&state, MediaError.cancelled)
        }
        if let end = watch.end() { throw finished(&state, end) }
        guard receive(&state.reader, within: watch.patience) else { throw died(&state) }
        watch.looked()
        if watch.limitsProcess { state.isLimited = true }
      }
    }
  }

  private func watch(for request: Request, _ state: inout State) -> any RequestWatch {
    if request.isTask, let limit = request.limit {
      return TaskWatch(process, limit, isLimited: state.isLimited)
    }
    return StepWatch(process, limit: request.limit, step: request.operation.longestStep)
  }

  /// The answer; `nil` for a message that only signals that the work continues.
  private static func answer(_ message: EngineMessage) throws(Fate) -> EngineMessage? {
    if let result = message.head["result"] {
      return EngineMessage(head: result, body: message.body)
    }
    guard let failure = message.head["failure"] else { return nil }
    throw .failed((try? decoded(failure)) ?? .invalidAnswer)
  }

  private static func goesOn(_ message: EngineMessage, _ request: Request) -> Bool {
    guard case .array(let numbers)? = message.head["progress"], numbers.count == 2,
      let done = numbers[0].exactInteger
    else { return true }
    return request.progress(done, numbers[1].exactInteger)
  }

  /// - Returns: `false` at the end: the process is gone.
  private func receive(_ reader: inout EngineMessage.Reader, within time: Int32) -> Bool {
    var request = pollfd(fd: channel, events: Int16(POLLIN), revents: 0)
    let ready = poll(&request, 1, time)
    guard ready > 0 else { return ready == 0 || errno == EINTR }
    return withUnsafeTemporaryAllocation(byteCount: 1 << 18, alignment: 16) { buffer in
      let count = recv(channel, buffer.baseAddress, buffer.count, 0)
      guard count > 0 else { return count < 0 && errno == EINTR }
      reader.add(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      return true
    }
  }

  /// Handles a process that has ended by itself or no longer responds.
  private func died(_ state: inout State) -> Fate {
    // A process that has already ended keeps its status.
    let status = trim_end_worker(process, 1)
    let signal = status & 0x7F
    let fate = Fate.died(signal: signal != 0 ? signal : -(status >> 8 & 0xFF))
    state.end = fate
    return fate
  }

  /// Ends the process.
  private func ended(_ state: inout State, _ error: MediaError) -> Fate {
    finished(&state, .ended(EngineFailure(error)))
  }

  private func finished(_ state: inout State, _ fate: Fate) -> Fate {
    _ = trim_end_worker(process, 1)
    state.end = fate
    return fate
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
