import CSystem
import CommandLineKit
import ExactTime
import MediaEngine

/// One line on stderr with the progress of a cut and the remaining time.
///
/// Drawn only where a line can be rewritten, after half a second has passed.
final class CutProgressLine {
  private let console: Console
  private let start = ContinuousClock.now
  private var next: ContinuousClock.Instant
  private var isShown = false

  init(console: Console) {
    self.console = console
    next = start + .milliseconds(500)
  }

  func report(_ step: CutProgress) {
    guard console.errTraits.redraws, !console.isQuiet else { return }
    let now = ContinuousClock.now
    guard now >= next else { return }
    next = now + .milliseconds(100)
    isShown = true
    trim_progress_line_is_shown(1)
    console.err.write(
      "\r\u{1B}[K"
        + Self.text(step, elapsed: now - start).prefix(ofCells: console.errTraits.columns - 1))
  }

  /// A line such as `writing 42 %, 3 s left`.
  static func text(_ step: CutProgress, elapsed: Duration) -> String {
    let done = step.share
    let percent = Int128(done.numerator) * 100 / Int128(done.denominator)
    guard done.isPositive, percent > 0 else { return "writing \(percent) %" }
    let (seconds, fraction) = elapsed.components
    let milliseconds = Int128(seconds) * 1000 + Int128(fraction / 1_000_000_000_000_000)
    let rest = Int128(done.denominator) - Int128(done.numerator)
    let left = (milliseconds * rest / Int128(done.numerator) + 500) / 1000
    return "writing \(percent) %, \(left) s left"
  }

  func clear() {
    guard isShown else { return }
    console.err.write("\r\u{1B}[K")
    trim_progress_line_is_shown(0)
    isShown = false
  }
}
