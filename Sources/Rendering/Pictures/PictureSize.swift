public import ExactTime

/// The requested picture size; it always keeps the aspect ratio of the video.
public enum PictureSize: Sendable, Hashable, Codable {
  /// The stored size; with non-square pixels, the smaller side keeps its pixel count.
  case full
  /// This many pixels wide; the height follows.
  case width(Int)
  /// This many pixels high; the width follows.
  case height(Int)
  /// As large as fits.
  case within(width: Int, height: Int)
  /// As large as fits on a screen with non-square pixels of this aspect ratio.
  case withinPixels(width: Int, height: Int, aspect: Rational)

  /// Width and height of the upright picture, with square pixels unless requested otherwise.
  ///
  /// - Parameters:
  ///   - width: pixels per row of the upright picture; likewise the height.
  ///   - pixelAspect: the aspect ratio of these pixels.
  /// - Returns: `nil` beyond the largest supported side.
  package func pixels(width: Int, height: Int, pixelAspect: Rational) -> (width: Int, height: Int)?
  {
    let sides = 1...16_384
    guard sides.contains(width), sides.contains(height), pixelAspect.isPositive,
      let shape = try? Rational(Int64(width), Int64(height)).multiplied(by: pixelAspect)
    else { return nil }
    let made: (width: Int?, height: Int?) =
      switch self {
      case .full where pixelAspect >= .one: (Self.scaled(width, by: pixelAspect), height)
      case .full: (width, Self.scaled(height, over: pixelAspect))
      case .width(let wanted): (wanted, Self.scaled(wanted, over: shape))
      case .height(let wanted): (Self.scaled(wanted, by: shape), wanted)
      case .within(let mostWidth, let mostHeight):
        Self.fitted(shape, width: mostWidth, height: mostHeight)
      case .withinPixels(let mostWidth, let mostHeight, let aspect):
        (try? shape.divided(by: aspect)).map {
          Self.fitted($0, width: mostWidth, height: mostHeight)
        } ?? (nil, nil)
      }
    guard let width = made.width, let height = made.height, sides.contains(width),
      sides.contains(height)
    else { return nil }
    return (width, height)
  }

  private static func fitted(
    _ shape: Rational, width: Int, height: Int
  ) -> (width: Int?, height: Int?) {
    guard let byWidth = scaled(width, over: shape), byWidth <= height else {
      return (scaled(height, by: shape), height)
    }
    return (width, byWidth)
  }

  /// Scales and rounds to at least one pixel; `nil` outside 64 bits.
  private static func scaled(_ side: Int, by factor: Rational) -> Int? {
    guard let exact = try? Rational(Int64(side)).multiplied(by: factor) else { return nil }
    return (try? exact.rounded(.nearest)).map { max(1, Int($0)) }
  }

  private static func scaled(_ side: Int, over divisor: Rational) -> Int? {
    guard let factor = try? Rational.one.divided(by: divisor) else { return nil }
    return scaled(side, by: factor)
  }
}
