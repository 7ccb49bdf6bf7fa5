import CommandLineKit
import ExactTime
import MediaEngine
import MediaFacts
import Trimming

/// The parsed options of `trim edit`, not yet matched with a file.
struct EditOptions: Sendable {
  /// What is printed instead of cutting.
  enum Choice: String, CaseIterable, Sendable {
    case range, command, json
  }

  var play: PlayOptions
  /// Where the cut is written; `nil` for a name derived from the file's.
  var output: [UInt8]?
  var replaces: Bool
  var choice: Choice?
  var manner: CutManner

  static let command = "edit"

  init(_ parsed: ParsedArguments) throws(UsageError) {
    play = try PlayOptions(parsed, command: Self.command)
    output = parsed.last("output")?.bytes
    replaces = parsed.has("force")
    manner = try CutManner(parsed, command: Self.command)
    choice = parsed.last("print")?.text.flatMap(Choice.init(rawValue:))
    guard !play.file.isStandardStream else {
      throw UsageError(
        "Standard input cannot be edited: the file is read in several places.",
        command: Self.command)
    }
  }

  /// The output file, next to the input unless it was named.
  func target(
    of path: [UInt8], holding facts: MediaFacts? = nil
  ) throws(UsageError) -> (path: [UInt8], container: OutputContainer) {
    let name = output ?? Self.output(beside: path, holding: facts)
    return (name, try OutputContainer(output: name, command: Self.command))
  }

  /// `clip.mp4` becomes `clip-trimmed.mp4`; formats that are not written become MP4, or Matroska where MP4
  /// does not hold the file's tracks.
  static func output(beside path: [UInt8], holding facts: MediaFacts? = nil) -> [UInt8] {
    let name = path.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
    let dot = path.lastIndex(of: UInt8(ascii: ".")).flatMap { $0 > name ? $0 : nil }
    let output =
      path[..<(dot ?? path.count)] + Array("-trimmed".utf8) + path[(dot ?? path.count)...]
    if let own = OutputContainer(fileName: Array(output)), own.rules.lists(facts) {
      return Array(output)
    }
    // A file named .opus may contain what other Ogg files do.
    if OutputContainer(fileName: Array(output))?.rules.isOgg == true,
      OutputContainer.ogg.rules.lists(facts)
    {
      return Array(output) + Array(".ogg".utf8)
    }
    // No other container holds their content.
    if facts?.tracks.contains(where: { $0.codec == "gif" }) == true {
      return Array(output) + Array(".mov".utf8)
    }
    guard !OutputContainer.mp4.rules.lists(facts) else {
      return Array(output) + Array(".mp4".utf8)
    }
    let isSound = facts?.tracks.contains { $0.kind == .video && $0.isPresented } == false
    return Array(output) + Array((isSound ? ".mka" : ".mkv").utf8)
  }
}

extension ContainerRules {
  /// Whether a standard allows all presented tracks of a file in the container; true if nothing is
  /// known about the file.
  fileprivate func lists(_ facts: MediaFacts?) -> Bool {
    guard let facts, let codecs else { return true }
    return facts.tracks.allSatisfy {
      !$0.isPresented || ![.video, .audio].contains($0.kind) || codecs.contains($0.codec)
    }
  }
}
