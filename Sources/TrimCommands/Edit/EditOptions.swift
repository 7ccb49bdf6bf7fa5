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
  var settings: CutSettings
  /// Whether unfinished work and a changed limit are kept.
  var keepsState: Bool

  /// Whether options choose the mode or the tracks.
  var isMannerGiven: Bool
  /// Where the file of a project is; `nil` for the project's folder.
  var sources: [UInt8]?

  static let command = "edit"

  init(_ parsed: ParsedArguments) throws(UsageError) {
    play = try PlayOptions(parsed, command: Self.command)
    output = parsed.last("output")?.bytes
    replaces = parsed.has("force")
    settings = try CutSettings(parsed, command: Self.command)
    isMannerGiven = parsed.last("mode") != nil || parsed.last("tracks") != nil
    keepsState = !parsed.has("no-state") && !play.isFirstRun
    sources = parsed.last("sources")?.bytes
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
    let name = output ?? TrimmedName.of(path, holding: facts)
    return (name, try OutputContainer(output: name, command: Self.command))
  }
}
