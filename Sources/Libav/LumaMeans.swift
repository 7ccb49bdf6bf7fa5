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
  /// Samples per row and per column of an area, at most.
  private static let samples = 32
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
    let picture = unsafe frame.pointee
    guard let component = unsafe Self.component(of: AVPixelFormat(picture.format)),
      let plane = unsafe picture.data.0,
      let left = unsafe Int(exactly: picture.crop_left),
      let right = unsafe Int(exactly: picture.crop_right),
      let top = unsafe Int(exactly: picture.crop_top),
      let bottom = unsafe Int(exactly: picture.crop_bottom)
    else { return nil }
    let whole = unsafe (width: Int(picture.width), height: Int(picture.height))
    guard left < whole.width, right < whole.width, top < whole.height, bottom < whole.height
    else { return nil }
    (width, height) = (whole.width - left - right, whole.height - top - bottom)
    let isWide = component.depth > 8
    let (step, lineSize) = unsafe (Int(component.step), Int(picture.linesize.0))
    let offset = Int(component.offset)
    guard min(width, height) >= Self.side * Self.leastArea,
      (whole.width - 1) * step + offset + (isWide ? 2 : 1) <= abs(lineSize)
    else { return nil }
    let start = unsafe plane + (top * lineSize + left * step + offset)
    var means = SIMD16<UInt8>()
    for area in 0..<Self.side * Self.side {
      let columns = Self.places(area % Self.side, of: width)
      var (sum, count) = (0, 0)
      let rows = Self.places(area / Self.side, of: height)
      for row in stride(from: rows.start, to: rows.end, by: rows.distance) {
        let line = unsafe start + row * lineSize
        // A plain loop: without optimization, an iterator takes most of the time of a proof.
        var column = columns.start
        while column < columns.end {
          let sample = unsafe line + column * step
          // Little-endian.
          sum +=
            unsafe isWide
            ? Int(sample[0]) | Int(sample[1]) << 8 : Int(sample[0])
          count += 1
          column += columns.distance
        }
      }
      means[area] = UInt8(clamping: (sum / max(1, count)) >> (Int(component.depth) - 8))
    }
    self.means = means
  }

  /// The component at the beginning of the first plane: luma, or green of planar RGB.
  private static func component(of format: AVPixelFormat) -> AVComponentDescriptor? {
    guard let format = unsafe av_pix_fmt_desc_get(format) else { return nil }
    let unread =
      AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_BITSTREAM | AV_PIX_FMT_FLAG_BE
      | AV_PIX_FMT_FLAG_HWACCEL | AV_PIX_FMT_FLAG_FLOAT
    guard unsafe format.pointee.flags & UInt64(unread) == 0 else { return nil }
    let all = unsafe format.pointee.comp
    let component = [all.0, all.1, all.2, all.3].prefix(
      unsafe Int(format.pointee.nb_components)
    ).first { $0.plane == 0 }
    guard let component, component.shift == 0, (8...16).contains(component.depth) else {
      return nil
    }
    return component
  }

  private static func places(
    _ area: Int, of size: Int
  ) -> (start: Int, end: Int, distance: Int) {
    let (from, to) = (area * size / side, (area + 1) * size / side)
    return (from, to, max(1, (to - from) / samples))
  }
}

extension DecodedFrame {
  /// `nil` for small pictures, and for pixel formats whose first plane does not begin with samples
  /// in whole bytes.
  package var lumaMeans: LumaMeans? { unsafe LumaMeans(pointer) }
}
