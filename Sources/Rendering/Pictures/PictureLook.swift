package import ExactTime
package import MediaFacts

/// The rotation, mirroring and pixel aspect ratio to apply to a stored picture.
package struct PictureLook: Sendable, Hashable {
  /// Quarter turns, clockwise.
  package var quarters: Int
  package var isMirrored: Bool
  /// The pixel aspect ratio, where the container states it.
  package var pixelAspect: Rational?

  package init(_ video: VideoFacts?) {
    // Arbitrary angles would leave black corners, so the nearest multiple of 90 degrees is used.
    quarters = ((video?.rotation ?? 0) + 45) / 90 % 4
    isMirrored = video?.isMirrored ?? false
    pixelAspect = video?.sampleAspectRatio
  }

  package var isSideways: Bool { quarters % 2 == 1 }

  /// The size to scale a stored picture to, before rotation.
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
