package import ExactTime
package import MediaFacts

/// What makes a stored picture upright and gives it its shape.
package struct PictureLook: Sendable, Hashable {
  /// Quarter turns, clockwise.
  package var quarters: Int
  package var isMirrored: Bool
  /// Width of a stored pixel over its height, where the container says so.
  package var pixelAspect: Rational?

  package init(_ video: VideoFacts?) {
    // A player that turns by any angle would leave black corners: the nearest right angle it is.
    quarters = ((video?.rotation ?? 0) + 45) / 90 % 4
    isMirrored = video?.isMirrored ?? false
    pixelAspect = video?.sampleAspectRatio
  }

  package var isSideways: Bool { quarters % 2 == 1 }

  /// The size to scale a stored picture to, before it is turned.
  package func storedSize(
    for size: PictureSize, width: Int, height: Int, codedAspect: Rational?
  ) -> (width: Int, height: Int)? {
    let aspect = pixelAspect ?? codedAspect ?? .one
    guard isSideways else { return size.pixels(width: width, height: height, pixelAspect: aspect) }
    guard let turned = try? Rational.one.divided(by: aspect),
      let upright = size.pixels(width: height, height: width, pixelAspect: turned)
    else { return nil }
    return (upright.height, upright.width)
  }
}
