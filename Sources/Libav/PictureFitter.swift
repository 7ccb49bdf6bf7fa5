import CFFmpeg
package import ExactTime

/// Fits decoded pictures of any kind into frames of one size, shape and pixel format: turned, scaled
/// as a whole, and with black bars where the shapes differ.
///
/// Colour matrix and range are converted; primaries and transfer are not, so there is no tone mapping.
@safe package final class PictureFitter {
  /// What all frames become.
  package struct Target: Sendable, Hashable {
    /// The shown area, from the upper left corner of the coded one.
    package var width: Int
    package var height: Int
    package var codedWidth: Int
    package var codedHeight: Int
    package var sampleAspectRatio: Rational
    /// FFmpeg's names; `nil` where not stated.
    package var pixelFormat: String?
    package var primaries: String?
    package var transfer: String?
    package var matrix: String?
    package var range: String?
    /// Which field black pictures show first; `nil` where there are none.
    package var isTopFieldFirst: Bool?

    package init(width: Int, height: Int, sampleAspectRatio: Rational, pixelFormat: String?) {
      (self.width, self.height) = (width, height)
      (codedWidth, codedHeight) = (width, height)
      self.sampleAspectRatio = sampleAspectRatio
      self.pixelFormat = pixelFormat
    }
  }

  /// What is done to a picture before it is scaled: mirrored top to bottom, then turned clockwise.
  package struct Turn: Sendable, Hashable {
    package var quarters = 0
    package var isMirrored = false

    package init(quarters: Int = 0, isMirrored: Bool = false) {
      (self.quarters, self.isMirrored) = (quarters, isMirrored)
    }

    var isNone: Bool { quarters == 0 && !isMirrored }
    var swapsSides: Bool { quarters % 2 == 1 }
  }

  /// A rectangle of pixels.
  struct Area: Hashable {
    var left = 0
    var top = 0
    var width: Int
    var height: Int
  }

  private let target: Target
  private let turn: Turn
  /// The shape that the container states, which overrides that of the bitstream.
  private let sampleAspectRatio: Rational?
  private let layout: PlaneLayout
  private let format: AVPixelFormat
  private let colors: Colors
  /// The fitted frame.
  private let room: UnsafeMutablePointer<AVFrame>
  /// The scaled picture, before it is turned and placed.
  private let scaled: UnsafeMutablePointer<AVFrame>
  private var scaler: OpaquePointer?
  private var setup: Setup?

  private struct Setup: Equatable {
    var width: Int32
    var height: Int32
    var format: AVPixelFormat
    var toWidth: Int32
    var toHeight: Int32
    var matrix: Int32
    var isFullRange: Bool
  }

  private struct Colors {
    var primaries = AVCOL_PRI_UNSPECIFIED
    var transfer = AVCOL_TRC_UNSPECIFIED
    var matrix = AVCOL_SPC_UNSPECIFIED
    var range = AVCOL_RANGE_UNSPECIFIED
  }

  /// - Throws: ``LibavError`` of kind `notAllowed` for a pixel format that pictures cannot be fitted to.
  package init(
    _ target: Target, turn: Turn = Turn(), sampleAspectRatio: Rational? = nil
  ) throws(LibavError) {
    try PictureScaler.load()
    let name = target.pixelFormat ?? "yuv420p"
    let format = unsafe Self.named(
      name, AV_PIX_FMT_NB.rawValue, { unsafe av_get_pix_fmt_name(AVPixelFormat(Int32($0))) })
    guard let format, let layout = PlaneLayout(AVPixelFormat(Int32(format))),
      !turn.swapsSides || layout.shiftX == layout.shiftY
    else { throw LibavError(.notAllowed, "pictures cannot be converted to \(name)") }
    self.format = AVPixelFormat(Int32(format))
    self.layout = layout
    self.target = target
    self.turn = turn
    self.sampleAspectRatio = sampleAspectRatio
    colors = Self.colors(of: target)
    var room = unsafe av_frame_alloc()
    guard let empty = unsafe room, let other = unsafe av_frame_alloc() else {
      unsafe av_frame_free(&room)
      throw LibavError(.outOfMemory, "no memory for a picture")
    }
    unsafe self.room = unsafe empty
    unsafe scaled = unsafe other
  }

  deinit {
    var frame: UnsafeMutablePointer<AVFrame>? = unsafe room
    unsafe av_frame_free(&frame)
    unsafe frame = unsafe scaled
    unsafe av_frame_free(&frame)
    if let scaler = unsafe scaler { unsafe trim_scaler_free(scaler) }
  }

  /// The number that FFmpeg gives a name.
  @unsafe private static func named(
    _ name: String?, _ count: some BinaryInteger, _ known: (UInt32) -> UnsafePointer<CChar>?
  ) -> UInt32? {
    guard let name else { return nil }
    return (0..<UInt32(count)).first { number in
      unsafe known(number).map { unsafe String(cString: $0) == name } ?? false
    }
  }

  private static func colors(of target: Target) -> Colors {
    var colors = Colors()
    if let number = unsafe named(
      target.primaries, AVCOL_PRI_NB.rawValue,
      { unsafe av_color_primaries_name(AVColorPrimaries($0)) })
    {
      colors.primaries = AVColorPrimaries(number)
    }
    if let number = unsafe named(
      target.transfer, AVCOL_TRC_NB.rawValue,
      { unsafe av_color_transfer_name(AVColorTransferCharacteristic($0)) })
    {
      colors.transfer = AVColorTransferCharacteristic(number)
    }
    if let number = unsafe named(
      target.matrix, AVCOL_SPC_NB.rawValue, { unsafe av_color_space_name(AVColorSpace($0)) })
    {
      colors.matrix = AVColorSpace(number)
    }
    if let number = unsafe named(
      target.range, AVCOL_RANGE_NB.rawValue, { unsafe av_color_range_name(AVColorRange($0)) })
    {
      colors.range = AVColorRange(number)
    }
    return colors
  }

  private var isFullRange: Bool {
    colors.range == AVCOL_RANGE_JPEG || (target.pixelFormat ?? "").hasPrefix("yuvj")
  }

  /// The frame that was fitted last: valid until the next one, and as long as this object.
  package var fitted: DecodedFrame { unsafe DecodedFrame(room) }

  /// Makes ``fitted`` a black frame.
  package func makeBlack() throws(LibavError) {
    try makeRoom()
    unsafe layout.blacken(room, isFullRange: isFullRange)
    describe()
    if let isTopFieldFirst = target.isTopFieldFirst {
      unsafe trim_frame_set_fields(room, isTopFieldFirst ? 1 : 0)
    }
  }

  /// Prepares ``fitted`` to stand for another frame as well, which could not be decoded: what belongs to its own
  /// time alone is removed.
  package func standIn() { unsafe av_frame_remove_side_data(room, AV_FRAME_DATA_A53_CC) }

  /// Fits a frame into ``fitted``, with its captions.
  package func fit(_ frame: borrowing DecodedFrame) throws(LibavError) {
    let size = unsafe (
      width: Int(frame.pointer.pointee.width), height: Int(frame.pointer.pointee.height)
    )
    guard size.width > 0, size.height > 0,
      unsafe sws_isSupportedInput(AVPixelFormat(frame.pointer.pointee.format)) != 0
    else { throw LibavError(.notAllowed, "its pixel format is not supported") }
    var shape = sampleAspectRatio ?? .one
    let reported = unsafe frame.pointer.pointee.sample_aspect_ratio
    if sampleAspectRatio == nil, reported.num > 0, reported.den > 0,
      let stated = try? Rational(checked: Int128(reported.num), over: Int128(reported.den))
    {
      shape = stated
    }
    let area = Self.area(
      of: turn.swapsSides ? (size.height, size.width) : size,
      shape: turn.swapsSides ? ((try? Rational.one.divided(by: shape)) ?? .one) : shape, in: target,
      (1 << layout.shiftX, 1 << layout.shiftY))
    let scaledSize = turn.swapsSides ? (area.height, area.width) : (area.width, area.height)
    unsafe try scale(frame.pointer, to: scaledSize)
    try makeRoom()
    if area.width < target.codedWidth || area.height < target.codedHeight {
      unsafe layout.blacken(room, isFullRange: isFullRange)
    }
    unsafe layout.place(scaled, turn, in: room, area)
    describe()
    // Lines that are moved or scaled are of both fields.
    if turn.isNone, area.height == size.height {
      unsafe trim_frame_copy_fields(room, frame.pointer)
    }
    guard let captions = frame.captions else { return }
    guard
      let copy = unsafe av_frame_new_side_data(room, AV_FRAME_DATA_A53_CC, captions.count)
    else { throw LibavError(.outOfMemory, "no memory for a picture") }
    unsafe copy.pointee.data.update(from: captions, count: captions.count)
  }

  /// Where a picture is placed: as large as fits, in the middle, in whole chroma samples.
  ///
  /// - Parameters:
  ///   - size: in pixels, after turning.
  ///   - shape: the width of its pixels, relative to their height.
  static func area(
    of size: (width: Int, height: Int), shape: Rational, in target: Target,
    _ step: (x: Int, y: Int)
  ) -> Area {
    let whole = Area(width: target.width, height: target.height)
    // The width of the picture in the target's pixels, if its height is the target's.
    guard
      let width = try? Rational(Int64(size.width)).multiplied(by: shape)
        .multiplied(by: Rational(Int64(target.height))).divided(by: Rational(Int64(size.height)))
        .divided(by: target.sampleAspectRatio), width.isPositive
    else { return whole }
    func rounded(_ value: Rational, _ step: Int, _ most: Int) -> Int {
      let steps = (try? value.divided(by: Rational(Int64(step))).rounded(.nearest)) ?? 1
      let length = Int(clamping: max(1, steps)) * step
      // A bar narrower than a chroma sample cannot be drawn.
      return length + step > most ? most : length
    }
    var area = whole
    if width < Rational(Int64(target.width)) {
      area.width = rounded(width, step.x, target.width)
    } else if let height = try? Rational(Int64(target.height))
      .multiplied(by: Rational(Int64(target.width))).divided(by: width)
    {
      area.height = rounded(height, step.y, target.height)
    }
    area.left = (target.width - area.width) / 2 / step.x * step.x
    area.top = (target.height - area.height) / 2 / step.y * step.y
    return area
  }

  @unsafe private func scale(
    _ source: UnsafeMutablePointer<AVFrame>, to size: (width: Int, height: Int)
  ) throws(LibavError) {
    let wanted = unsafe Setup(
      width: source.pointee.width, height: source.pointee.height,
      format: AVPixelFormat(source.pointee.format),
      toWidth: Int32(clamping: size.width), toHeight: Int32(clamping: size.height),
      matrix: Self.matrix(source.pointee.colorspace, height: Int(source.pointee.height)),
      isFullRange: source.pointee.color_range == AVCOL_RANGE_JPEG)
    if setup != wanted { setUp(wanted) }
    guard let scaler = unsafe scaler else {
      throw LibavError(.outOfMemory, "no memory to scale a picture")
    }
    unsafe try Self.allocate(scaled, size, format)
    let done = unsafe PicturePlanes(scaled).fill(
      from: PicturePlanes(source), scaler, height: wanted.height)
    guard done == size.height else {
      throw LibavError(.invalidData, "a picture cannot be scaled")
    }
  }

  private func setUp(_ wanted: Setup) {
    if let scaler = unsafe scaler { unsafe trim_scaler_free(scaler) }
    unsafe scaler = unsafe trim_scaler_make(
      wanted.width, wanted.height, wanted.format, wanted.toWidth, wanted.toHeight, format,
      trim_SWS_BICUBIC | trim_SWS_ACCURATE_RND | trim_SWS_FULL_CHR_H_INT)
    setup = unsafe scaler == nil ? nil : wanted
    guard let scaler = unsafe scaler else { return }
    // It fails where there is no matrix to set, as between formats of RGB.
    _ = unsafe trim_scaler_set_colors(
      scaler, wanted.matrix, wanted.isFullRange ? 1 : 0,
      Self.matrix(colors.matrix, height: target.height), isFullRange ? 1 : 0)
  }

  /// FFmpeg's number of the colour matrix; if none is stated, chosen by the size, as in players.
  private static func matrix(_ space: AVColorSpace, height: Int) -> Int32 {
    switch space {
    case AVCOL_SPC_UNSPECIFIED, AVCOL_SPC_RESERVED, AVCOL_SPC_RGB:
      height >= 720 ? SWS_CS_ITU709 : SWS_CS_ITU601
    default: Int32(clamping: space.rawValue)
    }
  }

  private func makeRoom() throws(LibavError) {
    // An encoder may still hold the previous one.
    unsafe try Self.allocate(room, (target.codedWidth, target.codedHeight), format)
  }

  @unsafe private static func allocate(
    _ frame: UnsafeMutablePointer<AVFrame>, _ size: (width: Int, height: Int),
    _ format: AVPixelFormat
  ) throws(LibavError) {
    unsafe av_frame_unref(frame)
    unsafe frame.pointee.width = Int32(clamping: size.width)
    unsafe frame.pointee.height = Int32(clamping: size.height)
    unsafe frame.pointee.format = format.rawValue
    guard unsafe av_frame_get_buffer(frame, 0) >= 0 else {
      throw LibavError(.outOfMemory, "no memory for a picture")
    }
  }

  private func describe() {
    let shape = target.sampleAspectRatio
    unsafe room.pointee.sample_aspect_ratio = AVRational(
      num: Int32(clamping: shape.numerator), den: Int32(clamping: shape.denominator))
    unsafe room.pointee.color_primaries = colors.primaries
    unsafe room.pointee.color_trc = colors.transfer
    unsafe room.pointee.colorspace = colors.matrix
    unsafe room.pointee.color_range = colors.range
    unsafe room.pointee.crop_right = target.codedWidth - target.width
    unsafe room.pointee.crop_bottom = target.codedHeight - target.height
  }
}
