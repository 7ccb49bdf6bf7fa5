import MediaEngine

/// Tells when a cut has to end, and why it did.
struct CutClock: Sendable {
  private let deadline: ContinuousClock.Instant?
  private let interruption: @Sendable () -> Int32

  /// - Parameter timeout: from now on; `nil` for as long as it takes.
  init(_ timeout: Duration?, in tool: Tool) {
    deadline = timeout.map { ContinuousClock.now + $0 }
    interruption = tool.interruption
  }

  private var isLate: Bool { deadline.map { ContinuousClock.now >= $0 } ?? false }

  /// Asked from inside long loops, on any thread.
  func isOver() -> Bool { interruption() != 0 || isLate }

  /// A cut that was ended because it was late says so.
  func worded(_ error: CutError) -> CutError {
    guard error.code == .cancelled, interruption() == 0, isLate else { return error }
    return CutError(.timedOut, "it took longer than --timeout allows", hint: "Give it more time.")
  }
}
