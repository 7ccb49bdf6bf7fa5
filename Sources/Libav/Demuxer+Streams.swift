import CFFmpeg
import LateFFmpeg

extension Demuxer {
  /// The cover picture; empty for a stream that is not cover art.
  package func cover(ofStream index: Int) -> [UInt8] {
    guard let stream = unsafe stream(index), unsafe stream.pointee.attached_pic.size > 0 else {
      return []
    }
    return unsafe Array(
      UnsafeRawBufferPointer(
        start: stream.pointee.attached_pic.data, count: Int(stream.pointee.attached_pic.size)))
  }

  /// The tags `service_name` and `service_provider` of the program in a transport stream that a
  /// stream belongs to (EN 300 468, 6.2.33).
  package func programTags(ofStream index: Int) -> [(key: String, value: String)] {
    guard let program = unsafe av_find_program_from_stream(context, nil, Int32(clamping: index))
    else { return [] }
    return unsafe copiedTags(program.pointee.metadata)
  }

  /// True when the picture size or sample rate of every track is known.
  package var describesTracks: Bool {
    tracks.allSatisfy { track in
      switch track.kind {
      case .video: track.width > 0 && track.height > 0
      case .audio: (track.sampleRate ?? 0) > 0 && (track.channels ?? 0) > 0
      default: true
      }
    }
  }

  /// From now on packets are returned as stored: pictures are not parsed to complete their
  /// properties.
  package mutating func takePacketsAsStored() {
    unsafe context.pointee.flags |= AVFMT_FLAG_NOPARSE | AVFMT_FLAG_NOFILLIN
  }

  /// Reads the packets, and decodes the frames, that are needed to describe every stream.
  static func findStreams(
    _ context: UnsafeMutablePointer<AVFormatContext>, _ bridge: InputBridge,
    _ limits: DemuxerLimits, _ log: LibavLog
  ) -> LibavError? {
    let count = unsafe Int(context.pointee.nb_streams)
    // A parser would mistake encrypted bytes for a header and detect keyframes from them.
    if unsafe TrackReader.hasEncryption(context) {
      unsafe context.pointee.flags |= AVFMT_FLAG_NOPARSE
    }
    // Frames may be decoded to describe a stream, under the same limits as elsewhere.
    // Describing a stream takes few frames: a quarter of what a full decode may use.
    let pictures = (0..<count).count {
      unsafe context.pointee.streams[$0]?.pointee.codecpar?.pointee.codec_type
        == AVMEDIA_TYPE_VIDEO
    }
    let pixels = min(limits.pixels, limits.pixels(ofEachOf: pictures) * 2)
    unsafe trim_ffmpeg_limit_late_streams(context, limits.pixels)
    defer { trim_ffmpeg_limit_late_streams(nil, 0) }
    var options: [OpaquePointer?] = unsafe Array(repeating: nil, count: count)
    for index in 0..<count {
      var one = Options()
      one.set("max_pixels", "\(pixels)")
      one.set("threads", "1")
      one.set("codec_whitelist", AllowList.usedDecoders.joined(separator: ","))
      unsafe options[index] = unsafe one.take()
    }
    let code = unsafe options.withUnsafeMutableBufferPointer { buffer in
      unsafe avformat_find_stream_info(context, buffer.baseAddress)
    }
    for index in 0..<count {
      unsafe av_dict_free(&options[index])
    }
    guard code < 0 || bridge.fault != nil else { return nil }
    return LibavError(
      code: code, doing: "the streams cannot be recognized", fault: bridge.fault, log: log)
  }
}
