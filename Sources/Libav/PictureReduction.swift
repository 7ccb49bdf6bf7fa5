import CFFmpeg
import CSystem

/// Reduces a frame by a power of two, averaging whole squares, before it is scaled: for strong
/// downscaling, that does most of the work at a fraction of the cost.
struct PictureReduction: Equatable {
  /// The side of a square is two to the power of this.
  let shift: UInt32
  let width: Int
  let height: Int
  private let chroma: (shiftX: Int, shiftY: Int)
  private let source: (width: Int, height: Int)

  /// The factor left to the scaler: squares of at most a third of an output pixel's side are not
  /// visible.
  private static let rest = 3
  private static let largestShift = 4

  /// `nil` where it is not worthwhile, and for pixels of more than eight bits.
  @unsafe init?(_ frame: AVFrame, toWidth width: Int, height: Int) {
    guard let chroma = Self.chroma(unsafe AVPixelFormat(frame.format)) else { return nil }
    source = unsafe (Int(frame.width), Int(frame.height))
    var shift = 0
    while shift < Self.largestShift,
      width * Self.rest << (shift + 1) <= source.width,
      height * Self.rest << (shift + 1) <= source.height,
      // Only whole squares: otherwise the picture would be cropped or stretched.
      (source.width | source.height) & (2 << shift) - 1 == 0
    {
      shift += 1
    }
    guard shift > 0 else { return nil }
    self.chroma = chroma
    self.shift = UInt32(shift)
    self.width = source.width >> shift
    self.height = source.height >> shift
  }

  static func == (a: Self, b: Self) -> Bool {
    a.shift == b.shift && a.source == b.source && a.chroma == b.chroma
  }

  /// How often chroma is halved, in planar 8-bit formats.
  private static func chroma(_ format: AVPixelFormat) -> (shiftX: Int, shiftY: Int)? {
    switch format {
    case AV_PIX_FMT_YUV420P, AV_PIX_FMT_YUVJ420P: (1, 1)
    case AV_PIX_FMT_YUV422P, AV_PIX_FMT_YUVJ422P: (1, 0)
    case AV_PIX_FMT_YUV444P, AV_PIX_FMT_YUVJ444P: (0, 0)
    default: nil
    }
  }

  private static func halved(_ side: Int, _ times: Int) -> Int {
    (side + (1 << times) - 1) >> times
  }

  private var chromaSize: (width: Int, height: Int) {
    (Self.halved(width, chroma.shiftX), Self.halved(height, chroma.shiftY))
  }

  /// The size of all planes in bytes.
  var byteCount: Int { width * height + 2 * chromaSize.width * chromaSize.height }

  /// Writes the planes to a buffer of ``byteCount`` bytes, and returns their addresses.
  @unsafe func fill(
    _ buffer: UnsafeMutableBufferPointer<UInt8>, from frame: UnsafeMutablePointer<AVFrame>
  ) -> PicturePlanes? {
    guard let base = buffer.baseAddress, buffer.count >= byteCount else { return nil }
    let (data, strides) = unsafe (frame.pointee.data, frame.pointee.linesize)
    let wholeChroma = (
      width: Self.halved(source.width, chroma.shiftX),
      height: Self.halved(source.height, chroma.shiftY)
    )
    let second = unsafe base + width * height
    let third = unsafe second + chromaSize.width * chromaSize.height
    unsafe shrink(data.0, strides.0, source, to: base, (width, height))
    unsafe shrink(data.1, strides.1, wholeChroma, to: second, chromaSize)
    unsafe shrink(data.2, strides.2, wholeChroma, to: third, chromaSize)
    let chromaStride = chromaSize.width
    return unsafe PicturePlanes(
      [base, second, third, nil], strides: [width, chromaStride, chromaStride, 0])
  }

  @unsafe private func shrink(
    _ rows: UnsafeMutablePointer<UInt8>?, _ stride: Int32, _ size: (width: Int, height: Int),
    to target: UnsafeMutablePointer<UInt8>, _ targetSize: (width: Int, height: Int)
  ) {
    guard unsafe rows != nil else { return }
    var whole = unsafe trim_plane(
      rows: rows, stride: Int(stride), width: size.width, height: size.height)
    var small = unsafe trim_plane(
      rows: target, stride: targetSize.width, width: targetSize.width, height: targetSize.height)
    unsafe trim_shrink(&whole, &small, shift)
  }
}
