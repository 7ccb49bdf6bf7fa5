import Bitstreams
package import ISOMedia
package import MediaFacts

/// FFmpeg's codec names for the sample entries of MP4 and QuickTime (the MP4 registration
/// authority's list, and QuickTime File Format).
package enum ISOCodecNames {
  /// - Returns: the name, or the four characters where the codec is not known here.
  package static func name(for entry: ISOSampleEntry, kind: FourCC?) -> Codec {
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
    let name: Codec? =
      switch kind {
      case "soun": linearPCM(entry) ?? name(of: entry.codec, in: sounds) ?? wave(entry.codec)
      case "vide" where entry.codec == "dvh1" && entry.configuration("hvcC") == nil:
        // DVCPRO HD; the code is otherwise Dolby Vision's.
        .dvVideo
      default: name(of: entry.codec, in: pictures) ?? texts[entry.codec] ?? sounds[entry.codec]
      }
    return name ?? Codec("\(entry.codec)")
  }

  private static let byObjectType: [UInt8: Codec] = [
    0x08: .movText, 0x20: .mpeg4, 0x21: .h264, 0x23: .hevc, 0x40: .aac, 0x60: .mpeg2Video,
    0x61: .mpeg2Video, 0x62: .mpeg2Video, 0x63: .mpeg2Video, 0x64: .mpeg2Video,
    0x65: .mpeg2Video, 0x66: .aac, 0x67: .aac, 0x68: .aac, 0x69: .mp3, 0x6A: .mpeg1Video,
    0x6B: .mp3, 0x6C: .mjpeg, 0x6D: .png, 0x6E: .jpeg2000, 0xA3: .vc1, 0xA4: .dirac,
    0xA5: .ac3, 0xA6: .eac3, 0xA9: .dts, 0xAD: .opus, 0xB1: .vp9, 0xC1: .flac, 0xDD: .vorbis,
    0xE0: .dvdSubtitle, 0xE1: .qcelp,
  ]

  private static let texts = table([
    (.eia608, "c608"), (.eia708, "c708"), (.movText, "tx3g,text"), (.ttml, "stpp"),
    (.webVTT, "wvtt"),
  ])

  /// - Parameter names: FFmpeg's name of a codec and the codes for it.
  static func table(_ names: [(codec: Codec, codes: String)]) -> [FourCC: Codec] {
    var table: [FourCC: Codec] = [:]
    for (codec, codes) in names {
      for code in codes.split(separator: ",") {
        table[FourCC(stringLiteral: String(code))] = codec
      }
    }
    return table
  }

  /// Finds a name, ignoring case, because writers differ.
  private static func name(of code: FourCC, in table: [FourCC: Codec]) -> Codec? {
    table[code] ?? table[FourCC(stringLiteral: "\(code)".uppercased())]
  }

  private static func wave(_ code: FourCC) -> Codec? {
    guard code.rawValue >> 16 == FourCC("ms  ").rawValue >> 16 else { return nil }
    return waves[UInt16(truncatingIfNeeded: code.rawValue)]
  }

  /// Linear PCM: QuickTime states the width and the byte order in several places.
  private static func linearPCM(_ entry: ISOSampleEntry) -> Codec? {
    let bits = entry.audio?.sampleSize ?? 16
    switch entry.codec {
    case "sowt": return bits == 8 ? .pcmS8 : .pcmS16LE
    case "twos": return bits == 8 ? .pcmS8 : Codec("pcm_s\(bits)be")
    case "raw ": return bits == 16 ? .pcmS16BE : .pcmU8
    case "in24": return isLittleEndian(entry) ? .pcmS24LE : .pcmS24BE
    case "in32": return isLittleEndian(entry) ? .pcmS32LE : .pcmS32BE
    case "fl32": return isLittleEndian(entry) ? .pcmF32LE : .pcmF32BE
    case "fl64": return isLittleEndian(entry) ? .pcmF64LE : .pcmF64BE
    case "ipcm":
      return Codec("pcm_s\(pcmBits(entry) ?? bits)\(isLittleEndian(entry) ? "le" : "be")")
    case "fpcm":
      return Codec("pcm_f\(pcmBits(entry) ?? bits)\(isLittleEndian(entry) ? "le" : "be")")
    case "lpcm": return flaggedPCM(bits, entry.audio?.formatFlags)
    default: return nil
    }
  }

  /// The PCM codec from version 2 of QuickTime's sound description: floating point, big-endian,
  /// signed (QuickTime File Format, Sound Sample Description V2, formatSpecificFlags).
  private static func flaggedPCM(_ bits: Int, _ flags: UInt32?) -> Codec {
    guard let flags else { return Codec("pcm_s\(bits)le") }
    let sign = flags & 1 != 0 ? "f" : flags & 4 != 0 ? "s" : "u"
    guard bits > 8 else { return Codec("pcm_\(sign)\(bits)") }
    return Codec("pcm_\(sign)\(bits)\(flags & 2 != 0 ? "be" : "le")")
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
