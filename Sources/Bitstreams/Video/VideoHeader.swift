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
  package var color = ColorCodes()
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

  /// Reads the codec configuration of ISO 14496-15 (avcC, hvcC), of AV1 (av1C) or of VP9 (vpcC), or
  /// headers with start codes (transport streams, AVI, MPEG-2 and MPEG-4 part 2).
  package init?(codec: Codec, configuration: [UInt8]) {
    let framing = Framing(codec: codec, configuration: configuration)
    let header: VideoHeader?
    switch codec {
    case .h264 where framing != .annexB:
      header = SetRecord.h264(configuration).sequences.first.flatMap { H264SPS(Array($0))?.header }
    case .hevc where framing != .annexB:
      let sets = SetRecord.hevc(configuration).first {
        $0.header & 0x3F == HEVCSets.sequence && !$0.units.isEmpty
      }
      header = (sets?.units.first).flatMap { HEVCSPS(beginningOf: $0)?.header }
    case .h264, .hevc, .mpeg1Video, .mpeg2Video, .mpeg4:
      header = VideoHeader(codec: codec, firstSample: configuration[...], framing: .annexB)
    case .av1: header = VideoHeader(av1C: configuration)
    case .vp9, .vp8: header = VideoHeader(vpcC: configuration)
    case .wmv3: header = VideoHeader(wmv3: configuration)
    default: header = nil
    }
    guard let header else { return nil }
    self = header
  }

  package init() {}

  /// Sets the size, unless it is impossible.
  mutating func setSize(_ width: Int, _ height: Int) {
    if width > 0, height > 0 { (self.width, self.height) = (width, height) }
  }

  /// AV1 in ISOBMFF, 2.3.3.
  private init?(av1C: [UInt8]) {
    guard av1C.count >= 4, av1C[0] == 0x81 else { return nil }
    if let header = Self.av1(av1C[4...]) {
      self = header
      return
    }
    profile = AV1SequenceHeader.profileName(av1C[1] >> 5)
    level = AV1SequenceHeader.levelName(av1C[1] & 0x1F)
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
    color.primaries = Int(vpcC[7])
    color.transfer = Int(vpcC[8])
    color.matrix = Int(vpcC[9])
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
    func first(_ isSet: (UInt8) -> Bool) -> ArraySlice<UInt8>? {
      NALUnits(bytes: sample, framing: framing).first { $0.first.map(isSet) ?? false }
    }
    let header: VideoHeader?
    switch codec {
    case .h264: header = first { $0 & 0x1F == 7 }.flatMap { H264SPS(Array($0))?.header }
    case .hevc: header = first { $0 >> 1 & 0x3F == 33 }.flatMap { HEVCSPS(beginningOf: $0)?.header }
    case .mpeg2Video, .mpeg1Video: header = VideoHeader(mpeg2: sample)
    case .mpeg4: header = MPEG4Layer(sample)?.header
    case .vp8: header = VideoHeader(vp8: sample)
    case .vp9: header = VideoHeader(vp9: sample)
    case .av1: header = Self.av1(sample)
    case .mjpeg: header = VideoHeader(jpeg: sample)
    case .dnxhd: header = VideoHeader(dnx: sample)
    case .dvVideo: header = VideoHeader(dv: sample)
    default: header = nil
    }
    guard let header else { return nil }
    self = header
  }

  /// Of the first sequence header among the OBUs of a keyframe, or of an av1C box after its first four bytes (AV1
  /// bitstream specification, 5.3 and 5.5).
  private static func av1(_ bytes: ArraySlice<UInt8>) -> VideoHeader? {
    OpenBitstreamUnits(bytes: bytes).first { $0.type == OpenBitstreamUnits.Unit.sequenceHeader }
      .flatMap { AV1SequenceHeader($0.payload)?.header }
  }
}
