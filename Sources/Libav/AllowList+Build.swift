#if FFmpeg
  import CFFmpeg

  extension AllowList {
    /// The allowed formats that FFmpeg on this machine supports.
    package static func availableFormats() throws(LibavError) -> [String] {
      try LibavLibrary.load()
      return formats.filter { unsafe av_find_input_format($0) != nil }
    }

    /// The allowed decoders that FFmpeg on this machine has.
    package static func availableDecoders() throws(LibavError) -> [String] {
      try LibavLibrary.load()
      return decoders.filter { unsafe avcodec_find_decoder_by_name($0) != nil }
    }

    /// True when one of a demuxer's names is on the list.
    static func allowsFormat(named names: String) -> Bool {
      names.split(separator: ",").contains { formats.contains(String($0)) }
    }
  }
#endif
