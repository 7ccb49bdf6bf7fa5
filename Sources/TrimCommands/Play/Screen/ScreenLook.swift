import TerminalUI

/// How a terminal shows a screen.
struct ScreenLook: Hashable, Sendable {
  var pane = PicturePane()
  var palette = Palette(depth: .none)
  /// Whether pictures can be painted.
  var showsPictures = true
  /// Why there are none, for display; `nil` if the user turned them off.
  var noPicture: String?
}
