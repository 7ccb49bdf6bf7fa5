import CommandLineKit
import MediaEngine
import TerminalUI

/// Pictures side by side in terminal lines: two pixels per cell, one above the other.
struct StripDrawing {
  /// Pictures in a row.
  let columns: Int
  /// The width of each picture in cells.
  let tileWidth: Int
  private let painter: TerminalUI.Painter

  private static let usualTile = 24

  /// Returns `nil` if the output does not support color.
  ///
  /// - Parameter columns: the maximum number of pictures in a row.
  init?(_ traits: StreamTraits, _ environment: Environment, count: Int, columns: Int?) {
    let capabilities = Capabilities(environment: environment.terminalVariables)
    guard traits.isTerminal, traits.usesColor, capabilities.depth != .none else { return nil }
    painter = TerminalUI.Painter(depth: capabilities.depth, isUTF8: traits.isUTF8)
    let fitting = max(1, traits.columns / Self.usualTile)
    self.columns = max(1, min(count, columns ?? fitting))
    tileWidth = max(1, traits.columns / self.columns)
  }

  func bytes(_ picture: Picture) -> [UInt8] {
    let size = Size(columns: picture.width, rows: (picture.height + 1) / 2)
    var canvas = Canvas(size: size)
    HalfBlocks(picture: picture, dithers: painter.depth == .sixteen).draw(
      on: &canvas, columns: 0..<size.columns, rows: 0..<size.rows)
    return painter.lines(of: canvas)
  }
}
