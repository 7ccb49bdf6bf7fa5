import CSystem
import Dispatch
import Glibc
import JSON
import Synchronization
import Threads

/// How the process that fetches is started.
package enum FetcherIsolation: Sendable, Hashable {
  /// Sealed as far as the system can; `isRequired`: completely, or not at all.
  case sealed(isRequired: Bool)
  /// In a process that is not sealed.
  case unsealed
  /// On a thread of this process: only for tests.
  case here
}

/// A process that fetches, as seen by the command: it ends when the link is released.
final class FetcherLink: Sendable {
  /// One request that was sent.
  final class Exchange: Sendable {
    struct State {
      var head: WireHead?
      var body: [UInt8] = []
      var end: WireEnd?
      /// Whether the process ended, or said something that it must not.
      var isLost = false
    }

    let state = Mutex(State())
    let isOver = DispatchSemaphore(value: 0)
  }

  private struct State {
    var channel: Int32 = -1
    var lastID: Int64 = 0
    var waiting: [Int64: Exchange] = [:]
    var greeting: WireGreeting?
    var added: JSONValue?
    var isOver = false
  }

  private let state = Mutex(State())
  private let turn = Mutex(())
  private let isReady = DispatchSemaphore(value: 0)
  private let hasAnswered = DispatchSemaphore(value: 0)

  private init() {}

  deinit {
    let channel = state.withLock { $0.channel }
    if channel >= 0 { close(channel) }
  }

  /// - Throws: ``FetchFault``: `fetcherMissing`, `notIsolated`.
  static func start(_ isolation: FetcherIsolation) throws(FetchFault) -> FetcherLink {
    let link = FetcherLink()
    // A child dies with the thread that started it: this one waits for what it says.
    guard WaitingThread.run({ link.serve(isolation) }) else {
      throw FetchFault(
        .fetcherMissing, "the process that fetches cannot be started: no thread is left")
    }
    link.isReady.wait()
    let greeting = link.state.withLock { $0.greeting }
    guard let greeting else {
      throw FetchFault(.fetcherMissing, "the process that fetches cannot be started")
    }
    if let failure = greeting.failure {
      link.end()
      throw FetchFault(
        .fetcherMissing, "addresses cannot be fetched: \(failure)",
        hint: "On Debian: apt-get install \(FetchLibrary.debianPackages)")
    }
    let essential = UInt32(
      TRIM_LAYER_LIMITS | TRIM_LAYER_NO_NEW_PRIVILEGES | TRIM_LAYER_CALLS)
    if isolation == .sealed(isRequired: true), greeting.layers & essential != essential {
      link.end()
      throw FetchFault(
        .notIsolated, "this system cannot sandbox the process that would fetch it",
        hint: "'trim doctor' lists the layers. Without required isolation, trim runs anyway.")
    }
    return link
  }

  /// The layers of its seal, and the version of libcurl.
  var greeting: WireGreeting { state.withLock { $0.greeting } ?? WireGreeting() }

  var isAlive: Bool { state.withLock { !$0.isOver } }

  /// Ends the process.
  func end() {
    state.withLock { state in
      if state.channel >= 0, !state.isOver { shutdown(state.channel, Int32(SHUT_RDWR)) }
    }
  }

  /// Sends a request.
  ///
  /// - Parameter socket: a connected socket, which this call takes; -1 for none.
  /// - Returns: `nil` when the process is gone.
  func send(_ request: WireRequest, socket: Int32) -> (id: Int64, exchange: Exchange)? {
    defer { if socket >= 0 { close(socket) } }
    let exchange = Exchange()
    let place = state.withLock { state -> (id: Int64, channel: Int32)? in
      guard !state.isOver else { return nil }
      state.lastID += 1
      state.waiting[state.lastID] = exchange
      return (state.lastID, state.channel)
    }
    guard let place else { return nil }
    var asked = request
    asked.id = place.id
    asked.hasSocket = socket >= 0
    guard let coded = try? JSONValue.encoded(asked),
      post(EngineMessage(head: coded), socket, on: place.channel)
    else {
      state.withLock { $0.waiting[place.id] = nil }
      return nil
    }
    return (place.id, exchange)
  }

  /// Nobody waits for that request any more.
  func stop(_ id: Int64) {
    let channel = state.withLock { state -> Int32? in
      state.waiting[id] = nil
      return state.isOver ? nil : state.channel
    }
    guard let channel else { return }
    _ = post(EngineMessage(head: .object(["stop": .integer(id)])), -1, on: channel)
  }

  /// What a request of a test is answered.
  func added(_ name: String) -> JSONValue? {
    let channel = state.withLock { $0.channel }
    guard post(EngineMessage(head: .object(["added": .string(name)])), -1, on: channel),
      hasAnswered.wait(timeout: .now() + .seconds(20)) == .success
    else { return nil }
    return state.withLock { $0.added }
  }

  private func post(_ message: EngineMessage, _ socket: Int32, on channel: Int32) -> Bool {
    let bytes = message.bytes
    return turn.withLock { _ in
      withUnsafePointer(to: socket) {
        trim_send(channel, bytes, bytes.count, $0, socket >= 0 ? 1 : 0) == 0
      }
    }
  }

  private func serve(_ isolation: FetcherIsolation) {
    var process: pid_t = -1
    var channel: Int32 = -1
    var failure: Int32
    if isolation == .here {
      failure = Self.startHere(&channel)
    } else {
      let words = [FetchProcess.command] + (isolation == .unsealed ? [FetchProcess.unsealed] : [])
      var arguments = words.map { (word: String) in strdup(word) } + [nil]
      failure = arguments.withUnsafeMutableBufferPointer { list in
        list.baseAddress.map { trim_start_workers(&process, &channel, 1, $0) } ?? EINVAL
      }
      for word in arguments { free(word) }
    }
    if failure == 0 {
      state.withLock { $0.channel = channel }
      listen(channel)
    }
    let left = state.withLock { state in
      state.isOver = true
      defer { state.waiting = [:] }
      return state.waiting.values
    }
    for exchange in left { Self.lose(exchange) }
    isReady.signal()
    hasAnswered.signal()
    if process > 0 { _ = trim_end_worker(process, 1) }
  }

  private static func startHere(_ channel: inout Int32) -> Int32 {
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else { return errno }
    channel = ends[0]
    let other = ends[1]
    let isStarted = WaitingThread.run {
      let loop = FetchLoop(input: other, output: other)
      var greeting = WireGreeting()
      greeting.failure = loop.load()
      if let coded = try? JSONValue.encoded(greeting) { loop.say(EngineMessage(head: coded)) }
      loop.run()
      close(other)
    }
    return isStarted ? 0 : WaitingThread.noThreadLeft
  }

  private static func lose(_ exchange: Exchange) {
    exchange.state.withLock { $0.isLost = true }
    exchange.isOver.signal()
  }

  private func listen(_ channel: Int32) {
    var reader = EngineMessage.Reader()
    while true {
      let isThere = withUnsafeTemporaryAllocation(byteCount: 1 << 18, alignment: 16) { buffer in
        var count: Int
        repeat {
          count = recv(channel, buffer.baseAddress, buffer.count, 0)
        } while count < 0
          && errno == EINTR
        guard count > 0 else { return false }
        reader.add(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        return true
      }
      guard isThere else { return }
      do {
        while let message = try reader.next() {
          guard heard(message) else { return }
        }
      } catch {
        return
      }
    }
  }

  /// - Returns: `false` for what the process must not say: it may have been taken over.
  private func heard(_ message: EngineMessage) -> Bool {
    let head = message.head
    if let id = head["body"]?.exactInteger {
      return withExchange(id) { $0.body += message.body }
    }
    if let id = head["head"]?.exactInteger {
      guard let found = head["is"], let value = try? found.decoded(as: WireHead.self) else {
        return false
      }
      return withExchange(id) { $0.head = value }
    }
    if let id = head["end"]?.exactInteger {
      guard let found = head["is"], let value = try? found.decoded(as: WireEnd.self) else {
        return false
      }
      let exchange = state.withLock { $0.waiting.removeValue(forKey: id) }
      guard let exchange else { return true }
      exchange.state.withLock { $0.end = value }
      exchange.isOver.signal()
      return true
    }
    if let found = head["added"] {
      state.withLock { $0.added = found }
      hasAnswered.signal()
      return true
    }
    guard let greeting = try? head.decoded(as: WireGreeting.self) else { return false }
    let isFirst = state.withLock { state in
      defer { state.greeting = state.greeting ?? greeting }
      return state.greeting == nil
    }
    if isFirst { isReady.signal() }
    return isFirst
  }

  /// The most bytes that one answer can have.
  static let mostBodyBytes = 64 << 20

  private func withExchange(_ id: Int64, _ change: (inout Exchange.State) -> Void) -> Bool {
    // It may have been stopped meanwhile.
    guard let exchange = state.withLock({ $0.waiting[id] }) else { return true }
    return exchange.state.withLock { state in
      change(&state)
      return state.body.count <= Self.mostBodyBytes
    }
  }
}
