import CFFmpeg
package import ExactTime

/// An encoder configured from a decoded frame: the same size, pixel format, aspect ratio and
/// color.
@safe package struct Encoder: ~Copyable {
  private let encoder: OpenEncoder
  private let following: AVPictureType
  private let planes: Planes
  private let allowance: LibavLibrary.Allowance?

  package struct Settings: Sendable {
    /// FFmpeg's name of the encoder.
    package var name: String
    /// Encoder options, as for `av_dict_set`.
    package var options: [(key: String, value: String)]
    /// Seconds per tick of the PTS of frames.
    package var tick: Rational
    package var frameRate: Rational?
    /// Whether parameter sets go into the extradata only.
    package var hasGlobalHeader: Bool
    package var isInterlaced = false
    package var planes = Planes.asDecoded
    /// Whether the stream signals that pictures may be reordered, although none is.
    package var announcesReordering = false
    package var threads: Int32 = 2
    /// Bytes per pixel of what it allocates at once for a picture.
    package var bytesPerPixel: Int?
    /// `nil` for any.
    package var header: Header?

    package init(
      name: String, options: [(key: String, value: String)], tick: Rational,
      frameRate: Rational? = nil, hasGlobalHeader: Bool
    ) {
      self.name = name
      self.options = options
      self.tick = tick
      self.frameRate = frameRate
      self.hasGlobalHeader = hasGlobalHeader
    }
  }

  /// Which planes of a decoded frame an encoder receives, and as what.
  package enum Planes: Sendable {
    case asDecoded
    /// Only the first: FFmpeg decodes monochrome H.264 to 4:2:0.
    case luma
    /// Green, blue and red as luma and chroma, as H.264 codes them (ITU-T H.264, E.2.1,
    /// matrix_coefficients).
    case components
  }

  /// The configuration that an encoder must write, and option sets that may produce it.
  package struct Header: Sendable {
    package var configuration: [UInt8]
    /// Tried in order.
    package var variants: [[(key: String, value: String)]]

    package init(
      _ configuration: [UInt8], variants: [[(key: String, value: String)]]
    ) {
      self.configuration = configuration
      self.variants = variants
    }

    /// Containers may pad it: those with Microsoft's bitmap headers to whole words.
    func matches(_ made: [UInt8]) -> Bool {
      configuration.starts(with: made)
        && configuration.dropFirst(made.count).allSatisfy { $0 == 0 }
        && configuration.count < made.count + 4
    }
  }

  /// True when FFmpeg on this machine has an encoder.
  package static func isAvailable(_ name: String) -> Bool {
    guard (try? LibavLibrary.load()) != nil else { return false }
    return unsafe avcodec_find_encoder_by_name(name) != nil
  }

  /// - Throws: ``LibavError`` of kind `notAllowed` where this FFmpeg lacks the encoder, or where
  ///   it writes a different configuration than the requested one.
  package init(
    _ settings: Settings, matching decoded: borrowing DecodedFrame, log: LibavLog = LibavLog()
  ) throws(LibavError) {
    // Decoded pictures are within the pixel limits.
    let pixels = unsafe Int(decoded.pointer.pointee.width) * Int(decoded.pointer.pointee.height)
    let allowance = settings.bytesPerPixel.map {
      LibavLibrary.Allowance(bytes: pixels * $0 + (1 << 20))
    }
    encoder = unsafe try Self.open(settings, after: decoded.pointer, log)
    self.allowance = allowance
    following = settings.announcesReordering ? AV_PICTURE_TYPE_P : AV_PICTURE_TYPE_NONE
    planes = settings.planes
  }

  @unsafe private static func open(
    _ settings: Settings, after frame: UnsafeMutablePointer<AVFrame>, _ log: LibavLog
  ) throws(LibavError) -> OpenEncoder {
    guard let header = settings.header else { return unsafe try open(settings, [], frame, log) }
    for variant in header.variants {
      // Options that an encoder does not support do not produce such a header either.
      guard let opened = unsafe try? open(settings, variant, frame, log) else { continue }
      if header.matches(unsafe extradata(of: opened.context)) { return opened }
    }
    throw LibavError(
      .notAllowed, "\(settings.name) cannot produce this file's codec configuration")
  }

  @unsafe private static func open(
    _ settings: Settings, _ variant: [(key: String, value: String)],
    _ frame: UnsafeMutablePointer<AVFrame>, _ log: LibavLog
  ) throws(LibavError) -> OpenEncoder {
    unsafe try OpenEncoder(
      OpenEncoder.codec(named: settings.name), options: settings.options + variant, log: log
    ) { unsafe describe($0, after: frame, settings) }
  }

  @unsafe private static func describe(
    _ context: UnsafeMutablePointer<AVCodecContext>,
    after frame: UnsafeMutablePointer<AVFrame>, _ settings: Settings
  ) {
    let picture = unsafe frame.pointee
    unsafe context.pointee.width = picture.width
    unsafe context.pointee.height = picture.height
    unsafe context.pointee.pix_fmt = name(
      of: settings.planes, AVPixelFormat(picture.format))
    unsafe context.pointee.sample_aspect_ratio = picture.sample_aspect_ratio
    unsafe context.pointee.color_range = picture.color_range
    unsafe context.pointee.color_primaries = picture.color_primaries
    unsafe context.pointee.color_trc = picture.color_trc
    unsafe context.pointee.colorspace = picture.colorspace
    unsafe context.pointee.chroma_sample_location = picture.chroma_location
    unsafe context.pointee.time_base = rational(settings.tick)
    if let rate = settings.frameRate { unsafe context.pointee.framerate = rational(rate) }
    unsafe context.pointee.max_b_frames = settings.announcesReordering ? 1 : 0
    unsafe context.pointee.thread_count = settings.threads
    if settings.hasGlobalHeader { unsafe context.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER }
    if settings.isInterlaced {
      unsafe context.pointee.flags |= AV_CODEC_FLAG_INTERLACED_DCT
      unsafe context.pointee.field_order =
        trim_frame_is_top_field_first(frame) != 0 ? AV_FIELD_TT : AV_FIELD_BB
    }
  }

  /// The pixel format of the selected planes; the picture's own where no encoder takes those
  /// alone.
  private static func name(of planes: Planes, _ format: AVPixelFormat) -> AVPixelFormat {
    switch (planes, format) {
    case (.luma, AV_PIX_FMT_YUV420P), (.luma, AV_PIX_FMT_YUVJ420P): AV_PIX_FMT_GRAY8
    case (.luma, AV_PIX_FMT_YUV420P10LE): AV_PIX_FMT_GRAY10LE
    case (.components, AV_PIX_FMT_GBRP): AV_PIX_FMT_YUV444P
    case (.components, AV_PIX_FMT_GBRP10LE): AV_PIX_FMT_YUV444P10LE
    default: format
    }
  }

  /// The nearest value in FFmpeg's 32-bit fractions.
  private static func rational(_ value: Rational) -> AVRational {
    if let numerator = Int32(exactly: value.numerator),
      let denominator = Int32(exactly: value.denominator)
    {
      return AVRational(num: numerator, den: denominator)
    }
    return AVRational(num: 1, den: 1_000_000)
  }

  /// The codec's configuration, where it is separate from the packets.
  package var extradata: [UInt8] { unsafe Self.extradata(of: encoder.context) }

  /// What describes its packets.
  package var parameters: CodecParameters {
    get throws(LibavError) { unsafe try CodecParameters(of: encoder.context) }
  }

  @unsafe private static func extradata(
    of context: UnsafeMutablePointer<AVCodecContext>
  ) -> [UInt8] {
    guard let data = unsafe context.pointee.extradata else { return [] }
    return unsafe Array(
      UnsafeRawBufferPointer(start: data, count: Int(max(0, context.pointee.extradata_size))))
  }

  /// Whether a frame has the size that the encoder was opened for.
  package func takes(_ decoded: borrowing DecodedFrame) -> Bool {
    unsafe decoded.pointer.pointee.width == encoder.context.pointee.width
      && decoded.pointer.pointee.height == encoder.context.pointee.height
  }

  /// Encodes a decoded frame.
  ///
  /// - Parameters:
  ///   - pts: in ticks of the settings.
  ///   - isKey: whether a decoder must be able to start here.
  package func send(
    _ decoded: borrowing DecodedFrame, pts: Int64, isKey: Bool
  ) throws(LibavError) {
    let frame = unsafe encoder.frame
    unsafe av_frame_unref(frame)
    var code = unsafe av_frame_ref(frame, decoded.pointer)
    if code >= 0 {
      unsafe frame.pointee.pts = pts
      // A luma-only encoder reads only the first plane.
      if planes != .asDecoded {
        unsafe frame.pointee.format = encoder.context.pointee.pix_fmt.rawValue
      }
      // The picture type in the source says nothing about the new encode.
      unsafe frame.pointee.pict_type = isKey ? AV_PICTURE_TYPE_I : following
      code = encoder.sendFrame()
    }
    guard code >= 0 else {
      throw LibavError(code: code, doing: "a frame cannot be encoded", log: encoder.log)
    }
  }

  /// Tells the encoder that the input has ended.
  package func finish() { encoder.finish() }

  /// The next coded packet; `nil` when more input is needed or all packets were returned.
  package func receive() throws(LibavError) -> EncodedPacket? {
    guard let packet = try encoder.receive("a frame") else { return nil }
    return unsafe EncodedPacket(
      bytes: packet.bytes, pts: packet.pointer.pointee.pts, dts: packet.pointer.pointee.dts,
      isKey: packet.pointer.pointee.flags & AV_PKT_FLAG_KEY != 0)
  }
}

/// One packet from an encoder.
package struct EncodedPacket: Sendable {
  package var bytes: [UInt8]
  package var pts: Int64
  package var dts: Int64
  package var isKey: Bool
}
