import CFFmpeg

/// How the samples of a planar pixel format lie in memory.
struct PlaneLayout {
  /// How often the chroma planes are halved.
  let shiftX: Int
  let shiftY: Int
  private let planes: [Plane]
  private let isRGB: Bool

  private struct Plane {
    var bytesPerSample: Int
    var depth: Int
    var isChroma: Bool
  }

  /// `nil` for formats whose planes hold several components, or samples that are not whole bytes.
  init?(_ format: AVPixelFormat) {
    guard let found = unsafe av_pix_fmt_desc_get(format) else { return nil }
    let flags = unsafe found.pointee.flags
    let count = unsafe found.pointee.nb_components
    let odd =
      AV_PIX_FMT_FLAG_HWACCEL | AV_PIX_FMT_FLAG_BITSTREAM | AV_PIX_FMT_FLAG_PAL
      | AV_PIX_FMT_FLAG_FLOAT | AV_PIX_FMT_FLAG_BE | AV_PIX_FMT_FLAG_ALPHA
    guard flags & UInt64(odd) == 0, [1, 3].contains(count) else {
      return nil
    }
    isRGB = flags & UInt64(AV_PIX_FMT_FLAG_RGB) != 0
    shiftX = unsafe Int(found.pointee.log2_chroma_w)
    shiftY = unsafe Int(found.pointee.log2_chroma_h)
    let all = unsafe found.pointee.comp
    let components = [all.0, all.1, all.2].prefix(Int(count))
    var planes = [Plane?](repeating: nil, count: components.count)
    for (number, component) in components.enumerated() {
      guard planes.indices.contains(Int(component.plane)), planes[Int(component.plane)] == nil,
        component.offset == 0, component.shift == 0,
        component.step == (component.depth > 8 ? 2 : 1)
      else { return nil }
      planes[Int(component.plane)] = Plane(
        bytesPerSample: Int(component.step), depth: Int(component.depth),
        isChroma: !isRGB && number > 0)
    }
    self.planes = planes.compactMap { $0 }
  }

  @unsafe private func rows(
    _ frame: UnsafeMutablePointer<AVFrame>, _ number: Int
  ) -> (start: UnsafeMutablePointer<UInt8>, stride: Int)? {
    let (data, strides) = unsafe (frame.pointee.data, frame.pointee.linesize)
    let start = unsafe [data.0, data.1, data.2][number]
    guard let start = unsafe start else { return nil }
    return unsafe (start, Int([strides.0, strides.1, strides.2][number]))
  }

  private func size(
    _ width: Int, _ height: Int, _ plane: Plane
  ) -> (width: Int, height: Int) {
    guard plane.isChroma else { return (width, height) }
    return ((width + (1 << shiftX) - 1) >> shiftX, (height + (1 << shiftY) - 1) >> shiftY)
  }

  /// Fills a frame with black.
  @unsafe func blacken(_ frame: UnsafeMutablePointer<AVFrame>, isFullRange: Bool) {
    for (number, plane) in planes.enumerated() {
      guard let rows = unsafe rows(frame, number) else { continue }
      let size = unsafe size(Int(frame.pointee.width), Int(frame.pointee.height), plane)
      // ITU-T H.273, 8.3.
      let value =
        plane.isChroma
        ? 1 << (plane.depth - 1) : isFullRange || isRGB ? 0 : 16 << (plane.depth - 8)
      for row in 0..<size.height {
        let line = unsafe rows.start + row * rows.stride
        guard plane.bytesPerSample > 1 else {
          unsafe line.update(repeating: UInt8(clamping: value), count: size.width)
          continue
        }
        for column in 0..<size.width {
          unsafe line[2 * column] = UInt8(truncatingIfNeeded: value)
          unsafe line[2 * column + 1] = UInt8(truncatingIfNeeded: value >> 8)
        }
      }
    }
  }

  /// Copies a frame into an area of another one, turned.
  @unsafe func place(
    _ source: UnsafeMutablePointer<AVFrame>, _ turn: PictureFitter.Turn,
    in frame: UnsafeMutablePointer<AVFrame>, _ area: PictureFitter.Area
  ) {
    for (number, plane) in planes.enumerated() {
      guard let from = unsafe rows(source, number), let to = unsafe rows(frame, number) else {
        continue
      }
      let size = size(area.width, area.height, plane)
      let left = plane.isChroma ? area.left >> shiftX : area.left
      let top = plane.isChroma ? area.top >> shiftY : area.top
      let bytes = plane.bytesPerSample
      let own = turn.swapsSides ? (width: size.height, height: size.width) : size
      for row in 0..<size.height {
        let line = unsafe to.start + (top + row) * to.stride + left * bytes
        if turn.quarters == 0 {
          let place = turn.isMirrored ? own.height - 1 - row : row
          unsafe line.update(from: from.start + place * from.stride, count: size.width * bytes)
          continue
        }
        for column in 0..<size.width {
          var (x, y) =
            switch turn.quarters {
            case 1: (row, own.height - 1 - column)
            case 2: (own.width - 1 - column, own.height - 1 - row)
            default: (own.width - 1 - row, column)
            }
          if turn.isMirrored { y = own.height - 1 - y }
          x *= bytes
          let sample = unsafe from.start + y * from.stride + x
          for byte in 0..<bytes { unsafe line[column * bytes + byte] = unsafe sample[byte] }
        }
      }
    }
  }
}
