import CFFmpeg

extension AllowList {
  /// The formats on both lists that FFmpeg on this machine supports.
  package static func availableFormats() throws(LibavError) -> [String] {
    try LibavLibrary.load()
    return (formats + sealedFormats).filter { unsafe av_find_input_format($0) != nil }
  }

  /// The decoders on both lists that FFmpeg on this machine has.
  package static func availableDecoders() throws(LibavError) -> [String] {
    try LibavLibrary.load()
    return (decoders + sealedDecoders).filter { unsafe avcodec_find_decoder_by_name($0) != nil }
  }

  /// True when one of a demuxer's names is among those that this process reads.
  static func allowsFormat(named names: String) -> Bool { readFormats.contains(oneOf: names) }

  /// True when one of a demuxer's names is among those that need the complete sandbox.
  static func needsSeal(named names: String) -> Bool { sealedFormats.contains(oneOf: names) }
}

extension [String] {
  fileprivate func contains(oneOf names: String) -> Bool {
    names.split(separator: ",").contains { contains(String($0)) }
  }
}
