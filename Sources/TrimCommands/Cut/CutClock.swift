import MediaEngine

/// Determines when a cut has to stop, and why it did.
struct CutClock: Sendable {
  private let deadline: ContinuousClock.Instant?
  private let interruption: @Sendable () -> Int32

  /// - Parameter timeout: counted from now; `nil` for no limit.
  init(_ timeout: Duration?, in tool: Tool) {
    deadline = timeout.map { ContinuousClock.now + $0 }
    interruption = tool.interruption
  }

  private var isLate: Bool { deadline.map { ContinuousClock.now >= $0 } ?? false }

  /// Called from inside long loops, on any thread.
  func isOver() -> Bool { interruption() != 0 || isLate }

  /// The error of a cut that was stopped by its timeout, worded accordingly.
  func worded(_ error: MediaError) -> MediaError {
    guard error.code == .cancelled, interruption() == 0, isLate else { return error }
    return MediaError(.timedOut, "it took longer than --timeout allows", hint: "Give it more time.")
  }
}
