import ExactTime
import TerminalUI
import Trimming

/// A screen on one file, as ``ScreenRun`` shows it.
@MainActor protocol MediaScreen: AnyObject {
  var presenter: TrimmingPresenter { get }
  /// Seconds of media per second.
  var speed: Rational { get }
  /// The model that is read out as sentences instead of a screen.
  var model: PlayModel { get }
  /// How the terminal shows it.
  var look: ScreenLook { get set }
  /// Requests the pictures that belong on the screen now.
  ///
  /// - Returns: `true` while the current picture is being made: a repaint follows.
  func wantPictures(on size: Size) -> Bool
  func canvas(size: Size) -> Canvas
  func take(_ key: Key) -> PlayController.Reply
  func take(_ mouse: Mouse, on size: Size)
  func paste(_ text: String)
}
