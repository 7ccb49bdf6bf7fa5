import CFFmpeg
package import ExactTime

/// Writes packets into a container through our own file descriptor.
@safe package final class Muxer {
  let context: UnsafeMutablePointer<AVFormatContext>
  private let bridge: OutputBridge
  private let writer: BridgeContext
  package let log = LibavLog()
  /// Whether the muxer collects audio packets: that of MPEG-TS puts up to 170 bytes in one PES
  /// packet, with the time of the first; here each gets its own.
  private let gathersSound: Bool
  /// Streams whose palette has been written; `nil` where the header contains it.
  private var colored: Set<Int>?
  /// Whether packets are not interleaved, so that they do not wait for a cover stream's single
  /// packet.
  private var writesAsGiven = false
  /// Seconds per tick of each stream, as required by the container; known after the header.
  package private(set) var ticks: [Rational] = []

  /// A stream of the output.
  package struct Stream {
    /// The demuxer's stream whose parameters it takes.
    package var source: Int
    package var tick: Rational
    /// Replaces the source's, where not `nil`.
    package var extradata: [UInt8]?
    package var dispositions: Int32?
    package var tags: [(key: String, value: String)]
    package var frameRate: Rational?
    /// Whether the source's tag specifies what the codec name leaves open.
    package var keepsTag = false
    /// Samples that a decoder drops at the start.
    package var initialPadding: Int?
    /// Samples per packet, where that is constant and missing in the source's header.
    package var frameSize: Int?
    /// Bytes of the first packet.
    package var frameByteCount: Int?
    /// Replaces the source's, where it was re-encoded.
    package var parameters: CodecParameters?
    /// Replaces the source's, where its container states other values than its pictures have.
    package var shape: PictureShape?
    /// Whether only its parameters here describe it, and the demuxer's stream is another.
    package var isLent = false

    package init(
      source: Int, tick: Rational, extradata: [UInt8]? = nil,
      tags: [(key: String, value: String)], frameRate: Rational? = nil
    ) {
      self.source = source
      self.tick = tick
      self.extradata = extradata
      self.tags = tags
      self.frameRate = frameRate
    }
  }

  /// A chapter of the output.
  package struct Chapter: Sendable {
    package var start: MediaTime
    package var end: MediaTime
    package var title: String?

    package init(start: MediaTime, end: MediaTime, title: String?) {
      self.start = start
      self.end = end
      self.title = title
    }
  }

  /// Whether the Matroska muxer shifts audio times by the codec delay; else its callers do.
  package static let addsCodecDelay = TRIM_MUXER_ADDS_CODEC_DELAY != 0

  /// Whether the Matroska muxer writes the rotation of pictures.
  package static let turnsMatroska = TRIM_MATROSKA_TURNS != 0

  /// Writes the header.
  ///
  /// - Throws: ``LibavError``: the format does not hold a codec, or writing failed.
  package convenience init(
    format: String, to output: any ByteOutput, from demuxer: borrowing Demuxer,
    streams: [Stream], chapters: [Chapter] = [], tags: [(key: String, value: String)] = [],
    covers: [Cover] = [], options: [(key: String, value: String)] = []
  ) throws(LibavError) {
    try self.init(format: format, to: output)
    for stream in streams { unsafe try Self.add(stream, to: context, from: demuxer) }
    for cover in covers { unsafe try Self.add(cover, to: context) }
    unsafe Self.add(chapters, to: context)
    for (key, value) in tags { _ = unsafe av_dict_set(&context.pointee.metadata, key, value, 0) }
    try writeHeader(options, format: format)
    for (place, cover) in covers.enumerated() where !cover.isAttachment {
      writesAsGiven = true
      try write(
        cover.picture, stream: streams.count + place, pts: 0, dts: 0, duration: 0, isKey: true)
    }
  }

  /// A stream that was encoded here.
  package struct MadeStream {
    package var parameters: CodecParameters
    package var tick: Rational

    package init(_ parameters: CodecParameters, tick: Rational) {
      self.parameters = parameters
      self.tick = tick
    }
  }

  /// Writes the header of streams that were not read from a file.
  ///
  /// - Throws: ``LibavError``: the format does not hold a codec, or writing failed.
  package convenience init(
    format: String, to output: any ByteOutput, made streams: [MadeStream],
    options: [(key: String, value: String)] = []
  ) throws(LibavError) {
    try self.init(format: format, to: output)
    for stream in streams {
      guard let made = unsafe avformat_new_stream(context, nil),
        let copy = unsafe made.pointee.codecpar,
        unsafe avcodec_parameters_copy(copy, stream.parameters.pointer) >= 0
      else { throw LibavError(.outOfMemory, "no memory for a stream") }
      unsafe Self.setTick(stream.tick, of: made)
    }
    try writeHeader(options, format: format)
  }

  private init(format: String, to output: any ByteOutput) throws(LibavError) {
    try LibavLibrary.load()
    var made: UnsafeMutablePointer<AVFormatContext>?
    let code = unsafe avformat_alloc_output_context2(&made, nil, format, nil)
    guard code >= 0, let context = unsafe made else {
      throw LibavError(.notAllowed, "this FFmpeg does not write \(format)")
    }
    let bridge = OutputBridge(output)
    let writer: BridgeContext
    do {
      writer = try BridgeContext(writing: bridge)
    } catch {
      unsafe avformat_free_context(context)
      throw error
    }
    unsafe context.pointee.pb = unsafe writer.pointer
    unsafe context.pointee.flags |= AVFMT_FLAG_CUSTOM_IO | AVFMT_FLAG_BITEXACT
    // The times are already right and must not be shifted.
    unsafe context.pointee.avoid_negative_ts = 0
    unsafe context.pointee.max_interleave_delta = 0
    unsafe self.context = unsafe context
    self.bridge = bridge
    self.writer = writer
    gathersSound = format == "mpegts"
    colored = format == "mov" ? [] : nil
  }

  private func writeHeader(
    _ options: [(key: String, value: String)], format: String
  ) throws(LibavError) {
    var settings = Options()
    for (key, value) in options { settings.set(key, value) }
    if colored != nil { markPaletted() }
    let result = log.collecting { unsafe avformat_write_header(context, &settings.pointer) }
    guard result >= 0 else {
      throw failure(result, doing: "the \(format) header cannot be written")
    }
    for index in unsafe 0..<Int(context.pointee.nb_streams) {
      guard let base = unsafe context.pointee.streams[index]?.pointee.time_base else { continue }
      ticks.append(
        (try? Rational(checked: Int128(base.num), over: Int128(max(1, base.den)))) ?? .one)
    }
  }

  deinit {
    withExtendedLifetime((bridge, writer)) {
      unsafe avformat_free_context(context)
    }
  }

  /// Writes a packet; times in ``ticks`` of its stream.
  ///
  /// For `skippedAtEnd`, 0 differs from `nil`: only if a number is stated does the MP3 muxer include
  /// the decoder delay in the encoder's padding.
  package func write(
    _ bytes: [UInt8], stream: Int, pts: Int64, dts: Int64, duration: Int64, isKey: Bool,
    skippedAtStart: Int = 0, skippedAtEnd: Int? = nil, alpha: [UInt8]? = nil
  ) throws(LibavError) {
    if codec(ofStream: stream) == AV_CODEC_ID_VP8 {
      let frames = unsafe bytes.withUnsafeBytes { unsafe HiddenFrames.frames(of: $0, .vp8) }
      guard frames.count == 1 else {
        for (place, frame) in frames.enumerated() {
          try write(
            Array(bytes[frame]), stream: stream, pts: pts, dts: dts,
            duration: place == frames.count - 1 ? duration : 0, isKey: isKey && place == 0,
            alpha: place == frames.count - 1 ? alpha : nil)
        }
        return
      }
    }
    let packet = try OwnedPacket(bytes)
    if let alpha { try packet.setAlpha(alpha) }
    if colored?.insert(stream).inserted == true, let palette = headerPalette(ofStream: stream) {
      try packet.setPalette(palette)
    }
    unsafe packet.pointer.pointee.stream_index = Int32(stream)
    unsafe packet.pointer.pointee.pts = pts
    unsafe packet.pointer.pointee.dts = dts
    unsafe packet.pointer.pointee.duration = duration
    if isKey { unsafe packet.pointer.pointee.flags |= AV_PKT_FLAG_KEY }
    if skippedAtStart > 0 || skippedAtEnd != nil,
      let data = unsafe av_packet_new_side_data(packet.pointer, AV_PKT_DATA_SKIP_SAMPLES, 10)
    {
      let raw = unsafe UnsafeMutableRawBufferPointer(start: data, count: 10)
      unsafe raw.initializeMemory(as: UInt8.self, repeating: 0)
      unsafe raw.storeBytes(of: UInt32(clamping: skippedAtStart).littleEndian, as: UInt32.self)
      unsafe raw.storeBytes(
        of: UInt32(clamping: skippedAtEnd ?? 0).littleEndian, toByteOffset: 4, as: UInt32.self)
    }
    let code = log.collecting { () -> Int32 in
      if writesAsGiven { return unsafe av_write_frame(context, packet.pointer) }
      guard gathersSound else {
        return unsafe av_interleaved_write_frame(context, packet.pointer)
      }
      let code = unsafe av_write_frame(context, packet.pointer)
      // This flushes what the muxer has collected.
      return code < 0 ? code : unsafe min(0, av_write_frame(context, nil))
    }
    guard code >= 0, bridge.fault == nil else {
      throw failure(code, doing: "a packet cannot be written")
    }
  }

  private func codec(ofStream index: Int) -> AVCodecID? {
    guard unsafe index < Int(context.pointee.nb_streams) else { return nil }
    return unsafe context.pointee.streams[index]?.pointee.codecpar.pointee.codec_id
  }

  /// Writes the trailer.
  package func finish() throws(LibavError) {
    let code = log.collecting { unsafe av_write_trailer(context) }
    unsafe avio_flush(writer.pointer)
    guard code >= 0, bridge.fault == nil, unsafe writer.pointer.pointee.error >= 0 else {
      throw failure(code, doing: "the end of the file cannot be written")
    }
  }

  private func failure(_ code: Int32, doing what: String) -> LibavError {
    if let fault = bridge.fault { return LibavError(.output(fault), what) }
    return LibavError(
      .muxing, what + ": " + LibavError.text(of: code), lastLogLine: log.lastLine)
  }
}
