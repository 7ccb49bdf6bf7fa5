/// A picture in RGB with eight bits per channel, upright, with square pixels.
public struct Picture: Sendable, Hashable {
  /// Width in pixels, after rotation and with square pixels.
  public let width: Int
  /// Height in pixels, after rotation and with square pixels.
  public let height: Int
  /// Red, green and blue of each pixel, row by row from the top, without gaps.
  public let pixels: [UInt8]

  /// Creates a picture from its pixels.
  ///
  /// - Precondition: both sides are at least 1, and there are three bytes for each pixel.
  public init(width: Int, height: Int, pixels: [UInt8]) {
    precondition(width > 0 && height > 0 && pixels.count == width * height * 3)
    self.width = width
    self.height = height
    self.pixels = pixels
  }

  /// The size of the pixels in bytes.
  public var byteCount: Int { pixels.count }
}

extension Picture {
  /// The picture as a player shows it: first flipped vertically, then rotated clockwise.
  package func turned(byQuarters quarters: Int, isMirrored: Bool) -> Picture {
    let quarters = ((quarters % 4) + 4) % 4
    guard quarters != 0 || isMirrored else { return self }
    let isSideways = quarters % 2 == 1
    let (newWidth, newHeight) = isSideways ? (height, width) : (width, height)
    var turned: [UInt8] = []
    turned.reserveCapacity(pixels.count)
    for y in 0..<newHeight {
      for x in 0..<newWidth {
        let (column, flippedRow) =
          switch quarters {
          case 1: (y, height - 1 - x)
          case 2: (width - 1 - x, height - 1 - y)
          case 3: (width - 1 - y, x)
          default: (x, y)
          }
        let row = isMirrored ? height - 1 - flippedRow : flippedRow
        let offset = (row * width + column) * 3
        turned.append(pixels[offset])
        turned.append(pixels[offset + 1])
        turned.append(pixels[offset + 2])
      }
    }
    return Picture(width: newWidth, height: newHeight, pixels: turned)
  }
}
