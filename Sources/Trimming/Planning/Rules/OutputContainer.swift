/// The containers that trim writes, each identified by the output's file extension.
public enum OutputContainer: String, Sendable, Hashable, Codable, CaseIterable {
  /// One for each format that is written; `m2ts` is a transport stream as on Blu-ray and AVCHD, `adts` is AAC
  /// in bare ADTS frames, `threeGP` is 3GP, `opus` is an Ogg file with Opus only (RFC 7845, 9).
  case mp4, mov, m4a, matroska, webm, mpegts, m2ts, mpegps, avi, flv, mp3, adts, wav, flac, ogg
  case opus, amr, aiff, caf, ac3, eac3, dts, mp2
  case threeGP = "3gp"

  /// Finds the container for a file extension without its dot, in any case; `nil` if unknown.
  public init?(nameEnding ending: String) {
    let ending = ending.lowercased()
    guard
      let container = Self.allCases.first(where: { $0.rules.nameEndings.contains(ending) })
    else { return nil }
    self = container
  }

  /// Finds the container by the extension of a file name, given as bytes; `nil` if unknown.
  public init?(fileName name: some Collection<UInt8>) {
    guard let ending = Self.ending(of: name) else { return nil }
    self.init(nameEnding: ending)
  }

  /// Whether a file name means audio only, as `.m4a` and `.mp3` do.
  public static func isSoundAlone(fileName name: some Collection<UInt8>) -> Bool {
    guard let ending = ending(of: name), let container = OutputContainer(nameEnding: ending) else {
      return false
    }
    return container.rules.audio.endings.contains(ending.lowercased())
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
