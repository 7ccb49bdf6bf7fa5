import CFFmpeg

/// The mean brightness of 16 areas of a picture: enough to tell whether a coded picture, once
/// decoded, is still the one that was encoded.
///
/// A class, since packets refer to it, most of which have none.
package final class LumaMeans: Sendable {
  /// 0…255, row by row.
  private let means: SIMD16<UInt8>
  private let width: Int
  private let height: Int

  /// Areas per row and per column.
  private static let side = 4
  /// Smaller areas are so few samples that coding errors of single ones show.
  private static let leastArea = 8

  /// The largest difference of two areas; `nil` for pictures of different sizes.
  package func difference(from other: LumaMeans) -> Int? {
    guard width == other.width, height == other.height else { return nil }
    let high = pointwiseMax(means, other.means)
    return Int((high &- pointwiseMin(means, other.means)).max())
  }

  /// Measures the shown area of a frame, also if it was decoded with the area around that.
  ///
  /// - Returns: `nil` for small pictures, and for pixel formats whose first plane does not begin with
  ///   samples in whole bytes.
  @unsafe init?(_ frame: UnsafeMutablePointer<AVFrame>) {
    guard let plane = unsafe LumaPlane(frame),
      unsafe min(plane.width, plane.height) >= Self.side * Self.leastArea
    else { return nil }
    (width, height) = unsafe (plane.width, plane.height)
    var means = SIMD16<UInt8>()
    for area in 0..<Self.side * Self.side {
      means[area] = unsafe plane.mean(
        column: area % Self.side, of: Self.side, row: area / Self.side, of: Self.side, samples: 32)
    }
    self.means = means
  }
}

extension DecodedFrame {
  /// `nil` for small pictures, and for pixel formats whose first plane does not begin with samples
  /// in whole bytes.
  package var lumaMeans: LumaMeans? { unsafe LumaMeans(pointer) }
}
