/// A codec, by FFmpeg's name.
///
/// Names are kept as text in facts, plans and JSON; a decision about one asks this value.
package struct Codec: RawRepresentable, Hashable, Sendable {
  package let rawValue: String

  package init(rawValue: String) { self.rawValue = rawValue }
  package init(_ name: String) { rawValue = name }

  package func isOne(of codecs: Codec...) -> Bool { codecs.contains(self) }
}

extension Codec {
  package static let av1 = Codec("av1")
  package static let dnxhd = Codec("dnxhd")
  package static let dvVideo = Codec("dvvideo")
  package static let flv1 = Codec("flv1")
  package static let h263 = Codec("h263")
  package static let h264 = Codec("h264")
  package static let hevc = Codec("hevc")
  package static let mjpeg = Codec("mjpeg")
  package static let mpeg1Video = Codec("mpeg1video")
  package static let mpeg2Video = Codec("mpeg2video")
  /// MPEG-4 part 2.
  package static let mpeg4 = Codec("mpeg4")
  package static let msmpeg4v2 = Codec("msmpeg4v2")
  package static let msmpeg4v3 = Codec("msmpeg4v3")
  package static let png = Codec("png")
  package static let prores = Codec("prores")
  package static let theora = Codec("theora")
  package static let vc1 = Codec("vc1")
  package static let vp8 = Codec("vp8")
  package static let vp9 = Codec("vp9")
  package static let wmv1 = Codec("wmv1")
  package static let wmv2 = Codec("wmv2")
  package static let wmv3 = Codec("wmv3")

  package static let aac = Codec("aac")
  package static let aacLATM = Codec("aac_latm")
  package static let ac3 = Codec("ac3")
  package static let alac = Codec("alac")
  package static let amrNB = Codec("amr_nb")
  package static let amrWB = Codec("amr_wb")
  /// Monkey's Audio.
  package static let ape = Codec("ape")
  package static let dts = Codec("dts")
  package static let eac3 = Codec("eac3")
  package static let flac = Codec("flac")
  package static let mlp = Codec("mlp")
  package static let mp1 = Codec("mp1")
  package static let mp2 = Codec("mp2")
  package static let mp3 = Codec("mp3")
  package static let mp4ALS = Codec("mp4als")
  package static let musepack7 = Codec("musepack7")
  package static let opus = Codec("opus")
  package static let pcmDVD = Codec("pcm_dvd")
  /// SMPTE 302M.
  package static let s302m = Codec("s302m")
  package static let trueHD = Codec("truehd")
  package static let usac = Codec("usac")
  package static let vorbis = Codec("vorbis")
  package static let wavPack = Codec("wavpack")
  package static let wmaV1 = Codec("wmav1")
  package static let wmaV2 = Codec("wmav2")
}

extension Codec {
  /// MPEG-1 and MPEG-2 video, whose bitstreams are alike.
  package var isMPEG12: Bool { isOne(of: .mpeg1Video, .mpeg2Video) }

  /// Whether every keyframe is independent of all other pictures.
  package var hasIndependentKeyframes: Bool { Self.independent.contains(rawValue) }

  /// Whether it has B pictures, for which AVI and ASF have no PTS, in a bitstream that is not read here.
  package var mayReorderUnread: Bool { Self.reordering.contains(rawValue) }

  private static let independent: Set<String> = [
    "prores", "mjpeg", "mjpegb", "dnxhd", "rawvideo", "png", "v210", "dvvideo", "jpeg2000",
    "cfhd", "huffyuv", "ffvhuff", "utvideo", "magicyuv", "hap", "dxv", "aic", "sheervideo",
    "pixlet", "notchlc", "lagarith", "fraps", "vble", "ljpeg", "asv1", "asv2", "r10k", "r210",
    "v308", "v408", "v410", "y41p", "yuv4", "avrp", "avui", "targa", "targa_y216", "tiff", "dpx",
    "exr", "sgi", "sgirle", "qdraw", "8bps",
    // In these, only keyframes are independent: those of FFV1 reset all contexts (RFC 9043, 4.4), the others
    // contain the whole picture.
    "ffv1", "qtrle", "zmbv", "flashsv",
  ]

  private static let reordering: Set<String> = [
    "vc1", "vc1image", "wmv3", "wmv3image", "svq3", "rv30", "rv40", "indeo4", "cavs", "avs2",
    "avs3", "dirac", "vvc", "evc",
  ]
}
