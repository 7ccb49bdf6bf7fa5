import CFFmpeg
import LateFFmpeg

/// Converts decoded frames to RGB of any size.
@safe package struct PictureScaler: ~Copyable {
  private var context: OpaquePointer?
  /// The parameters that the context was last set up for.
  private var setup: Setup?
  /// The buffer for reduced planes, kept for the next picture.
  private var reduced: [UInt8] = []

  private struct Setup: Equatable {
    var width: Int32
    var height: Int32
    var format: AVPixelFormat
    var targetWidth: Int32
    var targetHeight: Int32
    var targetFormat: AVPixelFormat
    var matrix: Int32
    var isFullRange: Bool
  }

  package init() throws(LibavError) { try Self.load() }

  /// Loads the scaling library.
  package static func load() throws(LibavError) {
    try LibavLibrary.load()
    let failure = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 300) {
      buffer -> String? in
      guard let base = buffer.baseAddress else { return nil }
      unsafe base.initialize(repeating: 0, count: 300)
      return unsafe trim_ffmpeg_load_scaling(base, 299) == 0 ? nil : unsafe String(cString: base)
    }
    if let failure { throw LibavError(.unavailable, failure) }
  }

  // Where the library could not be loaded there is no such function, and nothing to free.
  deinit { if let context = unsafe context { unsafe trim_scaler_free(context) } }

  /// Scales to 8-bit RGB, row by row without gaps.
  ///
  /// - Parameter isSketch: whether a picture much smaller than the decoded one may differ a
  ///   little from the exact averages.
  package mutating func rgb8(
    _ picture: borrowing DecodedPicture, width: Int, height: Int, isSketch: Bool = false
  ) throws(LibavError) -> [UInt8] {
    try scale(
      picture, width: width, height: height, to: AV_PIX_FMT_RGB24, bytesPerPixel: 3,
      isSketch: isSketch)
  }

  /// The same with 16 bits each, little-endian.
  package mutating func rgb16(
    _ picture: borrowing DecodedPicture, width: Int, height: Int
  ) throws(LibavError) -> [UInt8] {
    try scale(picture, width: width, height: height, to: AV_PIX_FMT_RGB48LE, bytesPerPixel: 6)
  }

  private mutating func scale(
    _ picture: borrowing DecodedPicture, width: Int, height: Int, to format: AVPixelFormat,
    bytesPerPixel: Int, isSketch: Bool = false
  ) throws(LibavError) -> [UInt8] {
    precondition((1...16_384).contains(width) && (1...16_384).contains(height))
    let source = unsafe picture.frame.pointee
    let sourceFormat = unsafe AVPixelFormat(source.format)
    guard unsafe source.width > 0, unsafe source.height > 0,
      sws_isSupportedInput(sourceFormat) != 0
    else { throw LibavError(.notAllowed, "its pixel format is not supported") }
    let reduction =
      isSketch ? unsafe PictureReduction(source, toWidth: width, height: height) : nil
    let from = unsafe (
      width: reduction.map { Int32($0.width) } ?? source.width,
      height: reduction.map { Int32($0.height) } ?? source.height
    )
    let wanted = unsafe Setup(
      width: from.width, height: from.height, format: sourceFormat,
      targetWidth: Int32(width), targetHeight: Int32(height), targetFormat: format,
      matrix: Self.matrix(of: picture), isFullRange: source.color_range == AVCOL_RANGE_JPEG)
    if setup != wanted { unsafe setUp(wanted) }
    guard let scaler = unsafe context else {
      throw LibavError(.outOfMemory, "no memory to scale a picture")
    }
    // The scaler writes whole vectors, beyond the end of a row.
    let row = width * bytesPerPixel
    let stride = (row + 127) / 64 * 64
    var rows = [UInt8](repeating: 0, count: stride * height)
    if let reduction, reduced.count < reduction.byteCount {
      reduced = [UInt8](repeating: 0, count: reduction.byteCount)
    }
    let done = unsafe rows.withUnsafeMutableBytes { buffer in
      let target = unsafe PicturePlanes(
        buffer.baseAddress?.assumingMemoryBound(to: UInt8.self), stride: stride)
      guard let reduction else {
        return unsafe target.fill(
          from: PicturePlanes(picture.frame), scaler, height: from.height)
      }
      return unsafe reduced.withUnsafeMutableBufferPointer { small in
        guard let planes = unsafe reduction.fill(small, from: picture.frame) else { return -1 }
        return unsafe target.fill(from: planes, scaler, height: from.height)
      }
    }
    guard done == height else {
      throw LibavError(.invalidData, "a picture cannot be scaled")
    }
    var packed: [UInt8] = []
    packed.reserveCapacity(row * height)
    for start in Swift.stride(from: 0, to: stride * height, by: stride) {
      packed.append(contentsOf: rows[start..<start + row])
    }
    return packed
  }

  /// FFmpeg's number of the color matrix; if none is stated, chosen by the size, as in players.
  private static func matrix(of picture: borrowing DecodedPicture) -> Int32 {
    let space = unsafe picture.frame.pointee.colorspace
    switch space {
    case AVCOL_SPC_UNSPECIFIED, AVCOL_SPC_RESERVED, AVCOL_SPC_RGB:
      return picture.height >= 720 ? SWS_CS_ITU709 : SWS_CS_ITU601
    default: return Int32(clamping: space.rawValue)
    }
  }

  /// Makes a separate context for each setup: FFmpeg's cached one is rebuilt for every picture
  /// with an odd width, and then loses its color settings.
  @unsafe private mutating func setUp(_ wanted: Setup) {
    unsafe trim_scaler_free(context)
    let shrinks = wanted.targetWidth <= wanted.width && wanted.targetHeight <= wanted.height
    unsafe context = unsafe trim_scaler_make(
      wanted.width, wanted.height, wanted.format, wanted.targetWidth, wanted.targetHeight,
      wanted.targetFormat, (shrinks ? trim_SWS_AREA : trim_SWS_BICUBIC) | trim_SWS_ACCURATE_RND)
    setup = unsafe context == nil ? nil : wanted
    guard let scaler = unsafe context else { return }
    // It fails where there is no matrix to set, as for gray or RGB.
    _ = unsafe trim_scaler_set_colors(
      scaler, wanted.matrix, wanted.isFullRange ? 1 : 0, SWS_CS_DEFAULT, 1)
  }
}
