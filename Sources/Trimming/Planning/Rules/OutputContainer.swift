/// The containers that are written, each known by the ending of the output's name.
public enum OutputContainer: String, Sendable, Hashable, Codable, CaseIterable {
  case mp4, mov, m4a, matroska, webm, mpegts, avi, mp3, adts, wav, flac, ogg

  /// From the ending of a name, in any case; `nil` when it names none of them.
  public init?(nameEnding ending: String) {
    let ending = ending.lowercased()
    guard
      let container = Self.allCases.first(where: { $0.rules.nameEndings.contains(ending) })
    else { return nil }
    self = container
  }

  /// From the bytes of a file's name; `nil` where its ending names none of them.
  public init?(fileName name: some Collection<UInt8>) {
    var ending: [UInt8] = []
    var hasDot = false
    for byte in name {
      switch byte {
      case UInt8(ascii: "/"): hasDot = false
      case UInt8(ascii: "."):
        hasDot = true
        ending = []
      default: ending.append(byte)
      }
    }
    guard hasDot else { return nil }
    self.init(nameEnding: String(decoding: ending, as: UTF8.self))
  }
}
