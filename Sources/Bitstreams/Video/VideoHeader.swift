package import ExactTime
package import MediaFacts

/// The contents of a video track's headers, under FFmpeg's names.
package struct VideoHeader: Hashable {
  package var profile: String?
  package var level: String?
  package var pixelFormat: String?
  package var bitDepth: Int?
  package var width: Int?
  package var height: Int?
  package var sampleAspectRatio: Rational?
  /// Code points of ITU-T H.273.
  package var primaries: Int?
  package var transfer: Int?
  package var matrix: Int?
  package var isFullRange: Bool?
  package var isProgressive: Bool?
  /// Frames per second from the timing information.
  package var frameRate: Rational?
  /// The most pictures that precede another in the stream but are shown after it; `nil` when not
  /// stated.
  package var maxReorderFrames: Int?
  /// The number of bits before pic_struct in a picture timing SEI message (H.264, D.1.3); `nil`
  /// where it has none.
  package var pictureTimingDelayBits: Int?

  /// The number of bits of a picture header's time (MPEG-4 part 2, vop_time_increment).
  package var timeIncrementBits: Int?
  /// quant_type of MPEG-4 part 2.
  package var quantisesByMatrices: Bool?
  /// data_partitioned of MPEG-4 part 2.
  package var hasDataPartitions: Bool?

  /// Reads the codec configuration of ISO 14496-15 (avcC, hvcC), of AV1 (av1C) or of VP9 (vpcC), or
  /// headers with start codes (transport streams, AVI, MPEG-2 and MPEG-4 part 2).
  package init?(codec: Codec, configuration: [UInt8]) {
    let framing = Framing(codec: codec, configuration: configuration)
    switch codec {
    case .h264 where framing != .annexB: self.init(avcC: configuration)
    case .hevc where framing != .annexB: self.init(hvcC: configuration)
    case .h264, .hevc, .mpeg1Video, .mpeg2Video, .mpeg4:
      self.init(codec: codec, firstSample: configuration[...], framing: .annexB)
    case .av1: self.init(av1C: configuration)
    case .vp9, .vp8: self.init(vpcC: configuration)
    case .wmv3: self.init(wmv3: configuration)
    default: return nil
    }
  }

  package init() {}

  private init?(avcC: [UInt8]) {
    guard let unit = SetRecord.h264(avcC).sequences.first, unit.count > 3 else { return nil }
    self.init(h264SPS: unit)
  }

  private init?(hvcC: [UInt8]) {
    let units = SetRecord.hevc(hvcC).filter { $0.header & 0x3F == HEVCSets.sequence }.flatMap(
      \.units)
    guard let unit = units.first else { return nil }
    self.init(hevcSPS: unit)
  }

  /// AV1 in ISOBMFF, 2.3.3.
  private init?(av1C: [UInt8]) {
    guard av1C.count >= 4, av1C[0] == 0x81 else { return nil }
    if let header = VideoHeader(av1: av1C[4...]) {
      self = header
      return
    }
    profile = ["Main", "High", "Professional"][Int(min(av1C[1] >> 5, 2))]
    let index = Int(av1C[1] & 0x1F)
    if index < 24 { level = "\(2 + index / 4).\(index % 4)" }
    let isHigh = av1C[2] & 0x40 != 0
    let isTwelve = av1C[2] & 0x20 != 0
    bitDepth = isHigh ? (isTwelve ? 12 : 10) : 8
    let isGray = av1C[2] & 0x10 != 0
    let chroma = isGray ? 0 : av1C[2] & 8 == 0 ? 3 : av1C[2] & 4 == 0 ? 2 : 1
    pixelFormat = PixelFormat.name(chroma: chroma, bitDepth: bitDepth ?? 8, isFullRange: false)
  }

  /// STRUCT_C of VC-1's simple and main profiles (SMPTE 421M, annex J.1.1).
  private init?(wmv3: [UInt8]) {
    var reader = BitReader(wmv3.prefix(4))
    guard let profile = reader.read(4), ["Simple", "Main"].indices.contains(Int(profile) >> 2),
      reader.skip(21), let most = reader.read(3)
    else { return nil }
    self.profile = ["Simple", "Main"][Int(profile) >> 2]
    // Only one picture is held for reordering, however many consecutive B pictures there are
    // (MAXBFRAMES).
    maxReorderFrames = most == 0 ? 0 : 1
  }

  /// VP codec configuration record, after the version and flags of its box.
  private init?(vpcC: [UInt8]) {
    guard vpcC.count >= 12 else { return nil }
    profile = "Profile \(vpcC[4])"
    level = "\(vpcC[5] / 10).\(vpcC[5] % 10)"
    let depth = Int(vpcC[6] >> 4)
    bitDepth = depth
    let chroma = [1, 1, 2, 3][Int(min(vpcC[6] >> 1 & 7, 3))]
    isFullRange = vpcC[6] & 1 == 1
    pixelFormat = PixelFormat.name(chroma: chroma, bitDepth: depth, isFullRange: false)
    primaries = Int(vpcC[7])
    transfer = Int(vpcC[8])
    matrix = Int(vpcC[9])
  }
}

/// FFmpeg's names of planar formats.
package enum PixelFormat {
  /// - Parameter chroma: chroma_format_idc: 0 gray, 1 4:2:0, 2 4:2:2, 3 4:4:4.
  package static func name(chroma: Int, bitDepth: Int, isFullRange: Bool) -> String? {
    let suffix: String
    switch bitDepth {
    case 8: suffix = ""
    case 9, 10, 12, 14, 16: suffix = "\(bitDepth)le"
    default: return nil
    }
    switch chroma {
    case 0: return "gray\(suffix)"
    case 1: return (isFullRange && bitDepth == 8 ? "yuvj" : "yuv") + "420p\(suffix)"
    case 2: return (isFullRange && bitDepth == 8 ? "yuvj" : "yuv") + "422p\(suffix)"
    case 3: return (isFullRange && bitDepth == 8 ? "yuvj" : "yuv") + "444p\(suffix)"
    default: return nil
    }
  }
}

extension VideoHeader {
  /// Reads the headers in the stream itself, before a keyframe.
  ///
  /// - Parameters:
  ///   - codec: FFmpeg's name of the codec.
  ///   - sample: a keyframe or its beginning; also a configuration of units with start codes.
  /// - Returns: `nil` when no header is found, or for a codec that has none.
  package init?(codec: Codec, firstSample sample: ArraySlice<UInt8>, framing: Framing) {
    switch codec {
    case .h264:
      let units = NALUnits(bytes: sample, framing: framing)
      guard let unit = units.first(where: { $0.first.map { $0 & 0x1F == 7 } ?? false })
      else { return nil }
      self.init(h264SPS: unit)
    case .hevc:
      let units = NALUnits(bytes: sample, framing: framing)
      guard let unit = units.first(where: { $0.first.map { $0 >> 1 & 0x3F == 33 } ?? false })
      else { return nil }
      self.init(hevcSPS: unit)
    case .mpeg2Video, .mpeg1Video: self.init(mpeg2: sample)
    case .mpeg4: self.init(mpeg4: sample)
    case .vp8: self.init(vp8: sample)
    case .vp9: self.init(vp9: sample)
    case .av1: self.init(av1: sample)
    case .mjpeg: self.init(jpeg: sample)
    case .dnxhd: self.init(dnx: sample)
    case .dvVideo: self.init(dv: sample)
    default: return nil
    }
  }
}
