import CommandLineKit
import EditLists
import ExactTime
import MediaEngine

/// Commands that are given a list alone: the files that it names are opened where `--sources` allows.
extension Tool {
  /// `trim cut --cuts LIST` without a file cuts the only one that the list names.
  func cut(_ parsed: ParsedArguments) throws(UsageError) -> ExitStatus {
    let console = console(parsed)
    guard let list = try Self.listAlone(parsed, command: CutOptions.command) else {
      return try CutCommand(parsed).run(in: self, console: console)
    }
    var named = parsed
    do throws(PlayedMedia.Failure) {
      let folder = try SourceFolder(parsed, around: list)
      let paths = Set(try ListedFiles(namedIn: list, in: folder).paths.values)
      guard paths.count == 1, let path = paths.first else {
        throw PlayedMedia.Failure(
          message: "it names \(CountText.of(paths.count, "file")), and one is cut",
          hint: "'trim join --cuts' writes parts of several files.", status: .badData)
      }
      named.positionals = [ArgumentText(bytes: path)]
    } catch {
      return fail(error, list, console)
    }
    return try CutCommand(named).run(in: self, console: console)
  }

  /// `trim join --cuts LIST` writes the parts that the list names, in its order.
  func join(_ parsed: ParsedArguments) throws(UsageError) -> ExitStatus {
    let console = console(parsed)
    guard let list = try Self.listAlone(parsed, command: JoinOptions.command) else {
      return try JoinCommand(parsed).run(in: self, console: console)
    }
    let items: [JoinOptions.Item]
    do throws(PlayedMedia.Failure) {
      items = try self.items(of: list, parsed, console)
    } catch {
      return fail(error, list, console)
    }
    return try JoinCommand(parsed, listed: items).run(in: self, console: console)
  }

  /// The list that is given instead of files; `nil` where files are given.
  private static func listAlone(
    _ parsed: ParsedArguments, command: String
  ) throws(UsageError) -> ArgumentText? {
    if let list = parsed.last("cuts"), parsed.positionals.isEmpty {
      guard !list.isStandardStream || command == JoinOptions.command else { return nil }
      return list
    }
    if command == JoinOptions.command, parsed.last("cuts") != nil {
      throw UsageError("'--cuts' names the files: give it without others.", command: command)
    }
    guard parsed.last("sources") == nil else {
      throw UsageError("'--sources' needs '--cuts', and no file beside it.", command: command)
    }
    return nil
  }

  private func fail(
    _ failure: PlayedMedia.Failure, _ list: ArgumentText, _ console: Console
  ) -> ExitStatus {
    console.error(
      "\(console.shownOnErr(list.bytes)): \(console.shownOnErr(failure.message))",
      hint: failure.hint)
    return failure.status
  }

  private func items(
    of list: ArgumentText, _ parsed: ParsedArguments, _ console: Console
  ) throws(PlayedMedia.Failure) -> [JoinOptions.Item] {
    guard !list.isStandardStream else {
      throw PlayedMedia.Failure(
        message: "a list of several files is read twice: name a file", status: .usage)
    }
    let paths = try ListedFiles(namedIn: list, in: SourceFolder(parsed, around: list)).paths
    var media: [Int: ListMedia] = [:]
    for (source, path) in paths {
      media[source] = try ListMedia(ArgumentText(bytes: path), with: self, nil)
    }
    let first = paths.keys.min().flatMap { media[$0] }
    let file: ListFile
    do throws(PlanFile.Failure) {
      file = try ListFile(
        reading: list, upTo: ListCommand.longest, for: first?.facts,
        sources: media.mapValues(\.facts), ListFile.Options(parsed))
    } catch {
      throw PlayedMedia.Failure(error)
    }
    for place in [file.rateNote].compactMap({ $0 }) + file.leftOut.map({ "left out: \($0)" }) {
      console.error("\(console.shownOnErr(list.bytes)): \(console.shownOnErr(place))")
    }
    let whole = media.compactMapValues { media in
      media.facts.presentedEnd.flatMap { MediaTimeRange(from: .zero, to: $0) }
    }
    let items = file.list.kept(within: whole).parts.compactMap { part in
      paths[part.source].map { path in
        func place(_ time: MediaTime) -> TimeExpression {
          .fromStart(MediaDuration(seconds: time.seconds))
        }
        return JoinOptions.Item(
          file: ArgumentText(bytes: path),
          part: PartExpression(
            from: place(part.range.start), end: .to(place(part.range.end))))
      }
    }
    guard !items.isEmpty else {
      throw PlayedMedia.Failure(message: "nothing of its files is left", status: .badData)
    }
    return items
  }
}
