import ISOMedia
import Trimming

/// The containers that are written, each known by the ending of the output's name.
public enum OutputContainer: String, Sendable, Hashable, CaseIterable {
  case mp4, mov, m4a, matroska, webm, mpegts, avi, mp3, adts, wav, flac, ogg

  /// From the ending of a name, in any case; `nil` when it names none of them.
  public init?(nameEnding ending: String) {
    switch ending.lowercased() {
    case "mp4", "m4v": self = .mp4
    case "mov", "qt": self = .mov
    case "m4a": self = .m4a
    case "mkv", "mka": self = .matroska
    case "webm": self = .webm
    case "ts", "mts", "m2ts": self = .mpegts
    case "avi": self = .avi
    case "mp3": self = .mp3
    case "aac", "adts": self = .adts
    case "wav": self = .wav
    case "flac": self = .flac
    case "ogg", "opus", "oga", "ogv": self = .ogg
    default: return nil
    }
  }

  /// True for MP4 and its kin, which are written natively.
  var isISO: Bool { [.mp4, .mov, .m4a].contains(self) }

  /// What kind of MP4 it is, where it is one.
  var brands: ISOBrands.Family {
    switch self {
    case .mov: .quickTime
    case .m4a: .m4a
    default: .mp4
    }
  }

  /// FFmpeg's name of the muxer.
  var muxer: String {
    switch self {
    case .m4a: "ipod"
    default: rawValue
    }
  }

  /// Where sound can begin and end inside a packet.
  ///
  /// By an edit list, by Opus' pre-skip and Matroska's DiscardPadding, or by the delay and padding
  /// that the first frame of an MP3 states; uncompressed sound anywhere.
  func hidesSamples(of codec: String) -> Bool {
    if isISO || AudioCut.isUncompressed(codec) { return true }
    switch self {
    case .matroska, .webm, .ogg: return codec == "opus"
    case .mp3: return codec == "mp3"
    default: return false
    }
  }

  /// Where sound is a row of samples or blocks, however packets parted it.
  func forgetsPackets(of codec: String) -> Bool {
    self == .wav || (self == .avi && codec.hasPrefix("adpcm_"))
  }

  /// Where packets of sound have times of their own.
  var stampsSound: Bool { ![.avi, .mp3, .adts, .wav, .flac].contains(self) }

  /// Where pictures can end before their time.
  var clipsPictures: Bool { isISO }

  /// The names that mean it, for sentences.
  var endings: String {
    switch self {
    case .matroska: ".mkv"
    case .mpegts: ".ts"
    case .adts: ".aac"
    default: ".\(rawValue)"
    }
  }

  /// Sound whose packets AVI and WAV tell apart: samples, blocks of one size, or frames that begin
  /// with a mark.
  static func isSoundOfRIFF(_ codec: String) -> Bool {
    AudioCut.isUncompressed(codec) || codec.hasPrefix("adpcm_")
      || ["mp3", "mp2", "ac3"].contains(codec)
  }

  /// Codecs that a standard puts into it, by FFmpeg's names; `nil` for "anything FFmpeg has".
  var codecs: Set<String>? {
    switch self {
    case .mp4, .m4a:
      [
        "h264", "hevc", "av1", "vp9", "mpeg4", "mpeg2video", "mpeg1video", "mjpeg", "aac", "mp3",
        "ac3", "eac3",
        "opus", "flac", "alac", "mp2", "mov_text", "vorbis", "dts",
      ]
    case .mov: nil
    case .matroska: nil
    case .webm: ["vp8", "vp9", "av1", "opus", "vorbis", "webvtt"]
    case .mpegts:
      [
        "h264", "hevc", "mpeg2video", "mpeg1video", "aac", "mp3", "mp2", "ac3", "eac3", "opus",
        "dts",
      ]
    case .avi: nil
    case .mp3: ["mp3"]
    case .adts: ["aac"]
    case .wav: nil
    case .flac: ["flac"]
    case .ogg: ["opus", "vorbis", "flac", "theora", "speex"]
    }
  }
}
