internal import CSystem

/// Waits for terminal input, signals and the stop request, and turns them into events.
struct TerminalReader {
  private let descriptor: Int32
  private let wake: WakePipe
  private let environment: [String: String]
  private var decoder = KeyDecoder()
  private var isClosed = false

  init(descriptor: Int32, wake: WakePipe, environment: [String: String]) {
    self.descriptor = descriptor
    self.wake = wake
    self.environment = environment
  }

  /// The next events, possibly none after a timeout; `nil` when there will be no more.
  mutating func next(silence: Int32) -> [TerminalEvent]? {
    guard !isClosed else { return nil }
    let signals = trim_terminal_signals()
    let wait = decoder.isWaiting ? silence : -1
    let ready = trim_terminal_wait(descriptor, signals, wake.readEnd, wait)
    guard ready >= 0, ready & 4 == 0 else { return nil }
    if ready == 0 { return decoder.flush() }
    var events: [TerminalEvent] = []
    if ready & 2 != 0 { events += read(signals).flatMap { event(signal: $0) } }
    if ready & 1 != 0 {
      let bytes = read(descriptor)
      if bytes.isEmpty {
        isClosed = true
        events.append(.closed)
      }
      events += decoder.decode(bytes)
    }
    return events
  }

  private func event(signal: UInt8) -> [TerminalEvent] {
    if let request = EndSignal(rawValue: Int32(signal)) { return [.asked(request)] }
    let size = TerminalEvent.resized(Size(ofTerminal: descriptor, environment: environment))
    // The window may have changed while the job was stopped.
    return Int32(signal) == Int32(TRIM_TERMINAL_CONTINUED) ? [.continued, size] : [size]
  }

  private func read(_ descriptor: Int32) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
      count = trim_terminal_read(descriptor, buffer.baseAddress, buffer.count)
    }
  }
}
