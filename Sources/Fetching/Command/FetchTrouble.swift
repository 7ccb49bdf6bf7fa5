/// An attempt that failed.
struct FetchTrouble: Error {
  var fault: FetchFault
  /// Whether another attempt may succeed.
  var isPassing = false
  /// How long the server, or its kind, wants to be left alone; `nil` for the usual pause.
  var pause: Duration?
  /// The bytes of a range that came before.
  var arrived: [UInt8] = []
  /// Whether the answer is right so far, and only its end is missing.
  var isOfEnd = false

  init(
    _ fault: FetchFault, isPassing: Bool = false, pause: Duration? = nil, arrived: [UInt8] = []
  ) {
    self.fault = fault
    self.isPassing = isPassing
    self.pause = pause
    self.arrived = arrived
  }
}

/// The attempts of one request: how many there were, and when they end.
struct Attempts {
  /// By when all of them must be over.
  let end: ContinuousClock.Instant
  private let fetcher: Fetcher
  private let start: ContinuousClock.Instant
  private var failed = 0

  init(_ fetcher: Fetcher, until end: ContinuousClock.Instant) {
    self.fetcher = fetcher
    self.end = end
    start = .now
  }

  /// Waits until another attempt may begin.
  ///
  /// - Throws: the reason, where there is none.
  mutating func again(after trouble: FetchTrouble) throws(FetchFault) {
    let limits = fetcher.limits
    failed += 1
    guard trouble.isPassing, failed <= limits.retries else { throw trouble.fault }
    // Where nothing listens, only the moment of a restart is waited for.
    if trouble.fault.code == .serverUnreachable, failed > 1 { throw trouble.fault }
    let usual = limits.pause * (1 << min(failed - 1, 10))
    let pause = trouble.pause ?? usual
    let next = ContinuousClock.now + pause
    guard next <= start + limits.patience, next <= end else {
      var fault = trouble.fault
      if trouble.pause.map({ $0 > .zero }) ?? false {
        fault.message += "; it asks for a pause of \(pause.milliseconds / 1000) seconds"
      }
      throw fault
    }
    while ContinuousClock.now < next {
      if fetcher.isInterrupted() { throw .cancelled }
      Pause.sleep(min(.milliseconds(50), ContinuousClock.now.duration(to: next)))
    }
  }
}
