extension VideoHeader {
  /// Reads the headers in the stream itself, before a keyframe.
  ///
  /// - Parameters:
  ///   - codec: FFmpeg's name of the codec.
  ///   - sample: a keyframe or its beginning; also a configuration of units with start codes.
  /// - Returns: `nil` when no header is found, or for a codec that has none.
  package init?(codec: String, firstSample sample: ArraySlice<UInt8>, framing: Framing) {
    switch codec {
    case "h264":
      let units = NALUnits(bytes: sample, framing: framing)
      guard let unit = units.first(where: { $0.first.map { $0 & 0x1F == 7 } ?? false })
      else { return nil }
      self.init(h264SPS: unit)
    case "hevc":
      let units = NALUnits(bytes: sample, framing: framing)
      guard let unit = units.first(where: { $0.first.map { $0 >> 1 & 0x3F == 33 } ?? false })
      else { return nil }
      self.init(hevcSPS: unit)
    case "mpeg2video", "mpeg1video": self.init(mpeg2: sample)
    case "mpeg4": self.init(mpeg4: sample)
    case "vp8": self.init(vp8: sample)
    case "vp9": self.init(vp9: sample)
    case "av1": self.init(av1: sample)
    case "mjpeg": self.init(jpeg: sample)
    case "dnxhd": self.init(dnx: sample)
    case "dvvideo": self.init(dv: sample)
    default: return nil
    }
  }
}
