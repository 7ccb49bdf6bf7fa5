import MediaEngine
import TerminalUI
import Testing

@testable import TrimCommands

@Suite struct `Given the place of a picture on a screen` {
  private static let cell = CellPixels(width: 10, height: 20)

  private func image(
    _ manner: PicturePane.Manner, width: Int, height: Int, columns: Range<Int>, rows: Range<Int>
  ) -> CellImage? {
    let picture = Picture(
      width: width, height: height, pixels: Array(repeating: 9, count: width * height * 3))
    var canvas = Canvas(size: Size(columns: 100, rows: 40))
    PicturePane(manner: manner).draw(picture, on: &canvas, columns: columns, rows: rows)
    return canvas.image
  }

  @Test func `as many pixels are asked for as its cells have`() {
    #expect(PicturePane().size(columns: 30, rows: 10) == .within(width: 30, height: 20))
    #expect(
      PicturePane(manner: .image(Self.cell)).size(columns: 30, rows: 10)
        == .within(width: 300, height: 200))
    #expect(
      PicturePane(manner: .image(nil)).size(columns: 30, rows: 10)
        == .within(width: 240, height: 160))
    #expect(PicturePane(manner: .image(Self.cell)).size(columns: 0, rows: 10) == nil)
  }

  @Test func `a large screen asks for no more than is worth its transport`() {
    #expect(
      PicturePane(manner: .image(Self.cell)).size(columns: 400, rows: 90)
        == .within(width: 960, height: 540))
  }

  @Test(arguments: [(640, 360), (360, 640), (100, 100), (1, 500), (500, 1), (426, 240)])
  func `an image keeps its shape, in the middle and within its cells`(_ width: Int, _ height: Int)
    throws
  {
    let (columns, rows) = (1..<79, 1..<13)
    let shown = try #require(
      image(.image(Self.cell), width: width, height: height, columns: columns, rows: rows))
    #expect(shown.rows == nil)
    #expect((1...columns.count).contains(shown.columns))
    // The terminal makes it as high as its width wants.
    let high = shown.columns * Self.cell.width * height
    #expect(high <= rows.count * Self.cell.height * width || shown.columns == 1)
    let isLargest =
      shown.columns == columns.count
      || (shown.columns + 1) * Self.cell.width * height > rows.count * Self.cell.height * width
    #expect(isLargest)
    let left = shown.position.column - columns.lowerBound
    let right = columns.upperBound - shown.position.column - shown.columns
    #expect((0...1).contains(right - left))
    #expect(rows.contains(shown.position.row))
  }

  @Test func `a terminal that does not tell its cells is told the rows`() throws {
    let shown = try #require(
      image(.image(nil), width: 160, height: 90, columns: 0..<78, rows: 0..<12))
    #expect(shown.rows == 12)
    #expect(shown.columns == 42)
  }

  @Test func `half blocks are cells and no image`() {
    #expect(image(.halfBlocks, width: 4, height: 4, columns: 0..<9, rows: 0..<9) == nil)
  }
}
