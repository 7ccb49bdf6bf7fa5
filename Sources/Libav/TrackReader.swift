import CFFmpeg
import ExactTime
import MediaFacts

/// Copies FFmpeg's descriptions of streams and chapters.
enum TrackReader {
  @unsafe static func tracks(of context: UnsafeMutablePointer<AVFormatContext>) -> [LibavTrack] {
    var tracks: [LibavTrack] = []
    for index in unsafe 0..<Int(context.pointee.nb_streams) {
      guard let stream = unsafe context.pointee.streams[index],
        let parameters = unsafe stream.pointee.codecpar
      else { continue }
      unsafe tracks.append(track(context, stream, parameters, index))
    }
    return tracks
  }

  private static func track(
    _ context: UnsafeMutablePointer<AVFormatContext>, _ stream: UnsafeMutablePointer<AVStream>,
    _ parameters: UnsafeMutablePointer<AVCodecParameters>, _ index: Int
  ) -> LibavTrack {
    let codec = unsafe parameters.pointee.codec_id
    var track = unsafe LibavTrack(
      index: index, id: Int(stream.pointee.id), kind: kind(parameters.pointee.codec_type),
      codec: Codec(String(cString: avcodec_get_name(codec))), codecTag: parameters.pointee.codec_tag
    )
    unsafe track.isDecodable = AllowedDecoder.find(codec) != nil
    unsafe track.profile = avcodec_profile_name(codec, parameters.pointee.profile).map {
      unsafe String(cString: $0)
    }
    unsafe track.level = parameters.pointee.level >= 0 ? Int(parameters.pointee.level) : nil
    unsafe track.bitRate = parameters.pointee.bit_rate > 0 ? parameters.pointee.bit_rate : nil
    unsafe track.grid = positive(stream.pointee.time_base).flatMap {
      try? TickGrid(secondsPerTick: $0)
    }
    unsafe track.startTick =
      stream.pointee.start_time == trim_NOPTS ? nil : stream.pointee.start_time
    let duration = unsafe stream.pointee.duration
    track.durationTicks = duration == trim_NOPTS || duration <= 0 ? nil : duration
    unsafe track.frameCount = stream.pointee.nb_frames > 0 ? stream.pointee.nb_frames : nil
    unsafe track.dispositions = dispositions(stream.pointee.disposition)
    unsafe track.tags = copiedTags(stream.pointee.metadata)
    if let bytes = unsafe parameters.pointee.extradata,
      unsafe parameters.pointee.extradata_size > 0
    {
      unsafe track.extradataByteCount = Int(parameters.pointee.extradata_size)
      unsafe track.extradata = Array(
        UnsafeRawBufferPointer(
          start: bytes, count: min(1 << 20, Int(parameters.pointee.extradata_size))))
    }
    if codec == AV_CODEC_ID_AAC, let name = otherCodec(track.extradata) { track.codec = name }
    if track.isCoverArt {
      unsafe track.coverByteCount = Int(max(0, stream.pointee.attached_pic.size))
    }
    unsafe track.isEncrypted = isEncrypted(stream)
    if track.kind == .video { unsafe readPicture(context, stream, parameters, &track) }
    if track.kind == .audio { unsafe readSound(parameters, &track) }
    if codec == AV_CODEC_ID_ALAC, track.frameSize == 0 {
      track.frameSize = alacFrameLength(track.extradata)
    }
    return track
  }

  /// The samples of a frame of Apple Lossless, by its magic cookie, which follows the size, type
  /// and version of its box; zero where it states none.
  private static func alacFrameLength(_ configuration: [UInt8]) -> Int {
    guard configuration.count >= 36 else { return 0 }
    let length = configuration[12..<16].reduce(0) { $0 << 8 | Int($1) }
    return length <= 1 << 16 ? length : 0
  }

  /// The codec of audio that FFmpeg takes for AAC, by the object type of its configuration
  /// (ISO/IEC 14496-3, 1.6.2.1 and table 1.17).
  private static func otherCodec(_ configuration: [UInt8]) -> Codec? {
    guard configuration.count > 1, configuration[0] >> 3 == 31 else { return nil }
    switch 32 + (configuration[0] & 7) << 3 | configuration[1] >> 5 {
    case 36: return .mp4ALS
    case 42: return .usac
    default: return nil
    }
  }

  private static func kind(_ type: AVMediaType) -> LibavTrack.Kind {
    switch type {
    case AVMEDIA_TYPE_VIDEO: .video
    case AVMEDIA_TYPE_AUDIO: .audio
    case AVMEDIA_TYPE_SUBTITLE: .subtitle
    case AVMEDIA_TYPE_ATTACHMENT: .attachment
    default: .data
    }
  }

  private static func readPicture(
    _ context: UnsafeMutablePointer<AVFormatContext>, _ stream: UnsafeMutablePointer<AVStream>,
    _ parameters: UnsafeMutablePointer<AVCodecParameters>, _ track: inout LibavTrack
  ) {
    let value = unsafe parameters.pointee
    unsafe track.width = Int(max(0, value.width))
    unsafe track.height = Int(max(0, value.height))
    unsafe track.sampleAspectRatio =
      positive(stream.pointee.sample_aspect_ratio) ?? positive(value.sample_aspect_ratio)
    unsafe track.realFrameRate = positive(stream.pointee.r_frame_rate)
    unsafe track.averageFrameRate = positive(stream.pointee.avg_frame_rate)
    unsafe track.reorderedFrames = Int(max(0, value.video_delay))
    let format = unsafe AVPixelFormat(value.format)
    unsafe track.pixelFormat = av_get_pix_fmt_name(format).map { unsafe String(cString: $0) }
    if let descriptor = unsafe av_pix_fmt_desc_get(format) {
      unsafe track.bitDepth = Int(descriptor.pointee.comp.0.depth)
    }
    unsafe track.colorPrimaries = name(
      av_color_primaries_name(value.color_primaries), unless: "unknown")
    unsafe track.colorTransfer = name(av_color_transfer_name(value.color_trc), unless: "unknown")
    unsafe track.colorMatrix = name(av_color_space_name(value.color_space), unless: "unknown")
    unsafe track.colorRange = name(av_color_range_name(value.color_range), unless: "unknown")
    unsafe track.fieldOrder = fieldOrder(value.field_order)
    unsafe readLight(stream, &track)
    var size = 0
    if let matrix = unsafe trim_stream_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, &size),
      size >= 36
    {
      let raw = unsafe UnsafeRawBufferPointer(start: matrix, count: 36)
      let numbers = (0..<9).map {
        unsafe Int64(raw.loadUnaligned(fromByteOffset: $0 * 4, as: Int32.self))
      }
      (track.rotation, track.isMirrored) = DisplayMatrix.orientation(numbers)
    }
  }

  /// Reads the HDR metadata in the container (libavutil/mastering_display_metadata.h and
  /// dovi_meta.h).
  private static func readLight(
    _ stream: UnsafeMutablePointer<AVStream>, _ track: inout LibavTrack
  ) {
    if let bytes = unsafe sideData(stream, AV_PKT_DATA_MASTERING_DISPLAY_METADATA, atLeast: 80) {
      track.masteringDisplay = (0..<10).map { place in
        let (top, bottom) = (number(bytes, place * 8), number(bytes, place * 8 + 4))
        return try? Rational(checked: Int128(top), over: Int128(bottom))
      }
    }
    if let bytes = unsafe sideData(stream, AV_PKT_DATA_CONTENT_LIGHT_LEVEL, atLeast: 8) {
      track.contentLight = (Int(number(bytes, 0)), Int(number(bytes, 4)))
    }
    if let bytes = unsafe sideData(stream, AV_PKT_DATA_DOVI_CONF, atLeast: 8) {
      track.dolbyVision = bytes
    }
  }

  private static func number(_ bytes: [UInt8], _ offset: Int) -> Int32 {
    unsafe bytes.withUnsafeBytes {
      unsafe $0.loadUnaligned(fromByteOffset: offset, as: Int32.self)
    }
  }

  /// The sizes of pictures that the headers read so far state, by stream.
  @unsafe static func sizes(
    of context: UnsafeMutablePointer<AVFormatContext>
  ) -> [Int: (width: Int, height: Int)] {
    var sizes: [Int: (width: Int, height: Int)] = [:]
    for index in unsafe 0..<Int(context.pointee.nb_streams) {
      guard let stream = unsafe context.pointee.streams[index],
        let parameters = unsafe stream.pointee.codecpar,
        unsafe parameters.pointee.width > 0 && parameters.pointee.height > 0
      else { continue }
      sizes[index] = unsafe (Int(parameters.pointee.width), Int(parameters.pointee.height))
    }
    return sizes
  }

  private static func sideData(
    _ stream: UnsafeMutablePointer<AVStream>, _ type: AVPacketSideDataType, atLeast count: Int
  ) -> [UInt8]? {
    var size = 0
    guard let data = unsafe trim_stream_side_data(stream, type, &size), size >= count else {
      return nil
    }
    return unsafe Array(UnsafeRawBufferPointer(start: data, count: count))
  }

  private static func readSound(
    _ parameters: UnsafeMutablePointer<AVCodecParameters>, _ track: inout LibavTrack
  ) {
    let value = unsafe parameters.pointee
    unsafe track.sampleRate = value.sample_rate > 0 ? Int(value.sample_rate) : nil
    unsafe track.channels =
      value.ch_layout.nb_channels > 0 ? Int(value.ch_layout.nb_channels) : nil
    unsafe track.initialPadding = Int(max(0, value.initial_padding))
    unsafe track.trailingPadding = Int(max(0, value.trailing_padding))
    unsafe track.frameSize = Int(max(0, value.frame_size))
    unsafe track.blockByteCount = Int(max(0, value.block_align))
    unsafe track.sampleFormat = av_get_sample_fmt_name(AVSampleFormat(value.format)).map {
      unsafe String(cString: $0)
    }
    track.channelLayout = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) {
      buffer in
      guard let base = buffer.baseAddress else { return nil }
      unsafe base.initialize(repeating: 0, count: 128)
      let length = unsafe withUnsafePointer(to: parameters.pointee.ch_layout) {
        unsafe av_channel_layout_describe($0, base, 127)
      }
      return length > 0 ? unsafe String(cString: base) : nil
    }
  }

  @unsafe static func chapters(of context: UnsafeMutablePointer<AVFormatContext>)
    -> [LibavChapter]
  {
    var chapters: [LibavChapter] = []
    for index in unsafe 0..<min(10_000, Int(context.pointee.nb_chapters)) {
      guard let chapter = unsafe context.pointee.chapters[index],
        let tick = unsafe positive(chapter.pointee.time_base),
        let grid = try? TickGrid(secondsPerTick: tick)
      else { continue }
      let end = unsafe chapter.pointee.end
      unsafe chapters.append(
        LibavChapter(
          start: try? grid.time(atTick: chapter.pointee.start),
          end: end == trim_NOPTS ? nil : try? grid.time(atTick: end),
          title: copiedTags(chapter.pointee.metadata).first { $0.key == "title" }?.value))
    }
    return chapters
  }

  private static func positive(_ value: AVRational) -> Rational? {
    guard value.num > 0, value.den > 0 else { return nil }
    return try? Rational(checked: Int128(value.num), over: Int128(value.den))
  }

  private static func name(_ text: UnsafePointer<CChar>?, unless absent: String) -> String? {
    guard let text = unsafe text else { return nil }
    let name = unsafe String(cString: text)
    return name == absent || name == "reserved" ? nil : name
  }

  static func hasSideData(
    _ stream: UnsafeMutablePointer<AVStream>, _ type: AVPacketSideDataType
  ) -> Bool {
    var size = 0
    return unsafe trim_stream_side_data(stream, type, &size) != nil
  }

  private static func fieldOrder(_ order: AVFieldOrder) -> String? {
    switch order {
    case AV_FIELD_PROGRESSIVE: "progressive"
    case AV_FIELD_TT: "tt"
    case AV_FIELD_BB: "bb"
    case AV_FIELD_TB: "tb"
    case AV_FIELD_BT: "bt"
    default: nil
    }
  }

  private static func dispositions(_ flags: Int32) -> [String] {
    let names: [(Int32, String)] = [
      (AV_DISPOSITION_DEFAULT, "default"), (AV_DISPOSITION_DUB, "dub"),
      (AV_DISPOSITION_ORIGINAL, "original"), (AV_DISPOSITION_COMMENT, "comment"),
      (AV_DISPOSITION_LYRICS, "lyrics"), (AV_DISPOSITION_KARAOKE, "karaoke"),
      (AV_DISPOSITION_FORCED, "forced"),
      (AV_DISPOSITION_HEARING_IMPAIRED, "hearing_impaired"),
      (AV_DISPOSITION_VISUAL_IMPAIRED, "visual_impaired"),
      (AV_DISPOSITION_CLEAN_EFFECTS, "clean_effects"),
      (AV_DISPOSITION_ATTACHED_PIC, "attached_pic"),
      (AV_DISPOSITION_TIMED_THUMBNAILS, "timed_thumbnails"),
      (AV_DISPOSITION_CAPTIONS, "captions"), (AV_DISPOSITION_DESCRIPTIONS, "descriptions"),
      (AV_DISPOSITION_METADATA, "metadata"), (AV_DISPOSITION_DEPENDENT, "dependent"),
      (AV_DISPOSITION_STILL_IMAGE, "still_image"),
    ]
    return names.filter { flags & $0.0 != 0 }.map(\.1).sorted()
  }
}

extension TrackReader {
  /// Whether the container signals that the packets of a stream are encrypted.
  @unsafe static func isEncrypted(_ stream: UnsafeMutablePointer<AVStream>) -> Bool {
    unsafe hasSideData(stream, AV_PKT_DATA_ENCRYPTION_INIT_INFO)
      || hasSideData(stream, AV_PKT_DATA_ENCRYPTION_INFO)
      // Of WebM's encryption data FFmpeg keeps only the key ID.
      || copiedTags(stream.pointee.metadata).contains { $0.key == "enc_key_id" }
  }

  /// Whether any stream is encrypted.
  @unsafe static func hasEncryption(_ context: UnsafeMutablePointer<AVFormatContext>) -> Bool {
    unsafe (0..<Int(context.pointee.nb_streams)).contains {
      unsafe context.pointee.streams[$0].map { unsafe isEncrypted($0) } == true
    }
  }
}
