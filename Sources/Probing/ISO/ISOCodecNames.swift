import Bitstreams
package import ISOMedia

/// FFmpeg's codec names for the sample entries of MP4 and QuickTime (the MP4 registration
/// authority's list, and QuickTime File Format).
package enum ISOCodecNames {
  /// - Returns: the name, or the four characters where the codec is not known here.
  package static func name(for entry: ISOSampleEntry, kind: FourCC?) -> String {
    if let objectType = entry.elementaryStream?.objectType,
      entry.codec == "mp4a" || entry.codec == "mp4v" || entry.codec == "mp4s"
    {
      if objectType == 0x40, let bytes = entry.elementaryStream?.decoderConfiguration,
        let name = AudioHeader.otherCodec(audioSpecificConfig: bytes)
      {
        return name
      }
      if let name = byObjectType[objectType] { return name }
    }
    let name: String? =
      switch kind {
      case "soun": linearPCM(entry) ?? name(of: entry.codec, in: sounds) ?? wave(entry.codec)
      case "vide" where entry.codec == "dvh1" && entry.configuration("hvcC") == nil:
        // DVCPRO HD; the code is otherwise Dolby Vision's.
        "dvvideo"
      default: name(of: entry.codec, in: pictures) ?? texts[entry.codec] ?? sounds[entry.codec]
      }
    return name ?? "\(entry.codec)"
  }

  private static let byObjectType: [UInt8: String] = [
    0x08: "mov_text", 0x20: "mpeg4", 0x21: "h264", 0x23: "hevc", 0x40: "aac", 0x60: "mpeg2video",
    0x61: "mpeg2video", 0x62: "mpeg2video", 0x63: "mpeg2video", 0x64: "mpeg2video",
    0x65: "mpeg2video", 0x66: "aac", 0x67: "aac", 0x68: "aac", 0x69: "mp3", 0x6A: "mpeg1video",
    0x6B: "mp3", 0x6C: "mjpeg", 0x6D: "png", 0x6E: "jpeg2000", 0xA3: "vc1", 0xA4: "dirac",
    0xA5: "ac3", 0xA6: "eac3", 0xA9: "dts", 0xAD: "opus", 0xB1: "vp9", 0xC1: "flac", 0xDD: "vorbis",
    0xE0: "dvd_subtitle", 0xE1: "qcelp",
  ]

  private static let texts = table([
    ("eia_608", "c608"), ("eia_708", "c708"), ("mov_text", "tx3g,text"), ("ttml", "stpp"),
    ("webvtt", "wvtt"),
  ])

  /// - Parameter names: FFmpeg's name of a codec and the codes for it.
  static func table(_ names: [(codec: String, codes: String)]) -> [FourCC: String] {
    var table: [FourCC: String] = [:]
    for (codec, codes) in names {
      for code in codes.split(separator: ",") {
        table[FourCC(stringLiteral: String(code))] = codec
      }
    }
    return table
  }

  /// Finds a name, ignoring case, because writers differ.
  private static func name(of code: FourCC, in table: [FourCC: String]) -> String? {
    table[code] ?? table[FourCC(stringLiteral: "\(code)".uppercased())]
  }

  private static func wave(_ code: FourCC) -> String? {
    guard code.rawValue >> 16 == FourCC("ms  ").rawValue >> 16 else { return nil }
    return waves[UInt16(truncatingIfNeeded: code.rawValue)]
  }

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
    case "lpcm": return flaggedPCM(bits, entry.audio?.formatFlags)
    default: return nil
    }
  }

  /// The PCM codec from version 2 of QuickTime's sound description: floating point, big-endian,
  /// signed (QuickTime File Format, Sound Sample Description V2, formatSpecificFlags).
  private static func flaggedPCM(_ bits: Int, _ flags: UInt32?) -> String {
    guard let flags else { return "pcm_s\(bits)le" }
    let sign = flags & 1 != 0 ? "f" : flags & 4 != 0 ? "s" : "u"
    guard bits > 8 else { return "pcm_\(sign)\(bits)" }
    return "pcm_\(sign)\(bits)\(flags & 2 != 0 ? "be" : "le")"
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
