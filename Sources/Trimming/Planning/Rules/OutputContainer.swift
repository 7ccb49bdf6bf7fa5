/// The containers that trim writes, each known by the extension of the output's name.
public enum OutputContainer: String, Sendable, Hashable, Codable, CaseIterable {
  /// One for each format that is written; `m2ts` is a transport stream as Blu-ray and AVCHD have it, `adts`
  /// is AAC in bare ADTS frames, `threeGP` the MP4 of telephones, `opus` an Ogg file of Opus alone (RFC 7845, 9).
  case mp4, mov, m4a, matroska, webm, mpegts, m2ts, mpegps, avi, flv, mp3, adts, wav, flac, ogg
  case opus, amr, aiff, caf, ac3, eac3, dts, mp2
  case threeGP = "3gp"

  /// Finds the container of a file extension without its dot, in any case; `nil` for another one.
  public init?(nameEnding ending: String) {
    let ending = ending.lowercased()
    guard
      let container = Self.allCases.first(where: { $0.rules.nameEndings.contains(ending) })
    else { return nil }
    self = container
  }

  /// Finds the container by the extension of a file's name, given as bytes; `nil` for another one.
  public init?(fileName name: some Collection<UInt8>) {
    guard let ending = Self.ending(of: name) else { return nil }
    self.init(nameEnding: ending)
  }

  /// Whether a file's name asks for sound alone, as `.m4a` and `.mp3` do.
  public static func isSoundAlone(fileName name: some Collection<UInt8>) -> Bool {
    guard let ending = ending(of: name), let container = OutputContainer(nameEnding: ending) else {
      return false
    }
    return container.rules.soundEndings.contains(ending.lowercased())
  }

  private static func ending(of name: some Collection<UInt8>) -> String? {
    var ending: [UInt8]?
    for byte in name {
      switch byte {
      case UInt8(ascii: "/"): ending = nil
      case UInt8(ascii: "."): ending = []
      default: ending?.append(byte)
      }
    }
    return ending.map { String(decoding: $0, as: UTF8.self) }
  }
}
