package import ISOMedia

/// FFmpeg's codec names for the sample entries of MP4 and QuickTime (the MP4 registration
/// authority's list, and QuickTime File Format).
package enum ISOCodecNames {
  /// - Returns: the name, or the four characters where the codec is not known here.
  package static func name(for entry: ISOSampleEntry, kind: FourCC?) -> String {
    if let objectType = entry.elementaryStream?.objectType,
      entry.codec == "mp4a" || entry.codec == "mp4v" || entry.codec == "mp4s"
    {
      if let name = byObjectType[objectType] { return name }
    }
    // `raw ` is a name of both sound and pictures.
    return (kind == "soun" ? linearPCM(entry) : nil) ?? byFormat[entry.codec] ?? "\(entry.codec)"
  }

  private static let byObjectType: [UInt8: String] = [
    0x08: "mov_text", 0x20: "mpeg4", 0x21: "h264", 0x23: "hevc", 0x40: "aac", 0x60: "mpeg2video",
    0x61: "mpeg2video", 0x62: "mpeg2video", 0x63: "mpeg2video", 0x64: "mpeg2video",
    0x65: "mpeg2video", 0x66: "aac", 0x67: "aac", 0x68: "aac", 0x69: "mp3", 0x6A: "mpeg1video",
    0x6B: "mp3", 0x6C: "mjpeg", 0x6D: "png", 0x6E: "jpeg2000", 0xA3: "vc1", 0xA4: "dirac",
    0xA5: "ac3", 0xA6: "eac3", 0xA9: "dts", 0xAD: "opus", 0xB1: "vp9", 0xC1: "flac", 0xDD: "vorbis",
    0xE0: "dvd_subtitle", 0xE1: "qcelp",
  ]

  private static let byFormat: [FourCC: String] = [
    "avc1": "h264", "avc2": "h264", "avc3": "h264", "avc4": "h264", "dva1": "h264",
    "dvav": "h264", "hvc1": "hevc", "hev1": "hevc", "hvc2": "hevc", "hev2": "hevc",
    "dvh1": "hevc", "dvhe": "hevc", "vvc1": "vvc", "vvi1": "vvc", "av01": "av1", "dav1": "av1",
    "vp08": "vp8", "vp09": "vp9", "mp4v": "mpeg4", "XVID": "mpeg4", "xvid": "mpeg4",
    "DIVX": "mpeg4", "s263": "h263", "h263": "h263", "H263": "h263", "m2v1": "mpeg2video",
    "mp2v": "mpeg2video", "mpg2": "mpeg2video", "hdv1": "mpeg2video", "hdv2": "mpeg2video",
    "hdv3": "mpeg2video", "xd5b": "mpeg2video", "xdvb": "mpeg2video", "m1v1": "mpeg1video",
    "mpg1": "mpeg1video", "apch": "prores", "apcn": "prores", "apcs": "prores", "apco": "prores",
    "ap4h": "prores", "ap4x": "prores", "AVdn": "dnxhd", "AVdh": "dnxhd", "jpeg": "mjpeg",
    "mjpa": "mjpeg", "mjpb": "mjpegb", "dvc ": "dvvideo", "dvcp": "dvvideo", "dvpp": "dvvideo",
    "dv5n": "dvvideo", "dv5p": "dvvideo", "png ": "png", "raw ": "rawvideo", "v210": "v210",
    "2vuy": "rawvideo", "yuv2": "rawvideo", "mjp2": "jpeg2000", "vc-1": "vc1", "CFHD": "cfhd",
    "SVQ3": "svq3", "SVQ1": "svq1", "rle ": "qtrle",
    "mp4a": "aac", "Opus": "opus", "ac-3": "ac3", "ec-3": "eac3", "ac-4": "ac4", "fLaC": "flac",
    "alac": "alac", ".mp3": "mp3", "ms\u{0}U": "mp3", "mp3 ": "mp3", "samr": "amr_nb",
    "sawb": "amr_wb", "dtsc": "dts", "dtsh": "dts", "dtsl": "dts", "dtse": "dts",
    "mlpa": "truehd", "ulaw": "pcm_mulaw", "alaw": "pcm_alaw", "ima4": "adpcm_ima_qt",
    "spex": "speex", "QDM2": "qdm2", "iamf": "iamf", "sqcp": "qcelp",
    "tx3g": "mov_text", "text": "mov_text", "wvtt": "webvtt", "stpp": "ttml", "c608": "eia_608",
    "c708": "eia_708",
  ]

  /// Linear PCM: QuickTime states the width and the byte order in several places.
  private static func linearPCM(_ entry: ISOSampleEntry) -> String? {
    let bits = entry.audio?.sampleSize ?? 16
    switch entry.codec {
    case "sowt": return bits == 8 ? "pcm_s8" : "pcm_s16le"
    case "twos": return bits == 8 ? "pcm_s8" : "pcm_s\(bits)be"
    case "raw ": return bits == 16 ? "pcm_s16be" : "pcm_u8"
    case "in24": return isLittleEndian(entry) ? "pcm_s24le" : "pcm_s24be"
    case "in32": return isLittleEndian(entry) ? "pcm_s32le" : "pcm_s32be"
    case "fl32": return isLittleEndian(entry) ? "pcm_f32le" : "pcm_f32be"
    case "fl64": return isLittleEndian(entry) ? "pcm_f64le" : "pcm_f64be"
    case "ipcm": return "pcm_s\(pcmBits(entry) ?? bits)\(isLittleEndian(entry) ? "le" : "be")"
    case "fpcm": return "pcm_f\(pcmBits(entry) ?? bits)\(isLittleEndian(entry) ? "le" : "be")"
    case "lpcm": return "pcm_s\(bits)le"
    default: return nil
    }
  }

  private static func isLittleEndian(_ entry: ISOSampleEntry) -> Bool {
    // `enda` (QuickTime) holds 1 for little endian; `pcmC` (ISO 23003-5) bit 0 of its flags byte.
    if let enda = entry.configuration("enda"), enda.count >= 2 { return enda[1] == 1 }
    if let pcm = entry.configuration("pcmC"), pcm.count >= 6 { return pcm[4] & 1 == 1 }
    return false
  }

  private static func pcmBits(_ entry: ISOSampleEntry) -> Int? {
    guard let pcm = entry.configuration("pcmC"), pcm.count >= 6 else { return nil }
    return Int(pcm[5])
  }
}
