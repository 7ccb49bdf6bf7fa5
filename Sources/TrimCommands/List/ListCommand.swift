import CommandLineKit
import EditLists
import ExactTime
import MediaEngine
import MediaFacts

/// `trim list show LIST [FILE…]` and `trim list convert LIST [FILE…] -o OUTPUT`.
struct ListCommand: Sendable {
  enum Action: String, CaseIterable, Sendable {
    case show, convert

    static let names = allCases.map(\.rawValue)
  }

  /// What may be left out of a list that is written.
  enum Dropped: String, CaseIterable, Sendable {
    case names, markers
  }

  private let path: ArgumentText
  private let files: [ArgumentText]
  private let options: ListFile.Options
  private let conversion: ListConversion?
  private let printsJSON: Bool
  private let timeout: Duration?
  /// Where the files that the list names are opened; `nil` for nowhere.
  private let sources: ArgumentText?

  static let command = "list"
  /// A million rows of the most verbose format.
  static let longest = 512 << 20

  init(_ parsed: ParsedArguments) throws(UsageError) {
    guard let word = parsed.positionals.first, parsed.positionals.count > 1 else {
      throw UsageError("Missing expected argument '<list>'.", command: Self.command)
    }
    guard let action = word.text.flatMap(Action.init(rawValue:)) else {
      throw UsageError(
        "The action '\(word.shown)' is neither 'show' nor 'convert'.", command: Self.command)
    }
    path = parsed.positionals[1]
    files = Array(parsed.positionals.dropFirst(2))
    if files.contains(where: \.isStandardStream) {
      throw UsageError("A file that a list is for cannot be '-'.", command: Self.command)
    }
    options = ListFile.Options(parsed)
    printsJSON = parsed.has("json")
    timeout = try LengthArgument.timeout(parsed, command: Self.command)
    sources = parsed.last("sources")
    if sources != nil, !files.isEmpty || path.isStandardStream {
      throw UsageError(
        "'--sources' is for a list that is a file, and for files that are not given.",
        command: Self.command)
    }
    conversion = action == .convert ? try ListConversion(parsed, command: Self.command) : nil
    guard action == .show else { return }
    for option in ["output", "as", "drop"] where parsed.last(option) != nil {
      throw UsageError("'--\(option)' needs 'convert'.", command: Self.command)
    }
    for option in ["invert", "force"] where parsed.has(option) {
      throw UsageError("'--\(option)' needs 'convert'.", command: Self.command)
    }
  }

  func run(in tool: Tool, console: Console) -> ExitStatus {
    var media: [ListMedia] = []
    for file in files {
      do throws(PlayedMedia.Failure) {
        media.append(try ListMedia(file, with: tool, timeout))
      } catch {
        return fail(error, on: .file(path: file.bytes), console)
      }
    }
    do throws(PlayedMedia.Failure) {
      let found = try found(with: tool)
      if let first = found?.keys.min().flatMap({ found?[$0] }) { media = [first] }
      return try run(media, found, console)
    } catch {
      return fail(error, on: input, console)
    }
  }

  private func run(
    _ media: [ListMedia], _ found: [Int: ListMedia]?, _ console: Console
  ) throws(PlayedMedia.Failure) -> ExitStatus {
    let file: ListFile
    do throws(PlanFile.Failure) {
      file = try ListFile(
        reading: path, upTo: Self.longest, for: media.first?.facts,
        sources: found?.mapValues(\.facts) ?? [:], options)
    } catch {
      throw PlayedMedia.Failure(error)
    }
    let matched =
      if let found { MatchedList(file.list, found) } else { try MatchedList(file.list, media) }
    if let conversion {
      return try conversion.write(file, matched, from: input, asJSON: printsJSON, to: console)
    }
    let page = ListPage(file, matched, input: input)
    console.out.write(
      printsJSON
        ? JSONWriter.write(page.value, .indented)
        : Array(page.text(asciiOnly: !console.outTraits.isUTF8).utf8))
    return matched.findings.isEmpty ? .success : .negative
  }

  /// The files below `--sources`, by the index of their source; `nil` without the option.
  private func found(with tool: Tool) throws(PlayedMedia.Failure) -> [Int: ListMedia]? {
    guard let sources else { return nil }
    var found: [Int: ListMedia] = [:]
    for (source, path) in try ListedFiles(namedIn: path, in: SourceFolder(sources.bytes)).paths {
      found[source] = try ListMedia(ArgumentText(bytes: path), with: tool, timeout)
    }
    return found
  }

  private func fail(
    _ failure: PlayedMedia.Failure, on input: MediaInput, _ console: Console
  ) -> ExitStatus {
    if printsJSON {
      console.out.write(JSONWriter.write(FailureRecord.value(failure, input: input), .indented))
    }
    let name = console.shownOnErr(input.nameBytes)
    console.error("\(name): \(console.shownOnErr(failure.message))", hint: failure.hint)
    return failure.status
  }

  private var input: MediaInput {
    path.isStandardStream ? MediaInput.standardInput : .file(path: path.bytes)
  }
}

extension PlayedMedia.Failure {
  /// The failure of a list.
  init(_ failure: PlanFile.Failure) {
    self.init(message: failure.message, status: failure.status, code: "unreadableList")
  }
}
