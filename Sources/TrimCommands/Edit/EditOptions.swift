import CommandLineKit
import ExactTime
import MediaEngine
import Trimming

/// What `trim edit` was told, read but not yet matched with a film.
struct EditOptions: Sendable {
  /// What is printed in place of cutting.
  enum Choice: String, CaseIterable, Sendable {
    case range, command, json
  }

  var play: PlayOptions
  /// Where the cut is written; `nil` for a name after the film's.
  var output: [UInt8]?
  var replaces: Bool
  var choice: Choice?

  static let command = "edit"

  init(_ parsed: ParsedArguments) throws(UsageError) {
    play = try PlayOptions(parsed, command: Self.command)
    output = parsed.last("output")?.bytes
    replaces = parsed.has("force")
    choice = parsed.last("print")?.text.flatMap(Choice.init(rawValue:))
    guard !play.file.isStandardStream else {
      throw UsageError(
        "Standard input cannot be edited: a film is read in several places.",
        command: Self.command)
    }
  }

  /// The file that is written, beside the film unless it was named: `clip.mp4` becomes
  /// `clip-trimmed.mp4`.
  func target(of path: [UInt8]) throws(UsageError) -> (path: [UInt8], container: OutputContainer) {
    let name = output ?? Self.name(after: path)
    let ending = name.split(separator: UInt8(ascii: ".")).last ?? []
    if let container = OutputContainer(nameEnding: String(decoding: ending, as: UTF8.self)) {
      return (name, container)
    }
    guard output == nil else {
      throw UsageError(
        "The name '\(ForeignText.shown(name))' says nothing of a container that is written "
          + "here, such as .mp4 or .mkv.", command: Self.command)
    }
    return (name + Array(".mp4".utf8), .mp4)
  }

  private static func name(after path: [UInt8]) -> [UInt8] {
    let name = path.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
    let dot = path.lastIndex(of: UInt8(ascii: ".")).flatMap { $0 > name ? $0 : nil }
    return path[..<(dot ?? path.count)] + Array("-trimmed".utf8) + path[(dot ?? path.count)...]
  }
}
