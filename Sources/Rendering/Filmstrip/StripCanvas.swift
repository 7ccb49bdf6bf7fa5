public import MediaFiles

extension Picture {
  /// Joins pictures side by side from the left, each in the size of the first.
  ///
  /// - Throws: ``MediaError``; `noPicture` for none, `limitExceeded` for too many.
  public init(sideBySide pictures: [Picture]) throws(MediaError) {
    guard let first = pictures.first else {
      throw MediaError(.noPicture, "there is no frame here")
    }
    var canvas = try StripCanvas(
      tile: first, count: pictures.count, columns: pictures.count)
    for (position, picture) in pictures.enumerated() { canvas.place(picture, at: position) }
    self = canvas.picture
  }
}

/// A large picture to which smaller ones are added.
struct StripCanvas {
  let tileWidth: Int
  let tileHeight: Int
  private let columns: Int
  private let width: Int
  private let height: Int
  private var pixels: [UInt8]

  init(tile: Picture, count: Int, columns: Int) throws(MediaError) {
    tileWidth = tile.width
    tileHeight = tile.height
    self.columns = columns
    width = tile.width * columns
    height = tile.height * ((count + columns - 1) / columns)
    guard width <= Self.longestSide, height <= Self.longestSide,
      width * height <= Self.mostPixels
    else {
      throw MediaError(
        .limitExceeded, "the strip would be \(width)x\(height) pixels, more than allowed",
        hint: "Use fewer frames, or narrower ones.")
    }
    pixels = [UInt8](repeating: 0, count: width * height * 3)
  }

  private static let longestSide = 65_500
  private static let mostPixels = 1 << 26

  var picture: Picture { Picture(width: width, height: height, pixels: pixels) }

  /// Places a picture; one with a different size, as after a change within a file, is cropped or
  /// does not fill its tile.
  mutating func place(_ tile: Picture, at position: Int) {
    let left = position % columns * tileWidth
    let top = position / columns * tileHeight
    let row = min(tile.width, tileWidth) * 3
    for y in 0..<min(tile.height, tileHeight) {
      let target = ((top + y) * width + left) * 3
      let source = y * tile.width * 3
      pixels.replaceSubrange(target..<target + row, with: tile.pixels[source..<source + row])
    }
  }
}
