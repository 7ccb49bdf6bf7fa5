import CFFmpeg

/// The luma of the shown area of a decoded picture (green, of planar RGB).
@unsafe struct LumaPlane {
  let width: Int
  let height: Int
  private let start: UnsafePointer<UInt8>
  private let step: Int
  private let lineSize: Int
  private let depth: Int
  /// Whether 0 is black and the largest value white; otherwise 16 and 235, of 255 (ITU-T H.273, 8.3).
  let isFullRange: Bool

  /// - Returns: `nil` for pixel formats whose first plane does not begin with samples in whole bytes.
  init?(_ frame: UnsafePointer<AVFrame>) {
    let picture = unsafe frame.pointee
    guard let found = unsafe Self.component(of: AVPixelFormat(picture.format)),
      let plane = unsafe picture.data.0,
      let left = unsafe Int(exactly: picture.crop_left),
      let right = unsafe Int(exactly: picture.crop_right),
      let top = unsafe Int(exactly: picture.crop_top),
      let bottom = unsafe Int(exactly: picture.crop_bottom)
    else { return nil }
    let component = found.luma
    let whole = unsafe (width: Int(picture.width), height: Int(picture.height))
    guard left < whole.width, right < whole.width, top < whole.height, bottom < whole.height,
      whole.width - left - right > 0, whole.height - top - bottom > 0
    else { return nil }
    unsafe (width, height) = (whole.width - left - right, whole.height - top - bottom)
    unsafe (step, lineSize) = unsafe (Int(component.step), Int(picture.linesize.0))
    unsafe depth = Int(component.depth)
    let offset = Int(component.offset)
    guard unsafe (whole.width - 1) * step + offset + (depth > 8 ? 2 : 1) <= abs(lineSize) else {
      return nil
    }
    unsafe start = unsafe UnsafePointer(plane + (top * lineSize + left * step + offset))
    unsafe isFullRange = unsafe found.isRGB || picture.color_range == AVCOL_RANGE_JPEG
  }

  /// The mean of one of the equal areas in rows and columns, scaled to 0…255.
  ///
  /// - Parameter samples: how many samples are read in each direction, at most.
  func mean(column: Int, of columns: Int, row: Int, of rows: Int, samples: Int) -> UInt8 {
    let across = unsafe Self.places(column, of: columns, in: width, samples)
    let down = unsafe Self.places(row, of: rows, in: height, samples)
    let isWide = unsafe depth > 8
    let (from, to) = unsafe (across.start &* step, across.end &* step)
    let distance = unsafe across.distance &* step
    var sum = 0
    // Plain loops, which nothing checks: all places are within the plane, and sums within 2³² · 2¹⁶.
    var row = down.start
    while row < down.end {
      let line = unsafe start + row &* lineSize
      var place = from
      if isWide {
        while place < to {
          // Little-endian.
          sum = unsafe sum &+ (Int(line[place]) | Int(line[place &+ 1]) << 8)
          place = place &+ distance
        }
      } else {
        while place < to {
          sum = unsafe sum &+ Int(line[place])
          place = place &+ distance
        }
      }
      row = row &+ down.distance
    }
    let each = { (range: (start: Int, end: Int, distance: Int)) in
      (range.end - range.start + range.distance - 1) / range.distance
    }
    let count = each(across) * each(down)
    return unsafe UInt8(clamping: (sum / max(1, count)) >> (depth - 8))
  }

  private static func places(
    _ area: Int, of count: Int, in size: Int, _ samples: Int
  ) -> (start: Int, end: Int, distance: Int) {
    let (from, to) = (area * size / count, (area + 1) * size / count)
    return (from, to, max(1, (to - from) / samples))
  }

  /// The component at the beginning of the first plane.
  private static func component(
    of format: AVPixelFormat
  ) -> (luma: AVComponentDescriptor, isRGB: Bool)? {
    guard let format = unsafe av_pix_fmt_desc_get(format) else { return nil }
    let unread =
      AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_BITSTREAM | AV_PIX_FMT_FLAG_BE
      | AV_PIX_FMT_FLAG_HWACCEL | AV_PIX_FMT_FLAG_FLOAT
    let flags = unsafe format.pointee.flags
    guard flags & UInt64(unread) == 0 else { return nil }
    let all = unsafe format.pointee.comp
    let component = [all.0, all.1, all.2, all.3].prefix(
      unsafe Int(format.pointee.nb_components)
    ).first { $0.plane == 0 }
    guard let component, component.shift == 0, (8...16).contains(component.depth) else {
      return nil
    }
    return (component, flags & UInt64(AV_PIX_FMT_FLAG_RGB) != 0)
  }
}

extension DecodedPicture {
  /// How light the areas of the picture are, row by row from the top: 0 is black, and 255 is white.
  ///
  /// - Returns: `nil` for pixel formats whose first plane does not begin with samples in whole bytes.
  package func lumaGrid(
    mostColumns: Int, mostRows: Int
  ) -> (columns: Int, cells: [UInt8])? {
    guard isFilled, let plane = unsafe LumaPlane(frame) else { return nil }
    let columns = unsafe min(mostColumns, plane.width)
    let rows = unsafe min(mostRows, plane.height)
    let isFullRange = unsafe plane.isFullRange
    var cells: [UInt8] = []
    cells.reserveCapacity(columns * rows)
    for row in 0..<rows {
      for column in 0..<columns {
        let mean = unsafe plane.mean(column: column, of: columns, row: row, of: rows, samples: 8)
        cells.append(isFullRange ? mean : UInt8(clamping: (Int(mean) - 16) * 255 / 219))
      }
    }
    return (columns, cells)
  }
}
