import CommandLineKit
import MediaEngine
import MediaFacts

/// `trim find FILE`: silence, black, still and changing pictures.
struct FindCommand: Sendable {
  var media: DrawnMediaOptions
  let options: FindOptions
  private let list: FoundList?
  private let printsJSON: Bool

  static let command = "find"

  init(_ parsed: ParsedArguments) throws(UsageError) {
    media = try DrawnMediaOptions(parsed, command: Self.command)
    options = try FindOptions(parsed, command: Self.command)
    list = try FoundList(parsed, command: Self.command)
    if list != nil, options.isPerChannel {
      throw UsageError(
        "'--output' with '--channels each': a list says nothing of channels, and a cut by it would remove "
          + "what the others hold. Leave out one of them; '--json' names the channels.",
        command: Self.command)
    }
    printsJSON = parsed.has("json")
  }

  /// Loads the file and looks in it.
  ///
  /// Blocking.
  func findings(
    in input: PlayInput, with desk: EngineDesk,
    progress: @escaping @Sendable (CutProgress) -> Void = { _ in }
  ) throws(PlayedMedia.Failure) -> (media: DrawnMedia, found: Findings) {
    var drawn = try media.media(input: input, with: desk)
    if media.timeout == nil { drawn.deadline = .now + DrawnMedia.usualTime(toDecode: drawn.facts) }
    let media = drawn
    return (
      media,
      try desk.engine.findings(
        in: media, options: options, isCancelled: desk.isCancelled, progress: progress)
    )
  }

  func run(in tool: Tool, console: Console) throws(UsageError) -> ExitStatus {
    let input = try PlayInput(
      media.file, part: media.part, command: Self.command, asciiOnly: !console.errTraits.isUTF8)
    let line = CutProgressLine(console: console, doing: "looking")
    defer { line.clear() }
    do throws(PlayedMedia.Failure) {
      let (media, found) = try findings(in: input, with: tool.desk, progress: line.report)
      line.clear()
      let written = try list?.write(found.findings, of: media, to: console)
      if printsJSON {
        let head = RecordHead.members(
          kind: Self.command, input: .file(path: media.path), bytes: media.facts.byteCount)
        console.out.write(
          JSONWriter.write(.object(head + FindingsRecord.columns(found)), .indented))
      } else if let written {
        if list?.isStandardStream == false { console.out.write("\(written)\n") }
      } else {
        console.out.write(
          FindScreen(
            found: found, name: media.path, traits: console.outTraits, isPlain: console.isPlain
          ).text)
      }
      // The screen says the same.
      if printsJSON || written != nil {
        for sentence in found.gaps {
          console.error("\(input.location): \(ForeignText.shown(sentence))")
        }
      }
      return .success
    } catch {
      return console.report(error, on: input, asJSON: printsJSON)
    }
  }
}
