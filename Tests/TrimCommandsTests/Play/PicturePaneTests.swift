import ExactTime
import MediaEngine
import TerminalUI
import Testing

@testable import TrimCommands

@Suite struct `Given the area of a picture on a screen` {
  struct Place: CustomTestStringConvertible, Sendable {
    let cell: CellPixels?
    let columns: Int
    let rows: Int

    var testDescription: String {
      "\(columns)x\(rows) cells of \(cell?.width ?? 0)x\(cell?.height ?? 0)"
    }
  }

  private static let places = [
    Place(cell: CellPixels(width: 10, height: 20), columns: 78, rows: 12),
    Place(cell: CellPixels(width: 9, height: 18), columns: 198, rows: 42),
    Place(cell: CellPixels(width: 7, height: 15), columns: 118, rows: 25),
    Place(cell: CellPixels(width: 11, height: 23), columns: 397, rows: 89),
    Place(cell: nil, columns: 78, rows: 12),
    Place(cell: CellPixels(width: 8, height: 16), columns: 1, rows: 1),
  ]
  private static let green: [UInt8] = [1, 254, 3]

  private func shown(_ picture: Picture, _ place: Place) -> CellImage? {
    var canvas = Canvas(size: Size(columns: 500, rows: 100))
    PicturePane(style: .images, cell: place.cell).draw(
      picture, on: &canvas, columns: 1..<1 + place.columns, rows: 1..<1 + place.rows)
    return canvas.images[.first]
  }

  /// The part of an image that is the picture, in pixels of the screen.
  private func measured(_ image: CellImage, _ cell: CellPixels) -> (width: Int, height: Int) {
    func isGreen(_ x: Int, _ y: Int) -> Bool {
      let offset = (y * image.width + x) * 3
      return Array(image.pixels[offset..<offset + 3]) == Self.green
    }
    let (x, y) = (image.width / 2, image.height / 2)
    let wide = (0..<image.width).filter { isGreen($0, y) }.count
    let high = (0..<image.height).filter { isGreen(x, $0) }.count
    return (
      wide * image.columns * cell.width / image.width,
      high * image.rows * cell.height / image.height
    )
  }

  @Test(arguments: places, [(16, 9), (9, 16), (1, 1), (4, 3), (64, 27)])
  func `an image keeps its aspect ratio to within a row of pixels, centered in its cells`(
    _ place: Place, _ shape: (Int, Int)
  ) throws {
    let pane = PicturePane(style: .images, cell: place.cell)
    let wanted = try #require(pane.size(columns: place.columns, rows: place.rows))
    guard case .within(let mostWidth, let mostHeight) = wanted else {
      Issue.record("a shape of pixels was asked for")
      return
    }
    #expect(mostWidth * mostHeight <= 960 * 540)
    // As the engine fits it, to the nearest pixel.
    func fitted(_ other: Int, _ one: Int, to most: Int) -> Int {
      max(1, (2 * most * other + one) / (2 * one))
    }
    var (width, height) = (mostWidth, fitted(shape.1, shape.0, to: mostWidth))
    if height > mostHeight {
      (width, height) = (fitted(shape.0, shape.1, to: mostHeight), mostHeight)
    }
    let row = [[UInt8]](repeating: Self.green, count: width).joined()
    let picture = Picture(
      width: width, height: height,
      pixels: Array([[UInt8]](repeating: Array(row), count: height).joined()))
    let image = try #require(shown(picture, place))
    let cell = place.cell ?? CellPixels(width: 8, height: 16)
    // Whole pixels: each sent pixel is square on the screen, and none is clipped.
    #expect(image.columns * cell.width * image.height == image.rows * cell.height * image.width)
    #expect(image.columns * cell.width % image.width == 0)
    #expect((1...1 + place.columns - image.columns).contains(image.position.column))
    #expect((1...1 + place.rows - image.rows).contains(image.position.row))
    let (wide, high) = measured(image, cell)
    let scale = image.columns * cell.width / image.width
    let exact = Double(wide) * Double(shape.1) / Double(shape.0)
    let tolerance = Double(scale) * max(1, Double(shape.1) / Double(shape.0))
    #expect(abs(Double(high) - exact) <= tolerance || place.columns == 1, "\(wide)x\(high)")
  }

  @Test func `a picture made for a larger screen is not drawn distorted`() {
    let picture = Picture(
      width: 900, height: 500, pixels: [UInt8](repeating: 9, count: 900 * 500 * 3))
    let place = Place(cell: CellPixels(width: 10, height: 20), columns: 20, rows: 5)
    #expect(shown(picture, place) == nil)
  }

  @Test func `half blocks have the right pixel count, and the aspect ratio of the cells`() {
    #expect(PicturePane().size(columns: 30, rows: 10) == .within(width: 30, height: 20))
    #expect(
      PicturePane(cell: CellPixels(width: 8, height: 16)).size(columns: 30, rows: 10)
        == .within(width: 30, height: 20))
    #expect(
      PicturePane(cell: CellPixels(width: 6, height: 13)).size(columns: 30, rows: 10)
        == .withinPixels(width: 30, height: 20, aspect: Rational(12, 13)))
    #expect(PicturePane().size(columns: 0, rows: 10) == nil)
  }

  @Test func `half blocks are cells, not an image`() {
    var canvas = Canvas(size: Size(columns: 9, rows: 9))
    let picture = Picture(width: 4, height: 4, pixels: [UInt8](repeating: 9, count: 48))
    PicturePane().draw(picture, on: &canvas, columns: 0..<9, rows: 0..<9)
    #expect(canvas.images.isEmpty)
    #expect(canvas[3, 3].style.background == .rgb(9, 9, 9))
  }

  @Test func `small pictures side by side are evenly spaced`() {
    for (widths, room) in [
      ([10, 10, 10], 40), ([21, 21, 21, 21], 100), ([9], 30), ([50, 50], 60),
    ] {
      let places = EditStrip.places(widths, in: room)
      let gaps = zip(zip(places, widths), places.dropFirst()).map { $1 - $0.0 - $0.1 }
      #expect(Set(gaps).count <= 1)
      if let first = places.first, let last = places.last, let width = widths.last {
        #expect(abs(first - (room - last - width)) <= 1 || widths.reduce(0, +) > room)
      }
    }
  }
}
