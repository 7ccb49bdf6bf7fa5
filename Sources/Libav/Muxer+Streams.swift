import CFFmpeg
package import ExactTime

extension Muxer {
  /// The size of a picture, and its pixel aspect ratio.
  package struct PictureShape {
    package var width: Int
    package var height: Int
    package var sampleAspectRatio: Rational?
    /// Whether it applies only where the source stream has no size: FFmpeg stops looking for one
    /// where the second picture is far away.
    package var isFallback: Bool

    package init(
      width: Int, height: Int, sampleAspectRatio: Rational?, isFallback: Bool = false
    ) {
      (self.width, self.height) = (width, height)
      self.sampleAspectRatio = sampleAspectRatio
      self.isFallback = isFallback
    }
  }

  @unsafe static func setTick(
    _ tick: Rational, of stream: UnsafeMutablePointer<AVStream>
  ) {
    if let num = Int32(exactly: tick.numerator), let den = Int32(exactly: tick.denominator) {
      unsafe stream.pointee.time_base = AVRational(num: num, den: den)
    }
  }

  @unsafe static func add(
    _ stream: Stream, to context: UnsafeMutablePointer<AVFormatContext>,
    from demuxer: borrowing Demuxer
  ) throws(LibavError) {
    guard let source = unsafe demuxer.stream(stream.source),
      let parameters = unsafe source.pointee.codecpar,
      let made = unsafe avformat_new_stream(context, nil),
      let copy = unsafe made.pointee.codecpar,
      unsafe avcodec_parameters_copy(copy, stream.parameters?.pointer ?? parameters) >= 0
    else { throw LibavError(.outOfMemory, "no memory for a stream") }
    if !stream.keepsTag { unsafe setTag(of: copy, in: context) }
    unsafe stateRate(of: copy)
    // AVI counts a stream of fixed-size blocks in bytes; packets of these codecs are not such
    // blocks (variable rate).
    if unsafe [AV_CODEC_ID_MP3, AV_CODEC_ID_MP2, AV_CODEC_ID_AC3, AV_CODEC_ID_AAC].contains(
      copy.pointee.codec_id)
    {
      unsafe copy.pointee.block_align = 0
    }
    if let bytes = stream.extradata { unsafe try replaceExtradata(of: copy, by: bytes) }
    if let padding = stream.initialPadding {
      unsafe copy.pointee.initial_padding = Int32(clamping: padding)
    }
    unsafe setTick(stream.tick, of: made)
    if let rate = stream.frameRate, let num = Int32(exactly: rate.numerator),
      let den = Int32(exactly: rate.denominator)
    {
      unsafe made.pointee.avg_frame_rate = AVRational(num: num, den: den)
      unsafe made.pointee.r_frame_rate = AVRational(num: num, den: den)
    }
    if let size = stream.frameSize, unsafe copy.pointee.frame_size == 0 {
      // An ADPCM packet may contain several blocks.
      let block = unsafe Int(copy.pointee.block_align)
      let blocks = block > 0 ? max(1, (stream.frameByteCount ?? block) / block) : 1
      unsafe copy.pointee.frame_size = Int32(clamping: size / blocks)
    }
    for (key, value) in stream.tags {
      _ = unsafe av_dict_set(&made.pointee.metadata, key, value, 0)
    }
    // What the demuxer states is about another stream.
    if stream.isLent {
      unsafe made.pointee.sample_aspect_ratio = copy.pointee.sample_aspect_ratio
      return
    }
    // The container's aspect ratio takes precedence; a muxer rejects conflicting ones.
    if unsafe source.pointee.sample_aspect_ratio.num != 0 {
      unsafe copy.pointee.sample_aspect_ratio = source.pointee.sample_aspect_ratio
    }
    unsafe made.pointee.sample_aspect_ratio = copy.pointee.sample_aspect_ratio
    let lacksSize = unsafe copy.pointee.width <= 0 || copy.pointee.height <= 0
    if let shape = stream.shape, !shape.isFallback || lacksSize {
      unsafe copy.pointee.width = Int32(clamping: shape.width)
      unsafe copy.pointee.height = Int32(clamping: shape.height)
      let ratio = shape.sampleAspectRatio ?? .zero
      unsafe copy.pointee.sample_aspect_ratio = AVRational(
        num: Int32(clamping: ratio.numerator), den: Int32(clamping: ratio.denominator))
      unsafe made.pointee.sample_aspect_ratio = unsafe copy.pointee.sample_aspect_ratio
    }
    unsafe made.pointee.disposition = source.pointee.disposition
    unsafe made.pointee.id = source.pointee.id
    guard unsafe trim_copy_stream_side_data(source, made) >= 0 else {
      throw LibavError(.outOfMemory, "no memory for a stream")
    }
  }

  @unsafe static func add(
    _ chapters: [Chapter], to context: UnsafeMutablePointer<AVFormatContext>
  ) {
    let size = unsafe MemoryLayout<UnsafeMutablePointer<AVChapter>?>.stride * chapters.count
    guard !chapters.isEmpty, let list = unsafe av_mallocz(size) else { return }
    let places = unsafe list.bindMemory(
      to: UnsafeMutablePointer<AVChapter>?.self, capacity: chapters.count)
    let grid = TickGrid(ticksPerSecond: 1_000_000_000)
    var count = 0
    for (number, chapter) in chapters.enumerated() {
      guard let start = try? grid.tick(of: chapter.start, rounding: .nearest),
        let end = try? grid.tick(of: chapter.end, rounding: .nearest),
        let raw = unsafe av_mallocz(MemoryLayout<AVChapter>.stride)
      else { continue }
      let made = unsafe raw.bindMemory(to: AVChapter.self, capacity: 1)
      unsafe made.pointee.id = Int64(number + 1)
      unsafe made.pointee.time_base = AVRational(num: 1, den: 1_000_000_000)
      unsafe made.pointee.start = start
      unsafe made.pointee.end = end
      if let title = chapter.title {
        _ = unsafe av_dict_set(&made.pointee.metadata, "title", title, 0)
      }
      unsafe places[count] = unsafe made
      count += 1
    }
    unsafe context.pointee.chapters = unsafe places
    unsafe context.pointee.nb_chapters = UInt32(count)
  }

  /// Sets the container's own tag for a codec, which for raw video, Ut Video and Hap is the only
  /// indication of the sample format.
  @unsafe static func setTag(
    of parameters: UnsafeMutablePointer<AVCodecParameters>,
    in context: UnsafeMutablePointer<AVFormatContext>
  ) {
    let tag = unsafe parameters.pointee.codec_tag
    unsafe parameters.pointee.codec_tag = 0
    let codec = unsafe parameters.pointee.codec_id
    guard [AV_CODEC_ID_RAWVIDEO, AV_CODEC_ID_UTVIDEO, AV_CODEC_ID_HAP].contains(codec),
      let tags = unsafe context.pointee.oformat?.pointee.codec_tag
    else { return }
    // Matroska has no tag for Hap and uses QuickTime's; QuickTime has none for Ut Video and uses
    // AVI's.
    if unsafe av_codec_get_id(tags, tag) == codec
      || codec != AV_CODEC_ID_RAWVIDEO && av_codec_get_tag(tags, codec) == 0
    {
      unsafe parameters.pointee.codec_tag = tag
    } else if codec == AV_CODEC_ID_RAWVIDEO {
      let format = unsafe AVPixelFormat(rawValue: parameters.pointee.format)
      unsafe parameters.pointee.codec_tag = avcodec_pix_fmt_to_codec_tag(format)
    }
  }

  /// Sets the bit rate and block size of uncompressed audio, which the AVI and WAV headers
  /// require and a QuickTime header alone does not provide.
  @unsafe fileprivate static func stateRate(
    of parameters: UnsafeMutablePointer<AVCodecParameters>
  ) {
    let codec = unsafe parameters.pointee.codec_id
    let isUncompressed = unsafe String(cString: avcodec_get_name(codec)).hasPrefix("pcm_")
    let bits = av_get_exact_bits_per_sample(codec)
    let channels = unsafe parameters.pointee.ch_layout.nb_channels
    guard isUncompressed, bits > 0, bits % 8 == 0, channels > 0 else { return }
    if unsafe parameters.pointee.block_align <= 0 {
      unsafe parameters.pointee.block_align = Int32(clamping: Int64(bits / 8) * Int64(channels))
    }
    if unsafe parameters.pointee.bit_rate <= 0 {
      let rate = unsafe Int64(max(0, parameters.pointee.sample_rate))
      unsafe parameters.pointee.bit_rate = Int64(parameters.pointee.block_align) * 8 * rate
    }
  }

  @unsafe static func replaceExtradata(
    of parameters: UnsafeMutablePointer<AVCodecParameters>, by bytes: [UInt8]
  ) throws(LibavError) {
    let (data, size) = unsafe try Extradata.copy(bytes)
    unsafe av_free(parameters.pointee.extradata)
    unsafe parameters.pointee.extradata = data
    unsafe parameters.pointee.extradata_size = size
  }
}
