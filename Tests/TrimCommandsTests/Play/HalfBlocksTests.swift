import CommandLineKit
import MediaEngine
import TerminalUI
import Testing

@testable import TrimCommands

@Suite struct `Given a picture in half blocks` {
  /// White above red, then blue above blue.
  private let picture = Picture(
    width: 2, height: 2, pixels: [255, 255, 255, 0, 0, 255, 255, 0, 0, 0, 0, 255])

  @Test func `a cell's foreground is the upper pixel and its background the lower`() {
    var canvas = Canvas(size: Size(columns: 2, rows: 1))
    HalfBlocks(picture: picture).draw(on: &canvas, columns: 0..<2, rows: 0..<1)
    let (white, red, blue) = (
      Color.rgb(255, 255, 255), Color.rgb(255, 0, 0), Color.rgb(0, 0, 255)
    )
    #expect(canvas[0, 0] == Cell(Glyph("▀"), style: Style(foreground: white, background: red)))
    #expect(canvas[1, 0] == Cell(.blank, style: Style(background: blue)))
  }
}
