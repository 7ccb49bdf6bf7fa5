import ExactTime
package import Libav
package import MediaFiles

/// Renders decoded pictures for display.
package struct FrameRendering: ~Copyable {
  private var scaler: PictureScaler
  private let look: PictureLook

  package init(_ look: PictureLook) throws(MediaError) {
    do throws(LibavError) {
      scaler = try PictureScaler()
    } catch {
      throw MediaError(error)
    }
    self.look = look
  }

  /// - Parameter isSketch: whether a much smaller picture may differ a little from the exact one.
  /// - Throws: ``MediaError`` of code `limitExceeded` when it would be too large.
  package mutating func render(
    _ decoded: borrowing DecodedPicture, size: PictureSize, isSketch: Bool = false
  ) throws(MediaError) -> (picture: Picture, isToneMapped: Bool) {
    guard
      let stored = look.storedSize(
        for: size, width: decoded.width, height: decoded.height,
        codedAspect: decoded.sampleAspectRatio),
      Int64(stored.width) * Int64(stored.height) <= Self.largestArea
    else {
      throw MediaError(
        .limitExceeded, "the image would be larger than allowed",
        hint: "Request a smaller one.")
    }
    do throws(LibavError) {
      let transfer = decoded.transfer
      let pixels: [UInt8]
      if transfer == .standard {
        pixels = try scaler.rgb8(
          decoded, width: stored.width, height: stored.height, isSketch: isSketch)
      } else {
        pixels = ToneMap(transfer).applied(
          to: try scaler.rgb16(decoded, width: stored.width, height: stored.height))
      }
      let picture = Picture(width: stored.width, height: stored.height, pixels: pixels)
        .turned(byQuarters: look.quarters, isMirrored: look.isMirrored)
      return (picture, transfer != .standard)
    } catch {
      throw MediaError(error)
    }
  }

  /// The largest area, which is that of a decoded picture.
  private static let largestArea = Limits.standard.pixels
}
