import CFFmpeg
package import ExactTime

/// Encodes frames as H.264 that browsers play: fast, for previews only.
///
/// No frame is reordered, so that each is output immediately.
@safe package struct PreviewEncoder: ~Copyable {
  private let encoder: OpenEncoder
  private let scaler: OpaquePointer
  private let width: Int
  private let height: Int

  /// - Parameters:
  ///   - width: the input width in pixels; an odd last column or row is scaled away.
  ///   - tick: seconds per tick of frame times.
  /// - Throws: ``LibavError`` of kind `notAllowed` where this FFmpeg lacks the encoder.
  package init(width: Int, height: Int, tick: Rational) throws(LibavError) {
    try PictureScaler.load()
    let codec = unsafe try OpenEncoder.codec(named: "libx264")
    let (even, rows) = (Int32(max(2, width & ~1)), Int32(max(2, height & ~1)))
    let scaler = unsafe trim_scaler_make(
      Int32(width), Int32(height), AV_PIX_FMT_RGB24, even, rows, AV_PIX_FMT_YUV420P,
      trim_SWS_BILINEAR)
    guard let scaler = unsafe scaler else {
      throw LibavError(.outOfMemory, "no memory to convert pictures")
    }
    _ = unsafe trim_scaler_set_colors(scaler, SWS_CS_ITU709, 1, SWS_CS_ITU709, 0)
    do throws(LibavError) {
      encoder = unsafe try OpenEncoder(codec, options: Self.options, log: LibavLog()) {
        unsafe $0.pointee.width = even
        unsafe $0.pointee.height = rows
        unsafe $0.pointee.pix_fmt = AV_PIX_FMT_YUV420P
        unsafe $0.pointee.sample_aspect_ratio = AVRational(num: 1, den: 1)
        unsafe $0.pointee.color_range = AVCOL_RANGE_MPEG
        unsafe $0.pointee.color_primaries = AVCOL_PRI_BT709
        unsafe $0.pointee.color_trc = AVCOL_TRC_BT709
        unsafe $0.pointee.colorspace = AVCOL_SPC_BT709
        unsafe $0.pointee.time_base = AVRational(
          num: Int32(clamping: tick.numerator), den: Int32(clamping: tick.denominator))
        unsafe $0.pointee.max_b_frames = 0
        unsafe $0.pointee.thread_count = 2
        unsafe $0.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER | AV_CODEC_FLAG_BITEXACT
      }
    } catch {
      unsafe trim_scaler_free(scaler)
      throw error
    }
    unsafe self.scaler = unsafe scaler
    self.width = width
    self.height = height
  }

  deinit { unsafe trim_scaler_free(scaler) }

  private static let options: [(key: String, value: String)] = [
    ("preset", "superfast"), ("tune", "zerolatency"), ("crf", "20"), ("forced-idr", "1"),
    // Frame durations vary, and must not affect rate control.
    ("x264-params", "force-cfr=0:scenecut=0:keyint=infinite"),
  ]

  package var parameters: CodecParameters {
    get throws(LibavError) { unsafe try CodecParameters(of: encoder.context) }
  }

  /// - Parameters:
  ///   - rgb: 8-bit RGB, row by row without gaps.
  ///   - pts: in ticks, ascending.
  package func send(rgb: [UInt8], pts: Int64, isKey: Bool) throws(LibavError) {
    precondition(rgb.count == width * height * 3)
    let frame = unsafe encoder.frame
    unsafe av_frame_unref(frame)
    unsafe frame.pointee.width = encoder.context.pointee.width
    unsafe frame.pointee.height = encoder.context.pointee.height
    unsafe frame.pointee.format = AV_PIX_FMT_YUV420P.rawValue
    var code = unsafe av_frame_get_buffer(frame, 0)
    if code >= 0, unsafe !fill(frame, from: rgb) { code = trim_ERROR_INVALID }
    if code >= 0 {
      unsafe frame.pointee.pts = pts
      unsafe frame.pointee.pict_type = isKey ? AV_PICTURE_TYPE_I : AV_PICTURE_TYPE_NONE
      code = encoder.sendFrame()
    }
    guard code >= 0 else {
      throw LibavError(code: code, doing: "a picture cannot be encoded", log: encoder.log)
    }
  }

  @unsafe private func fill(
    _ frame: UnsafeMutablePointer<AVFrame>, from rgb: [UInt8]
  ) -> Bool {
    // The scaler reads whole vectors, beyond the end of a row.
    var rows = rgb
    rows.append(contentsOf: repeatElement(0, count: 64))
    let done = unsafe rows.withUnsafeMutableBufferPointer { bytes in
      unsafe PicturePlanes(frame).fill(
        from: PicturePlanes(bytes.baseAddress, stride: width * 3), scaler, height: Int32(height))
    }
    return done > 0
  }

  /// Tells the encoder that the input has ended.
  package func finish() { encoder.finish() }

  /// The next coded packet; `nil` when more input is needed or all packets were returned.
  package func receive() throws(LibavError) -> EncodedPacket? {
    guard let packet = try encoder.receive("a picture") else { return nil }
    return unsafe EncodedPacket(
      bytes: packet.bytes, pts: packet.pointer.pointee.pts, dts: packet.pointer.pointee.dts,
      isKey: packet.pointer.pointee.flags & AV_PKT_FLAG_KEY != 0)
  }
}
