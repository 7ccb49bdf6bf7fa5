import TerminalUI

/// How a terminal shows a screen.
struct ScreenLook: Hashable, Sendable {
  var pane = PicturePane()
  var palette = Palette(depth: .none)
  /// Pictures can be painted.
  var showsPictures = true
  /// Why there are none, for those who may wonder; `nil` where it was asked for.
  var noPicture: String?
}
