import CFFmpeg

/// Writes picture files with FFmpeg's own encoders.
package enum PictureEncoder {
  /// Encodes a picture file.
  ///
  /// - Parameter rgb: 8-bit RGB, row by row without gaps.
  /// - Throws: ``LibavError``; `notAllowed` where this FFmpeg lacks the encoder.
  package static func file(
    _ format: PictureFileFormat, rgb: [UInt8], width: Int, height: Int
  ) throws(LibavError) -> [UInt8] {
    precondition(width > 0 && height > 0 && rgb.count == width * height * 3)
    try LibavLibrary.load()
    let stored = try PictureBuffer(
      width: width, height: height, format: AV_PIX_FMT_RGB24, rgb: rgb)
    switch format {
    case .png: return try encode(stored, encoder: "png")
    case .jpeg:
      let target = try PictureBuffer(
        width: width, height: height, format: AV_PIX_FMT_YUVJ420P, rgb: [])
      try target.fill(from: stored)
      return try encode(target, encoder: "mjpeg")
    }
  }

  private static func encode(
    _ buffer: borrowing PictureBuffer, encoder name: String
  ) throws(LibavError) -> [UInt8] {
    guard let codec = unsafe avcodec_find_encoder_by_name(name) else {
      throw LibavError(.notAllowed, "this FFmpeg has no encoder for \(name)")
    }
    let log = LibavLog()
    guard let context = unsafe avcodec_alloc_context3(codec),
      let packet = unsafe av_packet_alloc()
    else { throw LibavError(.outOfMemory, "no memory for an encoder") }
    defer {
      var context: UnsafeMutablePointer<AVCodecContext>? = unsafe context
      unsafe avcodec_free_context(&context)
      var packet: UnsafeMutablePointer<AVPacket>? = unsafe packet
      unsafe av_packet_free(&packet)
    }
    let frame = unsafe buffer.frame
    unsafe context.pointee.width = frame.pointee.width
    unsafe context.pointee.height = frame.pointee.height
    unsafe context.pointee.pix_fmt = AVPixelFormat(frame.pointee.format)
    unsafe context.pointee.time_base = AVRational(num: 1, den: 1)
    unsafe context.pointee.sample_aspect_ratio = AVRational(num: 1, den: 1)
    unsafe context.pointee.thread_count = 1
    unsafe context.pointee.color_range = AVCOL_RANGE_JPEG
    // Omits the name of the encoder.
    unsafe context.pointee.flags |= AV_CODEC_FLAG_BITEXACT
    // JPEG only: the second best of its 31 quality levels.
    unsafe context.pointee.flags |= AV_CODEC_FLAG_QSCALE
    unsafe context.pointee.global_quality = FF_QP2LAMBDA * quality
    unsafe frame.pointee.quality = FF_QP2LAMBDA * quality
    var options = Options()
    // PNG: the best prediction filter for each row.
    options.set("pred", "mixed")
    let code = log.collecting {
      var code = unsafe avcodec_open2(context, codec, &options.pointer)
      if code >= 0 { code = unsafe avcodec_send_frame(context, frame) }
      if code >= 0 { code = unsafe avcodec_send_frame(context, nil) }
      return code >= 0 ? unsafe avcodec_receive_packet(context, packet) : code
    }
    guard code >= 0, let bytes = unsafe packet.pointee.data else {
      throw LibavError(code: code, doing: "the picture cannot be encoded", log: log)
    }
    return unsafe Array(
      UnsafeRawBufferPointer(start: bytes, count: Int(max(0, packet.pointee.size))))
  }

  private static let quality: Int32 = 2
}

/// A picture in FFmpeg's memory that is to be encoded.
@safe private struct PictureBuffer: ~Copyable {
  let frame: UnsafeMutablePointer<AVFrame>

  init(width: Int, height: Int, format: AVPixelFormat, rgb: [UInt8]) throws(LibavError) {
    guard let frame = unsafe av_frame_alloc() else {
      throw LibavError(.outOfMemory, "no memory for a picture")
    }
    unsafe frame.pointee.width = Int32(clamping: width)
    unsafe frame.pointee.height = Int32(clamping: height)
    unsafe frame.pointee.format = format.rawValue
    unsafe frame.pointee.color_range = AVCOL_RANGE_JPEG
    unsafe frame.pointee.color_trc = AVCOL_TRC_IEC61966_2_1
    guard unsafe av_frame_get_buffer(frame, 0) >= 0 else {
      var unused: UnsafeMutablePointer<AVFrame>? = unsafe frame
      unsafe av_frame_free(&unused)
      throw LibavError(.outOfMemory, "no memory for a picture")
    }
    unsafe self.frame = unsafe frame
    guard !rgb.isEmpty, let base = unsafe frame.pointee.data.0 else { return }
    let stride = unsafe Int(frame.pointee.linesize.0)
    unsafe rgb.withUnsafeBytes { bytes in
      for row in 0..<height {
        let source = unsafe UnsafeRawBufferPointer(
          rebasing: bytes[row * width * 3..<(row + 1) * width * 3])
        unsafe UnsafeMutableRawBufferPointer(start: base + row * stride, count: width * 3)
          .copyMemory(from: source)
      }
    }
  }

  deinit {
    var frame: UnsafeMutablePointer<AVFrame>? = unsafe frame
    unsafe av_frame_free(&frame)
  }

  /// Converts another picture of the same size into this one's format.
  func fill(from other: borrowing PictureBuffer) throws(LibavError) {
    try PictureScaler.load()
    let (from, to) = unsafe (other.frame, frame)
    let context = unsafe trim_scaler_make(
      from.pointee.width, from.pointee.height, AVPixelFormat(from.pointee.format),
      to.pointee.width, to.pointee.height, AVPixelFormat(to.pointee.format),
      trim_SWS_BICUBIC | trim_SWS_ACCURATE_RND)
    guard let context = unsafe context else {
      throw LibavError(.outOfMemory, "no memory to convert a picture")
    }
    defer { unsafe trim_scaler_free(context) }
    let sources = unsafe PicturePlanes(from)
    let targets = unsafe PicturePlanes(to)
    guard unsafe targets.fill(from: sources, context, height: from.pointee.height) > 0 else {
      throw LibavError(.invalidData, "a picture cannot be converted")
    }
  }
}
