import CSystem
import CommandLineKit
import MediaEngine
import Synchronization

/// One line on stderr with the progress of a scan, rewritten in place.
///
/// Drawn only where a line can be rewritten, and only once half a second has passed.
final class ProgressLine: Sendable {
  private struct State {
    var nextDrawing: ContinuousClock.Instant
    var filesDone = 0
    var isShown = false
  }

  private let console: Console
  private let isSeveral: Bool
  private let isEnabled: Bool
  private let now: @Sendable () -> ContinuousClock.Instant
  private let state: Mutex<State>

  private static let patience = Duration.milliseconds(500)
  private static let interval = Duration.milliseconds(100)

  init(
    console: Console, isSeveral: Bool,
    now: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }
  ) {
    self.console = console
    self.now = now
    self.isSeveral = isSeveral
    isEnabled = console.errTraits.redraws && !console.isQuiet
    state = Mutex(State(nextDrawing: now() + Self.patience))
  }

  func report(_ step: ProbeProgress) {
    guard isEnabled else { return }
    state.withLock { state in
      let now = now()
      guard now >= state.nextDrawing else { return }
      state.nextDrawing = now + Self.interval
      draw(isSeveral ? "\(state.filesDone) files done" : Self.text(step), &state)
    }
  }

  func fileDone() {
    guard isEnabled else { return }
    state.withLock { state in
      state.filesDone += 1
      erase(&state)
      // The next file gets its own half-second delay.
      if !isSeveral { state.nextDrawing = now() + Self.patience }
    }
  }

  func clear() {
    guard isEnabled else { return }
    state.withLock { erase(&$0) }
  }

  /// A line such as `scanning 42 %, 12.6 MB of 30.0 MB`.
  static func text(_ step: ProbeProgress) -> String {
    guard let total = step.bytesTotal, total > 0 else {
      return "scanning, \(ByteCount.text(step.bytesDone)) read"
    }
    let done = min(max(0, step.bytesDone), total)
    let percent = Int128(done) * 100 / Int128(total)
    return "scanning \(percent) %, \(ByteCount.text(done)) of \(ByteCount.text(total))"
  }

  private func draw(_ text: String, _ state: inout State) {
    trim_progress_line_is_shown(1)
    state.isShown = true
    console.err.write("\r\u{1B}[K" + text.prefix(ofCells: console.errColumns - 1))
  }

  private func erase(_ state: inout State) {
    guard state.isShown else { return }
    console.err.write("\r\u{1B}[K")
    trim_progress_line_is_shown(0)
    state.isShown = false
  }
}
