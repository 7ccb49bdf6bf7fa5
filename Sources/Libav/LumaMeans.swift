#if FFmpeg
  import CFFmpeg

  /// The mean brightness of 16 areas of a picture: enough to tell whether a coded picture, once
  /// decoded, is still the one that was encoded.
  package struct LumaMeans: Sendable, Hashable {
    /// 0…255, row by row.
    package let means: SIMD16<UInt8>
    private let width: Int32
    private let height: Int32

    /// Areas per row and per column.
    private static let side = 4
    /// Samples per row and per column of an area, at most.
    private static let samples = 32

    /// The largest difference of two areas; `nil` for pictures of different sizes.
    package func difference(from other: Self) -> Int? {
      guard width == other.width, height == other.height else { return nil }
      let (high, low) = (
        pointwiseMax(means, other.means), pointwiseMin(means, other.means)
      )
      return Int((high &- low).max())
    }

    /// - Returns: `nil` for pixel formats whose first component is not stored in whole bytes.
    @unsafe init?(_ frame: UnsafeMutablePointer<AVFrame>) {
      let picture = unsafe frame.pointee
      (width, height) = unsafe (picture.width, picture.height)
      guard let format = unsafe av_pix_fmt_desc_get(AVPixelFormat(picture.format)),
        unsafe format.pointee.flags
          & UInt64(
            AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_BITSTREAM | AV_PIX_FMT_FLAG_BE
              | AV_PIX_FMT_FLAG_HWACCEL | AV_PIX_FMT_FLAG_FLOAT) == 0
      else { return nil }
      let component = unsafe format.pointee.comp.0
      guard component.plane == 0, component.shift == 0, (8...16).contains(component.depth),
        let plane = unsafe picture.data.0, width >= Int32(Self.side), height >= Int32(Self.side)
      else { return nil }
      let isWide = component.depth > 8
      let (step, stride) = unsafe (Int(component.step), Int(picture.linesize.0))
      let start = unsafe plane + Int(component.offset)
      var means = SIMD16<UInt8>()
      for area in 0..<Self.side * Self.side {
        let rows = Self.places(area / Self.side, of: Int(height))
        let columns = Self.places(area % Self.side, of: Int(width))
        var (sum, count) = (0, 0)
        for row in rows {
          let line = unsafe start + row * stride
          for column in columns {
            let sample = unsafe line + column * step
            // Little-endian.
            sum +=
              unsafe isWide
              ? Int(sample[0]) | Int(sample[1]) << 8 : Int(sample[0])
            count += 1
          }
        }
        means[area] = UInt8(clamping: (sum / max(1, count)) >> (Int(component.depth) - 8))
      }
      self.means = means
    }

    private static func places(_ area: Int, of size: Int) -> StrideTo<Int> {
      let (from, to) = (area * size / side, (area + 1) * size / side)
      return stride(from: from, to: to, by: max(1, (to - from) / samples))
    }
  }

  extension DecodedFrame {
    /// `nil` for pixel formats whose first component is not stored in whole bytes.
    package var lumaMeans: LumaMeans? { unsafe LumaMeans(pointer) }
  }
#endif
