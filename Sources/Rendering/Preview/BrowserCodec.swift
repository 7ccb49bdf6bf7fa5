import ISOMedia
import MediaFacts

/// The codec string of a track for browsers (RFC 6381).
enum BrowserCodec {
  /// - Parameter header: an MP4 header; its first track is described.
  /// - Returns: `nil` for codecs that no browser plays in MP4.
  static func type(of header: [UInt8]) -> String? {
    guard let movie = try? ISOMovie(reading: InMemoryBytes(header)),
      let track = movie.tracks.first, let entry = track.sampleEntries.first,
      let name = name(of: entry)
    else { return nil }
    return "\(entry.video != nil ? "video" : "audio")/mp4; codecs=\"\(name)\""
  }

  private static func name(of entry: ISOSampleEntry) -> String? {
    switch entry.codec {
    case "avc1", "avc3":
      // ISO 14496-15, E.3: the three bytes after the version.
      guard let record = entry.configuration("avcC"), record.count >= 4 else { return nil }
      return "\(entry.codec)." + record[1...3].map { hex($0, digits: 2) }.joined()
    case "hvc1", "hev1": return entry.configuration("hvcC").flatMap { hevc($0, entry.codec) }
    case "vp08", "vp09": return entry.configuration("vpcC").flatMap { vp9($0, entry.codec) }
    case "av01": return entry.configuration("av1C").flatMap(av1)
    case "mp4a": return entry.elementaryStream.flatMap(mpeg4)
    case "fLaC": return Codec.flac.rawValue
    default: return nil
    }
  }

  /// ISO 14496-15, E.3: profile, compatibility flags in reverse bit order, tier and
  /// level, and constraint flags up to the last that is not zero.
  private static func hevc(_ record: [UInt8], _ format: FourCC) -> String? {
    guard record.count >= 13 else { return nil }
    let space = ["", "A", "B", "C"][Int(record[1] >> 6)]
    let flags = record[2...5].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    let turned = (0..<32).reduce(UInt32(0)) { $0 << 1 | flags >> $1 & 1 }
    let tier = record[1] & 0x20 == 0 ? "L" : "H"
    var constraints = Array(record[6...11])
    while constraints.last == 0 { constraints.removeLast() }
    let parts = [
      "\(format)", "\(space)\(record[1] & 0x1F)", hex(turned), "\(tier)\(record[12])",
    ]
    return (parts + constraints.map { hex($0) }).joined(separator: ".")
  }

  /// VP Codec ISO Media File Format Binding, "Codecs Parameter String": the fields after version
  /// and flags.
  private static func vp9(_ record: [UInt8], _ format: FourCC) -> String? {
    guard record.count >= 7 else { return nil }
    return (["\(format)"] + [record[4], record[5], record[6] >> 4].map(decimal))
      .joined(separator: ".")
  }

  /// AV1 Codec ISO Media File Format Binding, 5.
  private static func av1(_ record: [UInt8]) -> String? {
    guard record.count >= 3 else { return nil }
    let (profile, level) = (record[1] >> 5, record[1] & 0x1F)
    let tier = record[2] & 0x80 == 0 ? "M" : "H"
    let depth: UInt8 = record[2] & 0x40 == 0 ? 8 : record[2] & 0x20 == 0 ? 10 : 12
    return "av01.\(profile).\(decimal(level))\(tier).\(decimal(depth))"
  }

  /// The object type indication, and the audio object type of the AudioSpecificConfig (ISO 14496-3,
  /// 1.6.2.1).
  private static func mpeg4(_ stream: ISOElementaryStream) -> String? {
    let config = stream.decoderConfiguration
    guard stream.objectType == 0x40, config.count >= 2 else { return nil }
    let short = config[0] >> 3
    let kind = short == 31 ? 32 + (Int(config[0] & 7) << 3 | Int(config[1] >> 5)) : Int(short)
    return "mp4a.40.\(kind)"
  }

  private static func hex(_ number: some BinaryInteger, digits: Int = 1) -> String {
    let text = String(number, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }

  private static func decimal(_ number: UInt8) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }
}
