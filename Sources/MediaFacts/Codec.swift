/// A codec, by FFmpeg's name.
///
/// In JSON it is that name. Codecs that FFmpeg has no name for have the four characters of their tag.
public struct Codec: RawRepresentable, Hashable, Sendable, Codable, CodingKeyRepresentable,
  CustomStringConvertible
{
  /// FFmpeg's short name: `h264`, `aac`.
  public let rawValue: String

  /// The codec of this name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The codec of this name.
  public init(_ name: String) { rawValue = name }

  /// FFmpeg's short name.
  public var description: String { rawValue }

  package func isOne(of codecs: Codec...) -> Bool { codecs.contains(self) }
}

extension Codec {
  /// What FFmpeg calls the codec of a track that does not name one.
  package static let unstated = Codec("none")
  /// A codec that is not recognized.
  package static let unknown = Codec("unknown")
  /// A timecode track of QuickTime.
  package static let tmcd = Codec("tmcd")
}

// Pictures.
extension Codec {
  package static let eightBPS = Codec("8bps")
  package static let aic = Codec("aic")
  package static let asv1 = Codec("asv1")
  package static let asv2 = Codec("asv2")
  package static let av1 = Codec("av1")
  package static let avrp = Codec("avrp")
  package static let avs2 = Codec("avs2")
  package static let avs3 = Codec("avs3")
  package static let avui = Codec("avui")
  package static let apng = Codec("apng")
  package static let cavs = Codec("cavs")
  package static let cdToons = Codec("cdtoons")
  package static let cineForm = Codec("cfhd")
  package static let cinepak = Codec("cinepak")
  /// CamStudio.
  package static let camStudio = Codec("cscd")
  package static let dirac = Codec("dirac")
  package static let dnxhd = Codec("dnxhd")
  package static let dpx = Codec("dpx")
  package static let dvVideo = Codec("dvvideo")
  package static let dxv = Codec("dxv")
  package static let exr = Codec("exr")
  package static let ffv1 = Codec("ffv1")
  package static let ffvhuff = Codec("ffvhuff")
  package static let flashScreen = Codec("flashsv")
  package static let flic = Codec("flic")
  package static let flv1 = Codec("flv1")
  package static let fraps = Codec("fraps")
  package static let gif = Codec("gif")
  package static let h261 = Codec("h261")
  package static let h263 = Codec("h263")
  package static let h264 = Codec("h264")
  package static let hap = Codec("hap")
  package static let hevc = Codec("hevc")
  package static let huffYUV = Codec("huffyuv")
  package static let indeo3 = Codec("indeo3")
  package static let indeo5 = Codec("indeo5")
  package static let jpeg2000 = Codec("jpeg2000")
  package static let lagarith = Codec("lagarith")
  package static let magicYUV = Codec("magicyuv")
  package static let mjpeg = Codec("mjpeg")
  package static let mjpegB = Codec("mjpegb")
  package static let mpeg1Video = Codec("mpeg1video")
  package static let mpeg2Video = Codec("mpeg2video")
  /// MPEG-4 part 2.
  package static let mpeg4 = Codec("mpeg4")
  package static let msmpeg4v1 = Codec("msmpeg4v1")
  package static let msmpeg4v2 = Codec("msmpeg4v2")
  package static let msmpeg4v3 = Codec("msmpeg4v3")
  package static let msRLE = Codec("msrle")
  package static let msVideo1 = Codec("msvideo1")
  package static let notchLC = Codec("notchlc")
  package static let pixlet = Codec("pixlet")
  package static let png = Codec("png")
  package static let prores = Codec("prores")
  package static let qdraw = Codec("qdraw")
  /// QuickTime's run lengths.
  package static let qtRLE = Codec("qtrle")
  package static let r10k = Codec("r10k")
  package static let r210 = Codec("r210")
  package static let rawVideo = Codec("rawvideo")
  package static let rpza = Codec("rpza")
  package static let rv10 = Codec("rv10")
  package static let rv20 = Codec("rv20")
  package static let rv30 = Codec("rv30")
  package static let rv40 = Codec("rv40")
  package static let sgi = Codec("sgi")
  package static let sgiRLE = Codec("sgirle")
  package static let sheerVideo = Codec("sheervideo")
  package static let smc = Codec("smc")
  package static let snow = Codec("snow")
  package static let svq1 = Codec("svq1")
  package static let svq3 = Codec("svq3")
  package static let targa = Codec("targa")
  package static let targaY216 = Codec("targa_y216")
  package static let theora = Codec("theora")
  package static let tiff = Codec("tiff")
  package static let tscc = Codec("tscc")
  package static let utVideo = Codec("utvideo")
  package static let v210 = Codec("v210")
  package static let v308 = Codec("v308")
  package static let v408 = Codec("v408")
  package static let v410 = Codec("v410")
  package static let vble = Codec("vble")
  package static let vc1 = Codec("vc1")
  package static let vp3 = Codec("vp3")
  package static let vp6 = Codec("vp6")
  package static let vp6a = Codec("vp6a")
  package static let vp6f = Codec("vp6f")
  package static let vp8 = Codec("vp8")
  package static let vp9 = Codec("vp9")
  package static let vvc = Codec("vvc")
  package static let wmv1 = Codec("wmv1")
  package static let wmv2 = Codec("wmv2")
  package static let wmv3 = Codec("wmv3")
  package static let y41p = Codec("y41p")
  package static let yuv4 = Codec("yuv4")
  package static let zmbv = Codec("zmbv")
}

// Sound.
extension Codec {
  package static let aac = Codec("aac")
  package static let aacLATM = Codec("aac_latm")
  package static let ac3 = Codec("ac3")
  package static let ac4 = Codec("ac4")
  package static let adpcmIMAQT = Codec("adpcm_ima_qt")
  package static let adpcmIMAWAV = Codec("adpcm_ima_wav")
  package static let adpcmMS = Codec("adpcm_ms")
  package static let adpcmSWF = Codec("adpcm_swf")
  package static let alac = Codec("alac")
  package static let amrNB = Codec("amr_nb")
  package static let amrWB = Codec("amr_wb")
  /// Monkey's Audio.
  package static let ape = Codec("ape")
  package static let atrac3 = Codec("atrac3")
  package static let cook = Codec("cook")
  package static let dts = Codec("dts")
  package static let dvAudio = Codec("dvaudio")
  package static let eac3 = Codec("eac3")
  package static let evrc = Codec("evrc")
  package static let flac = Codec("flac")
  package static let gsm = Codec("gsm")
  /// GSM in Microsoft's blocks of two frames.
  package static let gsmMS = Codec("gsm_ms")
  package static let iamf = Codec("iamf")
  package static let ilbc = Codec("ilbc")
  package static let mace3 = Codec("mace3")
  package static let mace6 = Codec("mace6")
  package static let mlp = Codec("mlp")
  package static let mp1 = Codec("mp1")
  package static let mp2 = Codec("mp2")
  package static let mp3 = Codec("mp3")
  package static let mp4ALS = Codec("mp4als")
  package static let mpegH3DAudio = Codec("mpegh_3d_audio")
  package static let musepack7 = Codec("musepack7")
  package static let musepack8 = Codec("musepack8")
  package static let nellymoser = Codec("nellymoser")
  package static let opus = Codec("opus")
  package static let qcelp = Codec("qcelp")
  package static let qdm2 = Codec("qdm2")
  package static let qdmc = Codec("qdmc")
  package static let ra144 = Codec("ra_144")
  package static let ra288 = Codec("ra_288")
  /// SMPTE 302M.
  package static let s302m = Codec("s302m")
  package static let sipr = Codec("sipr")
  package static let smv = Codec("smv")
  package static let speex = Codec("speex")
  package static let trueHD = Codec("truehd")
  /// True Audio.
  package static let tta = Codec("tta")
  package static let usac = Codec("usac")
  package static let vorbis = Codec("vorbis")
  package static let wavPack = Codec("wavpack")
  package static let wmaLossless = Codec("wmalossless")
  package static let wmaPro = Codec("wmapro")
  package static let wmaV1 = Codec("wmav1")
  package static let wmaV2 = Codec("wmav2")
  package static let wmaVoice = Codec("wmavoice")
  package static let pcmALaw = Codec("pcm_alaw")
  package static let pcmMuLaw = Codec("pcm_mulaw")
  package static let pcmBluRay = Codec("pcm_bluray")
  package static let pcmDVD = Codec("pcm_dvd")
  /// Floating point scaled to 16 integer bits, stored in 32 bits.
  package static let pcmF16LE = Codec("pcm_f16le")
  /// Floating point scaled to 24 integer bits, stored in 32 bits.
  package static let pcmF24LE = Codec("pcm_f24le")
  package static let pcmF32BE = Codec("pcm_f32be")
  package static let pcmF32LE = Codec("pcm_f32le")
  package static let pcmF64BE = Codec("pcm_f64be")
  package static let pcmF64LE = Codec("pcm_f64le")
  package static let pcmS16BE = Codec("pcm_s16be")
  package static let pcmS16LE = Codec("pcm_s16le")
  package static let pcmS24BE = Codec("pcm_s24be")
  package static let pcmS24LE = Codec("pcm_s24le")
  package static let pcmS32BE = Codec("pcm_s32be")
  package static let pcmS32LE = Codec("pcm_s32le")
  package static let pcmS8 = Codec("pcm_s8")
  package static let pcmU8 = Codec("pcm_u8")
}

// Subtitles.
extension Codec {
  package static let ass = Codec("ass")
  package static let dvbSubtitle = Codec("dvb_subtitle")
  package static let dvbTeletext = Codec("dvb_teletext")
  package static let dvdSubtitle = Codec("dvd_subtitle")
  package static let eia608 = Codec("eia_608")
  package static let eia708 = Codec("eia_708")
  /// Blu-ray's.
  package static let pgs = Codec("hdmv_pgs_subtitle")
  /// 3GPP timed text (3GPP TS 26.245).
  package static let movText = Codec("mov_text")
  package static let subRip = Codec("subrip")
  /// UTF-8 without times or styles in the packet.
  package static let text = Codec("text")
  package static let ttml = Codec("ttml")
  package static let webVTT = Codec("webvtt")
}

extension Codec {
  /// MPEG-1 and MPEG-2 video, which share one syntax (ISO/IEC 11172-2; ISO/IEC 13818-2, D.9).
  package var isMPEG12: Bool { isOne(of: .mpeg1Video, .mpeg2Video) }

  /// H.264 and HEVC: their packets are NAL units, which parameter sets describe.
  package var usesNALUnits: Bool { isOne(of: .h264, .hevc) }

  /// PCM, of whatever sample format.
  package var isPCM: Bool { rawValue.hasPrefix("pcm_") }

  /// PCM of 32 or 64 bits in floating point.
  package var isFloatPCM: Bool {
    isOne(of: .pcmF32LE, .pcmF32BE, .pcmF64LE, .pcmF64BE)
  }

  /// PCM with one channel after the other in a packet.
  package var isPlanarPCM: Bool { isPCM && rawValue.hasSuffix("_planar") }

  /// Windows Media Video or Audio.
  package var isWindowsMedia: Bool { rawValue.hasPrefix("wm") }

  /// Direct Stream Digital.
  package var isDSD: Bool { rawValue.hasPrefix("dsd_") }

  /// Differences of samples, in whatever code.
  package var isADPCM: Bool { rawValue.hasPrefix("adpcm_") }

  /// ADPCM by IMA, in whatever blocks.
  package var isIMAADPCM: Bool { rawValue.hasPrefix("adpcm_ima_") }

  /// MPEG-1 and MPEG-2 audio, of layer 1, 2 or 3.
  package var isMPEGAudio: Bool { isOne(of: .mp1, .mp2, .mp3) }

  /// AMR, narrow or wide.
  package var isAMR: Bool { rawValue.hasPrefix("amr_") }

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
