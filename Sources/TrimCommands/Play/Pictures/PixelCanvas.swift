import MediaEngine
import TerminalUI

/// A picture composed of other pictures and bars.
struct PixelCanvas {
  let width: Int
  let height: Int
  private var pixels: [UInt8]

  init(width: Int, height: Int, _ background: RGBColor) {
    self.width = width
    self.height = height
    let row = (0..<width).flatMap { _ in [background.red, background.green, background.blue] }
    pixels = []
    pixels.reserveCapacity(width * height * 3)
    for _ in 0..<height { pixels += row }
  }

  var picture: Picture { Picture(width: width, height: height, pixels: pixels) }

  /// Draws a picture, clipped to the canvas.
  mutating func draw(_ picture: Picture, x: Int, y: Int) {
    let (left, right) = (max(0, x), min(width, x + picture.width))
    guard left < right else { return }
    for row in max(0, y)..<max(max(0, y), min(height, y + picture.height)) {
      let source = ((row - y) * picture.width + left - x) * 3
      let target = (row * width + left) * 3
      let count = (right - left) * 3
      pixels.replaceSubrange(
        target..<target + count, with: picture.pixels[source..<source + count])
    }
  }

  /// Colors a column of pixels.
  mutating func bar(x: Int, rows: Range<Int>, _ color: RGBColor) {
    guard 0..<width ~= x else { return }
    for row in rows.clamped(to: 0..<height) {
      let offset = (row * width + x) * 3
      pixels[offset] = color.red
      pixels[offset + 1] = color.green
      pixels[offset + 2] = color.blue
    }
  }
}
