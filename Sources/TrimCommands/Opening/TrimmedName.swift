import MediaEngine
import MediaFacts
import Trimming

/// The name of a cut that was given none.
enum TrimmedName {
  /// `clip.mp4` becomes `clip-trimmed.mp4`: the container that this name gives when it is typed.
  ///
  /// Where that does not hold the file's tracks, or is not written, it becomes MP4, or another container that
  /// does, with that extension instead of the file's.
  ///
  /// What comes from an address goes into the working folder.
  static func of(_ path: [UInt8], holding facts: MediaFacts? = nil) -> [UInt8] {
    let path = RemoteFiles.localName(of: path)
    let (stem, ending) = parts(of: path)
    let name = stem + Array("-trimmed".utf8)
    if let own = OutputContainer(fileName: name + ending), own.rules.lists(facts) {
      return name + ending
    }
    return name + Array(otherEnding(than: OutputContainer(fileName: path), holding: facts).utf8)
  }

  private static func otherEnding(
    than own: OutputContainer?, holding facts: MediaFacts?
  ) -> String {
    // A file named .opus may contain what other Ogg files do.
    if own?.rules.isOgg == true, OutputContainer.ogg.rules.lists(facts) { return ".ogg" }
    // No other container holds their content.
    if facts?.tracks.contains(where: { $0.codec == .gif }) == true { return ".mov" }
    if OutputContainer.mp4.rules.lists(facts) { return ".mp4" }
    if facts?.container.rules.isQuickTime == true { return ".mov" }
    let isSound = facts?.tracks.contains { $0.kind == .video && $0.isPresented } == false
    return isSound ? ".mka" : ".mkv"
  }

  /// The path of a file up to its extension, and the extension with its dot.
  private static func parts(of path: [UInt8]) -> (stem: [UInt8], ending: [UInt8]) {
    let name = path.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
    guard let dot = path.lastIndex(of: UInt8(ascii: ".")), dot > name, isEnding(path[(dot + 1)...])
    else { return (path, []) }
    return (Array(path[..<dot]), Array(path[dot...]))
  }

  /// Whether what follows the last dot is an extension, and not the rest of a name like `Vol. 2`.
  private static func isEnding(_ word: ArraySlice<UInt8>) -> Bool {
    guard (1...5).contains(word.count) else { return false }
    let letters = word.count { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20) }
    let digits = word.count { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    // Streams without a container have the number of their standard.
    let isNumber = ["261", "263", "264", "265", "266"].contains { $0.utf8.elementsEqual(word) }
    return letters + digits == word.count && (letters > 0 || isNumber)
  }
}

extension ContainerRules {
  /// Whether a standard allows all presented tracks of a file in the container; true if nothing is
  /// known about the file.
  fileprivate func lists(_ facts: MediaFacts?) -> Bool {
    guard let facts, let codecs else { return true }
    // Their descriptions are carried over, whatever the codec is.
    let isSameKind = facts.container.rules.isISO && facts.container.rules.isQuickTime == isQuickTime
    if isISO, isSameKind { return true }
    return facts.tracks.allSatisfy {
      !$0.isPresented || ![.video, .audio].contains($0.kind) || codecs.contains($0.codec)
    }
  }
}
