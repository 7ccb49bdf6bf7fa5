internal import CSystem
internal import Dispatch
internal import Synchronization
internal import Threads

/// Writes frames on a dedicated thread: a terminal that reads slowly, or no longer reads, blocks
/// only this thread.
final class TerminalWriter: Sendable {
  private struct State {
    /// The frame that is waiting or being written.
    var frame: [UInt8]?
    var failure: Int32 = 0
    var isFinished = false
  }

  private let state = Mutex(State())
  private let wake = DispatchSemaphore(value: 0)
  private let isIdle = DispatchSemaphore(value: 0)

  /// How long the last frame may take when the screen is released.
  private static let patience = DispatchTimeInterval.milliseconds(250)

  init() throws(TerminalError) {
    let isStarted = WaitingThread.run { [self] in serve() }
    guard isStarted else { throw .system(code: WaitingThread.noThreadLeft) }
  }

  /// - Returns: `false` if the previous frame is still being written; this one is dropped.
  func write(_ frame: [UInt8]) throws(TerminalError) -> Bool {
    let (failure, isTaken) = state.withLock { state in
      guard state.failure == 0, state.frame == nil, !state.isFinished else {
        return (state.failure, false)
      }
      if !frame.isEmpty { state.frame = frame }
      return (0, true)
    }
    guard failure == 0 else { throw .system(code: failure) }
    if isTaken, !frame.isEmpty { wake.signal() }
    return isTaken
  }

  /// Waits briefly for the frame being written, and accepts no more.
  func finish() {
    let isBusy = state.withLock { state in
      state.isFinished = true
      return state.frame != nil
    }
    wake.signal()
    if isBusy { _ = isIdle.wait(timeout: .now() + Self.patience) }
  }

  private func serve() {
    while true {
      wake.wait()
      let (frame, isFinished) = state.withLock { ($0.frame, $0.isFinished) }
      guard let frame else {
        if isFinished { return }
        continue
      }
      let failure = trim_terminal_draw(frame, frame.count)
      let isLast = state.withLock { state in
        state.frame = nil
        // The shell has the screen: everything will be repainted.
        if Int(failure) != TRIM_TERMINAL_BUSY { state.failure = failure }
        return state.isFinished
      }
      if isLast { isIdle.signal() }
    }
  }
}
