#if FFmpeg
  import Bitstreams

  /// What an encoder of Windows Media Video 8 is told, so that its pictures stand under the source's
  /// header: the rate of frames and of bits, and which tools are used.
  ///
  /// FFmpeg's encoder uses the same tools always, but for the loop filter.
  enum WMV2Coding {
    static func variants(_ configuration: [UInt8]) -> [[(key: String, value: String)]] {
      var reader = BitReader(configuration)
      guard reader.skip(5), let kilobits = reader.read(11) else { return [] }
      return ["+qscale", "+qscale+loop"].map { [("flags", $0), ("b", "\(kilobits * 1024)")] }
    }
  }
#endif
