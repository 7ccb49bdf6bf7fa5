import CFFmpeg
import CSystem

/// The common part of all encoders: an open codec, its input frame, and its log.
@safe struct OpenEncoder: ~Copyable {
  let context: UnsafeMutablePointer<AVCodecContext>
  let frame: UnsafeMutablePointer<AVFrame>
  let log: LibavLog

  /// - Throws: ``LibavError`` of kind `notAllowed` where this FFmpeg lacks the encoder.
  @unsafe static func codec(named name: String) throws(LibavError) -> UnsafePointer<AVCodec> {
    try LibavLibrary.load()
    guard let codec = unsafe avcodec_find_encoder_by_name(name) else {
      throw LibavError(.notAllowed, "this FFmpeg has no encoder \(name)")
    }
    return unsafe codec
  }

  /// - Parameter describe: sets up the codec for its input.
  /// - Throws: ``LibavError`` of kind `notAllowed` where the encoder does not support that, or
  ///   `outOfMemory`.
  @unsafe init(
    _ codec: UnsafePointer<AVCodec>, options: [(key: String, value: String)], log: LibavLog,
    describe: (UnsafeMutablePointer<AVCodecContext>) -> Void
  ) throws(LibavError) {
    var context = unsafe avcodec_alloc_context3(codec)
    var frame = unsafe av_frame_alloc()
    do throws(LibavError) {
      guard let open = unsafe context, let empty = unsafe frame else {
        throw LibavError(.outOfMemory, "no memory for an encoder")
      }
      unsafe describe(open)
      var settings = Options()
      for (key, value) in options { settings.set(key, value) }
      let code = log.collecting { unsafe Self.open(open, codec, &settings) }
      guard code >= 0 else {
        guard code != trim_ERROR_MEMORY else {
          throw LibavError(.outOfMemory, "no memory for an encoder")
        }
        if code == trim_ERROR_AGAIN {
          throw LibavError(opening: code, doing: "its encoder cannot be opened", log: log)
        }
        // Not the file's fault, whatever FFmpeg's error code.
        let name = unsafe String(cString: codec.pointee.name)
        let kind = unsafe codec.pointee.type == AVMEDIA_TYPE_VIDEO ? "video" : "audio"
        throw LibavError(
          .notAllowed, "\(name) does not support this kind of \(kind)", lastLogLine: log.lastLine)
      }
      unsafe self.context = unsafe open
      unsafe self.frame = unsafe empty
      self.log = log
    } catch {
      unsafe avcodec_free_context(&context)
      unsafe av_frame_free(&frame)
      throw error
    }
  }

  /// Opens a codec: SVT-AV1, when run by root, makes itself and the opening thread real-time
  /// threads of the highest priority, which starves everything else on the machine.
  @unsafe private static func open(
    _ context: UnsafeMutablePointer<AVCodecContext>, _ codec: UnsafePointer<AVCodec>,
    _ settings: inout Options
  ) -> Int32 {
    let isPrivileged = trim_give_up_real_time()
    defer { if isPrivileged { trim_regain_real_time() } }
    return unsafe avcodec_open2(context, codec, &settings.pointer)
  }

  deinit {
    var frame: UnsafeMutablePointer<AVFrame>? = unsafe frame
    unsafe av_frame_free(&frame)
    var context: UnsafeMutablePointer<AVCodecContext>? = unsafe context
    unsafe avcodec_free_context(&context)
  }

  /// - Returns: FFmpeg's result, negative where the frame was rejected.
  func sendFrame() -> Int32 {
    log.collecting {
      unsafe trim_frame_forget_opaque(frame)
      return unsafe avcodec_send_frame(context, frame)
    }
  }

  /// Tells the encoder that the input has ended.
  func finish() { _ = log.collecting { unsafe avcodec_send_frame(context, nil) } }

  /// The next coded packet; `nil` when more input is needed or all packets were returned.
  func receive(_ what: String) throws(LibavError) -> OwnedPacket? {
    let packet = try OwnedPacket()
    let code = log.collecting { unsafe avcodec_receive_packet(context, packet.pointer) }
    if code == trim_ERROR_AGAIN || code == trim_ERROR_EOF { return nil }
    guard code >= 0 else {
      throw LibavError(code: code, doing: "\(what) cannot be encoded", log: log)
    }
    return packet
  }
}
