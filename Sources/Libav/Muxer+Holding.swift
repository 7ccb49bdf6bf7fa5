import CFFmpeg
package import ExactTime

extension Muxer {
  /// True when a format supports a codec; `nil` when FFmpeg does not know.
  ///
  /// - Parameter reorders: whether pictures may be reordered.
  package static func holds(
    format: String, codecOf source: Int, reorders: Bool, _ demuxer: borrowing Demuxer
  ) -> Bool? {
    guard let parameters = unsafe demuxer.parameters(ofStream: source) else { return nil }
    return unsafe holds(format: format, parameters, reorders: reorders)
  }

  /// The same for pictures that are encoded here.
  package static func holds(format: String, _ parameters: CodecParameters) -> Bool? {
    unsafe holds(format: format, parameters.pointer, reorders: false)
  }

  @unsafe private static func holds(
    format: String, _ parameters: UnsafePointer<AVCodecParameters>, reorders: Bool
  ) -> Bool? {
    guard (try? LibavLibrary.load()) != nil,
      let output = unsafe av_guess_format(format, nil, nil)
    else { return nil }
    switch unsafe avformat_query_codec(output, parameters.pointee.codec_id, 0) {
    case 1: return true
    case 0: return unsafe format == "matroska" && isTagged(in: output, parameters, reorders)
    default: return nil
    }
  }

  /// Whether a format's muxer accepts a stream: muxers reject some sample rates, channel counts
  /// and layouts of supported codecs.
  package static func takes(
    _ stream: Int, tick: Rational, shape: PictureShape? = nil, format: String,
    _ demuxer: borrowing Demuxer
  ) -> Bool {
    var tried = Stream(source: stream, tick: tick, tags: [])
    tried.shape = shape
    let muxer = try? Muxer(
      format: format, to: OutputMemory(limit: 1 << 20), from: demuxer, streams: [tried])
    return muxer != nil
  }

  /// Whether a format has a tag for the codec of a stream.
  package static func knows(
    tag: UInt32, ofStream source: Int, in format: String, _ demuxer: borrowing Demuxer
  ) -> Bool {
    guard (try? LibavLibrary.load()) != nil,
      let output = unsafe av_guess_format(format, nil, nil),
      let tags = unsafe output.pointee.codec_tag,
      let parameters = unsafe demuxer.parameters(ofStream: source)
    else { return false }
    return unsafe av_codec_get_id(tags, tag) == parameters.pointee.codec_id
  }

  /// Whether Matroska can store a codec by its AVI tag (V_MS/VFW/FOURCC, A_MS/ACM), or video by
  /// its QuickTime tag (V_QUICKTIME), which FFmpeg does not report.
  ///
  /// Such pictures have only one timestamp, so reordered ones are excluded.
  fileprivate static func isTagged(
    in output: UnsafePointer<AVOutputFormat>, _ parameters: UnsafePointer<AVCodecParameters>,
    _ reorders: Bool
  ) -> Bool {
    let codec = unsafe parameters.pointee.codec_id
    let isVideo = unsafe parameters.pointee.codec_type == AVMEDIA_TYPE_VIDEO
    var isTagged = unsafe av_codec_get_tag(output.pointee.codec_tag, codec) != 0
    if !isTagged, isVideo, let quickTime = unsafe av_guess_format("mov", nil, nil) {
      // FFmpeg omits the color tables of paletted ones.
      isTagged =
        unsafe av_codec_get_tag(quickTime.pointee.codec_tag, codec) != 0
        && !(1...8).contains(parameters.pointee.bits_per_coded_sample)
    }
    guard isTagged else { return false }
    // H.263 does not reorder: no 3GP profile (26.244) has its B pictures.
    guard isVideo, reorders, codec != AV_CODEC_ID_H263 else { return true }
    guard let descriptor = unsafe avcodec_descriptor_get(codec) else { return false }
    return unsafe descriptor.pointee.props & AV_CODEC_PROP_REORDER == 0
  }
}
