import CFFmpeg
import ExactTime

/// A decoder of the allow-list with its own frame.
@safe package struct Decoder: ~Copyable {
  let context: UnsafeMutablePointer<AVCodecContext>
  private let frame: UnsafeMutablePointer<AVFrame>
  package let log: LibavLog

  package enum SendResult: Sendable, Hashable {
    case accepted
    /// Frames must be received first.
    case full
    /// The packet could not be decoded.
    case refused
  }

  /// The result of receiving a frame.
  package enum Output: Sendable {
    case frame(FrameFacts)
    case needsInput
    case ended
    /// Something could not be decoded; the next call continues after it.
    case failed
  }

  /// - Parameter keepsPadding: whether pictures are output as coded, without cropping.
  /// - Throws: ``LibavError`` of kind `notAllowed` for a codec that is not on the allow-list, of
  ///   kind `tooManyPixels` for a picture beyond the limits.
  @unsafe init(
    _ stream: UnsafeMutablePointer<AVStream>, threads: Int32, limits: DemuxerLimits,
    extradata: [UInt8]? = nil, tick: Rational? = nil, log: LibavLog,
    size: (width: Int, height: Int)? = nil, keepsPadding: Bool = false,
    waitsLongest: Bool = false, keepsLead: Bool = false
  ) throws(LibavError) {
    guard let parameters = unsafe stream.pointee.codecpar,
      let codec = unsafe AllowedDecoder.find(parameters.pointee.codec_id)
    else { throw LibavError(.notAllowed, "its codec is not supported") }
    if let refusal = unsafe limits.refusal(
      ofWidth: size?.width ?? Int(parameters.pointee.width),
      height: size?.height ?? Int(parameters.pointee.height))
    {
      throw LibavError(.tooManyPixels, refusal)
    }
    guard let allocated = unsafe avcodec_alloc_context3(codec) else {
      throw LibavError(.outOfMemory, "no memory for a decoder")
    }
    var context: UnsafeMutablePointer<AVCodecContext>? = unsafe allocated
    var code = unsafe avcodec_parameters_to_context(allocated, parameters)
    if code >= 0, let extradata { code = unsafe Self.configure(allocated, extradata) }
    if code >= 0 {
      unsafe allocated.pointee.pkt_timebase = unsafe stream.pointee.time_base
      if let tick, let num = Int32(exactly: tick.numerator),
        let den = Int32(exactly: tick.denominator)
      {
        unsafe allocated.pointee.pkt_timebase = AVRational(num: num, den: den)
      }
      if let size {
        unsafe allocated.pointee.width = Int32(clamping: size.width)
        unsafe allocated.pointee.height = Int32(clamping: size.height)
      }
      // FFmpeg rejects the headers of the next Theora link when decoding with several threads.
      unsafe allocated.pointee.thread_count =
        parameters.pointee.codec_id == AV_CODEC_ID_THEORA ? 1 : threads
      unsafe allocated.pointee.max_pixels = limits.pixels
      // MaxDpbFrames of ITU-T H.264, A.3.1, minus the frame being output.
      if waitsLongest { unsafe allocated.pointee.has_b_frames = 15 }
      if keepsPadding { unsafe allocated.pointee.apply_cropping = 0 }
      if keepsLead, unsafe parameters.pointee.codec_id == AV_CODEC_ID_OPUS {
        unsafe allocated.pointee.flags2 |= AV_CODEC_FLAG2_SKIP_MANUAL
      }
      code = log.collecting { unsafe avcodec_open2(allocated, codec, nil) }
    }
    guard code >= 0, let frame = unsafe av_frame_alloc() else {
      unsafe avcodec_free_context(&context)
      throw LibavError(opening: code, doing: "its decoder cannot be opened", log: log)
    }
    unsafe self.context = unsafe allocated
    unsafe self.frame = unsafe frame
    self.log = log
  }

  @unsafe private static func configure(
    _ context: UnsafeMutablePointer<AVCodecContext>, _ extradata: [UInt8]
  ) -> Int32 {
    guard let (data, size) = try? unsafe Extradata.copy(extradata) else {
      return trim_ERROR_MEMORY
    }
    unsafe av_free(context.pointee.extradata)
    unsafe context.pointee.extradata = data
    unsafe context.pointee.extradata_size = size
    return 0
  }

  /// From the next packet on, decoded data is verified against checksums.
  package func checkChecksums() { unsafe context.pointee.err_recognition |= AV_EF_CRCCHECK }

  deinit {
    var frame: UnsafeMutablePointer<AVFrame>? = unsafe frame
    unsafe av_frame_free(&frame)
    var context: UnsafeMutablePointer<AVCodecContext>? = unsafe context
    unsafe avcodec_free_context(&context)
  }

  @unsafe func send(_ packet: UnsafeMutablePointer<AVPacket>?) -> SendResult {
    if let packet = unsafe packet, unsafe context.pointee.codec_id == AV_CODEC_ID_VP8 {
      let bytes = unsafe UnsafeRawBufferPointer(
        start: packet.pointee.data, count: Int(max(0, packet.pointee.size)))
      let frames = unsafe HiddenFrames.frames(of: bytes, .vp8)
      if frames.count > 1 { return unsafe send(frames, of: bytes, in: packet) }
    }
    return unsafe pass(packet)
  }

  /// Decodes frames that are in one packet, one after another.
  @unsafe private func send(
    _ frames: [Range<Int>], of bytes: UnsafeRawBufferPointer,
    in packet: UnsafeMutablePointer<AVPacket>
  ) -> SendResult {
    for (place, frame) in frames.enumerated() {
      guard let part = unsafe try? OwnedPacket(Array(bytes[frame])),
        unsafe av_packet_copy_props(part.pointer, packet) >= 0
      else { return .refused }
      let result = unsafe pass(part.pointer)
      // A hidden frame outputs nothing, so the decoder is not full for the next one.
      if result != .accepted { return place == 0 ? result : .refused }
    }
    return .accepted
  }

  @unsafe private func pass(_ packet: UnsafeMutablePointer<AVPacket>?) -> SendResult {
    let code = log.collecting { unsafe avcodec_send_packet(context, packet) }
    if code == trim_ERROR_AGAIN { return .full }
    return code >= 0 || code == trim_ERROR_EOF ? .accepted : .refused
  }

  /// Decodes a packet of our own bytes.
  package func send(
    _ bytes: [UInt8], pts: Int64, dts: Int64, isKey: Bool
  ) throws(LibavError) -> SendResult {
    let packet = try OwnedPacket(bytes)
    unsafe packet.pointer.pointee.pts = pts
    unsafe packet.pointer.pointee.dts = dts
    if isKey { unsafe packet.pointer.pointee.flags |= AV_PKT_FLAG_KEY }
    return unsafe send(packet.pointer)
  }

  /// Tells the decoder that the stream has ended.
  package func finish() { _ = unsafe send(nil) }

  package func receive() -> Output {
    receive { _ in }
  }

  /// Receives a frame and lends it to a closure.
  package func receive(_ use: (borrowing DecodedFrame) -> Void) -> Output {
    let code = log.collecting { unsafe avcodec_receive_frame(context, frame) }
    if code == trim_ERROR_AGAIN { return .needsInput }
    if code == trim_ERROR_EOF { return .ended }
    guard code >= 0 else { return .failed }
    defer { unsafe av_frame_unref(frame) }
    unsafe use(DecodedFrame(frame))
    return unsafe .frame(FrameFacts(frame))
  }
}

/// The properties of a decoded frame.
package struct FrameFacts: Sendable {
  /// FFmpeg's best guess of its PTS, in the stream's ticks.
  package var time: Int64?
  /// The PTS of the packet it was decoded from, where the decoder reports it, even if not unique.
  package var pts: Int64?
  package var duration: Int64
  package var sampleCount: Int
  package var sampleRate: Int
  package var isKey: Bool
  package var isDamaged: Bool
  /// True where the decoder marks it as corrupt because a reference is missing.
  package var isCorrupt: Bool
  package var width: Int
  package var height: Int

  @unsafe init(_ frame: UnsafeMutablePointer<AVFrame>) {
    let value = unsafe frame.pointee
    let stamp = unsafe value.best_effort_timestamp
    time = stamp == trim_NOPTS ? nil : stamp
    let stated = unsafe value.pts
    pts = stated == trim_NOPTS ? nil : stated
    unsafe duration = max(0, trim_frame_duration(frame))
    unsafe sampleCount = Int(max(0, value.nb_samples))
    unsafe sampleRate = Int(max(0, value.sample_rate))
    unsafe isKey = trim_frame_is_key(frame) != 0
    unsafe isDamaged = value.decode_error_flags != 0
    unsafe isCorrupt = value.flags & AV_FRAME_FLAG_CORRUPT != 0
    unsafe width = Int(value.width)
    unsafe height = Int(value.height)
  }
}

/// Finds decoders on the allow-list.
enum AllowedDecoder {
  static func find(_ id: AVCodecID) -> UnsafePointer<AVCodec>? {
    guard let codec = unsafe avcodec_find_decoder(id) else { return nil }
    let name = unsafe String(cString: codec.pointee.name)
    return AllowList.usedDecoders.contains(name) ? unsafe codec : nil
  }
}
