#if FFmpeg
  import CFFmpeg
  import LateFFmpeg

  /// Turns decoded pictures into rows of red, green and blue of any size.
  @safe package struct PictureScaler: ~Copyable {
    private var context: OpaquePointer?
    /// What the context was last set up for.
    private var setup: Setup?

    private struct Setup: Equatable {
      var source: [Int32]
      var target: [Int32]
      var matrix: Int32
      var isFullRange: Bool
    }

    package init() throws(LibavError) { try Self.load() }

    /// Loads what scaling needs besides FFmpeg's other libraries.
    static func load() throws(LibavError) {
      try LibavLibrary.load()
      let failure = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 300) {
        buffer -> String? in
        guard let base = buffer.baseAddress else { return nil }
        unsafe base.initialize(repeating: 0, count: 300)
        return unsafe trim_ffmpeg_load_scaling(base, 299) == 0 ? nil : unsafe String(cString: base)
      }
      if let failure { throw LibavError(.unavailable, failure) }
    }

    deinit { unsafe sws_freeContext(context) }

    /// Red, green and blue of eight bits each, row by row without gaps.
    package mutating func rgb8(
      _ picture: borrowing DecodedPicture, width: Int, height: Int
    ) throws(LibavError) -> [UInt8] {
      try scale(picture, width: width, height: height, to: AV_PIX_FMT_RGB24, bytesPerPixel: 3)
    }

    /// The same with sixteen bits each, the lower byte first.
    package mutating func rgb16(
      _ picture: borrowing DecodedPicture, width: Int, height: Int
    ) throws(LibavError) -> [UInt8] {
      try scale(picture, width: width, height: height, to: AV_PIX_FMT_RGB48LE, bytesPerPixel: 6)
    }

    private mutating func scale(
      _ picture: borrowing DecodedPicture, width: Int, height: Int, to format: AVPixelFormat,
      bytesPerPixel: Int
    ) throws(LibavError) -> [UInt8] {
      precondition((1...16_384).contains(width) && (1...16_384).contains(height))
      let source = unsafe picture.frame.pointee
      let sourceFormat = unsafe AVPixelFormat(source.format)
      guard unsafe source.width > 0, unsafe source.height > 0,
        sws_isSupportedInput(sourceFormat) != 0
      else { throw LibavError(.notAllowed, "its pictures are of a kind that is not shown here") }
      let shrinks = unsafe width <= Int(source.width) && height <= Int(source.height)
      let method = shrinks ? SWS_AREA : SWS_BICUBIC
      unsafe context = unsafe sws_getCachedContext(
        context, source.width, source.height, sourceFormat, Int32(width), Int32(height), format,
        method | SWS_ACCURATE_RND, nil, nil, nil)
      guard let scaler = unsafe context else {
        throw LibavError(.outOfMemory, "no memory to scale a picture")
      }
      let wanted = unsafe Setup(
        source: [source.width, source.height, source.format],
        target: [Int32(width), Int32(height), format.rawValue], matrix: Self.matrix(of: picture),
        isFullRange: source.color_range == AVCOL_RANGE_JPEG)
      if setup != wanted { unsafe apply(wanted, to: scaler) }
      // The scaler writes whole vectors, beyond the end of a row.
      let row = width * bytesPerPixel
      let stride = (row + 127) / 64 * 64
      var rows = [UInt8](repeating: 0, count: stride * height)
      let done = unsafe rows.withUnsafeMutableBytes { buffer in
        let target = unsafe PicturePlanes(
          buffer.baseAddress?.assumingMemoryBound(to: UInt8.self), stride: stride)
        return unsafe target.fill(
          from: PicturePlanes(picture.frame), scaler, height: picture.frame.pointee.height)
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

    /// FFmpeg's number of the matrix; what players take where nothing is said: by the size.
    private static func matrix(of picture: borrowing DecodedPicture) -> Int32 {
      let space = unsafe picture.frame.pointee.colorspace
      switch space {
      case AVCOL_SPC_UNSPECIFIED, AVCOL_SPC_RESERVED, AVCOL_SPC_RGB:
        return picture.height >= 720 ? SWS_CS_ITU709 : SWS_CS_ITU601
      default: return Int32(clamping: space.rawValue)
      }
    }

    @unsafe private mutating func apply(_ wanted: Setup, to scaler: OpaquePointer) {
      setup = wanted
      // It refuses where there is no matrix to set, as for grey or RGB.
      _ = unsafe sws_setColorspaceDetails(
        scaler, sws_getCoefficients(wanted.matrix), wanted.isFullRange ? 1 : 0,
        sws_getCoefficients(SWS_CS_DEFAULT), 1, 0, 1 << 16, 1 << 16)
    }
  }
#endif
