import CFFmpeg
import Synchronization

/// The only formats and decoders that are ever used: hostile files cannot reach anything else,
/// especially playlists and scripts.
package enum AllowList {
  /// FFmpeg's demuxer names, as in `AVInputFormat.name`.
  ///
  /// The demuxers for AMR without its header are left out: they recognize almost any bytes.
  package static let formats = [
    "mov", "mp4", "m4a", "3gp", "3g2", "mj2", "matroska", "webm", "mpegts", "mpeg", "mpegvideo",
    "avi", "flv", "mp3", "aac", "flac", "ogg", "wav", "w64", "aiff", "caf", "h264", "hevc", "ivf",
    "obu", "m4v", "amr", "ac3", "eac3", "mxf", "gif", "dv", "wv", "tta", "truehd", "mlp", "dts",
    "au", "asf",
  ]

  /// Formats without a container, whose packets FFmpeg's parsers assemble: they buffer all bytes
  /// from one frame to the next.
  package static let bareFormats: Set<String> = [
    "mp3", "aac", "flac", "ac3", "eac3", "h264", "hevc", "m4v", "mpegvideo", "obu", "truehd", "mlp",
    "dts",
  ]

  /// Formats whose demuxers accept any bytes as packets.
  package static let unheadedFormats: Set<String> = ["dv"]

  /// FFmpeg's decoder names, as in `AVCodec.name`.
  package static let decoders = [
    "h264", "hevc", "vp8", "vp9", "libdav1d", "av1", "mpeg4", "mpeg2video", "mpeg1video", "mjpeg",
    "prores", "theora", "gif", "aac", "aac_latm", "mp3float", "mp3", "mp2float", "mp2", "opus",
    "vorbis", "flac", "alac", "ac3", "eac3", "amrnb", "amrwb", "adpcm_ima_wav", "adpcm_ms",
    "pcm_s16le", "pcm_s16be", "pcm_s24le", "pcm_s24be", "pcm_s32le", "pcm_s32be", "pcm_f32le",
    "pcm_f32be", "pcm_f64le", "pcm_f64be", "pcm_u8", "pcm_s8", "pcm_alaw", "pcm_mulaw",
    "pcm_bluray", "pcm_dvd", "s302m", "wavpack", "tta", "truehd", "mlp", "dca", "wmav1", "wmav2",
    "h263", "flv", "wmv1", "msmpeg4v2", "msmpeg4", "ffv1", "dnxhd", "dvvideo", "huffyuv",
    "ffvhuff", "utvideo", "rawvideo", "qtrle", "zmbv", "flashsv", "cfhd",
    "v210", "wmv2",
  ]

  /// FFmpeg's names of text subtitle decoders: FFmpeg has two names each for SubRip's and SSA's.
  package static let textDecoders: Set = [
    "subrip", "srt", "text", "webvtt", "ass", "ssa", "mov_text",
  ]

  /// FFmpeg's names of text subtitle encoders.
  package static let textEncoders: Set = ["mov_text", "subrip", "webvtt"]
}

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

extension AllowList {
  /// The formats that are read only under the complete sandbox, by FFmpeg's demuxer names.
  ///
  /// Each was reviewed for reading its own bytes only; Documentation/Safety.md has the findings.
  package static let sealedFormats = [
    "ape", "apng", "ast", "dsf", "iff", "ircam", "mpc", "mpc8", "nistsphere", "nut", "rm", "sox",
    "voc", "yuv4mpegpipe",
  ]

  /// The decoders of what these formats contain, by FFmpeg's names.
  package static let sealedDecoders = [
    "ape", "apng", "cook", "dsd_lsbf", "dsd_lsbf_planar", "dsd_msbf", "dsd_msbf_planar", "mpc7",
    "mpc8", "pcm_s16be_planar", "pcm_s8_planar", "rv10", "rv20", "rv30", "rv40",
  ]

  /// How far this process is sandboxed.
  package enum Seal: Sendable, Hashable {
    /// Not at all.
    case none
    /// Without these layers, by their names.
    case lacking([String])
    case complete
  }

  private static let state = Mutex(Seal.none)

  /// How far this process is sandboxed; it is stated once, after entering the sandbox.
  package static var seal: Seal {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }

  /// The formats that this process reads.
  static var readFormats: [String] { seal == .complete ? formats + sealedFormats : formats }

  /// The decoders that this process uses.
  static var usedDecoders: [String] { seal == .complete ? decoders + sealedDecoders : decoders }
}
