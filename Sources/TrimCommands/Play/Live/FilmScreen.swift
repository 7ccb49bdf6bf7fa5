import ExactTime
import TerminalUI
import Trimming

/// A screen on one film, as ``ScreenRun`` shows it.
@MainActor protocol FilmScreen: AnyObject {
  var presenter: TrimmingPresenter { get }
  /// Seconds of film a second.
  var speed: Rational { get }
  /// What sentences tell of it, in place of a screen.
  var model: PlayModel { get }
  func canvas(size: Size) -> Canvas
  func take(_ key: Key) -> PlayController.Reply
  func take(_ mouse: Mouse, on size: Size)
  func paste(_ text: String)
}
