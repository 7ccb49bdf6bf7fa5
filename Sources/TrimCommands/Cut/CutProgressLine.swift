import CSystem
import CommandLineKit
import ExactTime
import MediaEngine
import Synchronization

/// One line on stderr with the progress of a cut or a search, and the remaining time.
///
/// Drawn only where a line can be rewritten, after half a second has passed.
final class CutProgressLine: Sendable {
  private struct State {
    var next: ContinuousClock.Instant
    var isShown = false
  }

  private let console: Console
  private let verb: String
  private let start: ContinuousClock.Instant
  private let state: Mutex<State>

  /// - Parameter verb: what is done, such as `writing`.
  init(console: Console, doing verb: String = "writing") {
    let now = ContinuousClock.now
    self.console = console
    self.verb = verb
    start = now
    state = Mutex(State(next: now + .milliseconds(500)))
  }

  @Sendable func report(_ step: CutProgress) {
    guard console.errTraits.redraws, !console.isQuiet else { return }
    state.withLock { state in
      let now = ContinuousClock.now
      guard now >= state.next else { return }
      state = State(next: now + .milliseconds(100), isShown: true)
      trim_progress_line_is_shown(1)
      let text = Self.text(step, elapsed: now - start, doing: verb)
      console.err.write("\r\u{1B}[K" + text.prefix(ofCells: console.errTraits.columns - 1))
    }
  }

  /// A line such as `writing 42 %, 3 s left`.
  static func text(
    _ step: CutProgress, elapsed: Duration, doing verb: String = "writing"
  ) -> String {
    let done = step.share
    let percent = Int128(done.numerator) * 100 / Int128(done.denominator)
    guard done.isPositive, percent > 0 else { return "\(verb) \(percent) %" }
    let (seconds, fraction) = elapsed.components
    let milliseconds = Int128(seconds) * 1000 + Int128(fraction / 1_000_000_000_000_000)
    let rest = Int128(done.denominator) - Int128(done.numerator)
    let left = (milliseconds * rest / Int128(done.numerator) + 500) / 1000
    return "\(verb) \(percent) %, \(left) s left"
  }

  func clear() {
    state.withLock { state in
      guard state.isShown else { return }
      console.err.write("\r\u{1B}[K")
      trim_progress_line_is_shown(0)
      state.isShown = false
    }
  }
}
