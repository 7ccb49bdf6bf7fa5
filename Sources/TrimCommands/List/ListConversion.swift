import CommandLineKit
import EditLists
import ExactTime
import MediaEngine
import MediaFacts

/// What `trim list convert` writes, and where.
struct ListConversion: Sendable {
  private let output: ArgumentText
  private let format: EditListFormat
  private let replaces: Bool
  private let inverts: Bool
  private let dropped: Set<ListCommand.Dropped>

  init(_ parsed: ParsedArguments, command: String) throws(UsageError) {
    guard let output = parsed.last("output"), !output.bytes.isEmpty else {
      throw UsageError("Missing expected option '--output <output>'.", command: command)
    }
    self.output = output
    replaces = parsed.has("force")
    inverts = parsed.has("invert")
    dropped = Set(parsed.all("drop").compactMap { $0.text.flatMap(ListCommand.Dropped.init) })
    if output.isStandardStream, parsed.has("json") {
      throw UsageError(
        "'--json' and '-o -' both write to standard output: name a file.", command: command)
    }
    format = try Self.format(of: output, parsed, command: command)
  }

  /// The format that `--as` names, or the output's extension.
  static func format(
    of output: ArgumentText, _ parsed: ParsedArguments, command: String
  ) throws(UsageError) -> EditListFormat {
    if let id = parsed.last("as")?.text, let named = EditListFormat.named(id) { return named }
    guard !output.isStandardStream else {
      throw UsageError("'-o -' needs '--as' with a format.", command: command)
    }
    let (ending, formats) = EditListFormat.written(as: output.bytes)
    if formats.count == 1 { return formats[0] }
    guard formats.isEmpty else {
      throw UsageError(
        "Several formats end in '.\(ending)': name one of them with '--as': "
          + formats.map(\.id).joined(separator: ", ") + ".", command: command)
    }
    throw UsageError(
      "The name '\(output.shown)' does not indicate what to write: name a format with '--as'.",
      command: command)
  }

  /// Writes the list, and reports what it holds and what it lacks.
  func write(
    _ file: ListFile, _ matched: MatchedList, from input: MediaInput, asJSON: Bool,
    to console: Console
  ) throws(PlayedMedia.Failure) -> ExitStatus {
    var leftOut = file.leftOut
    let list = try revised(matched, &leftOut)
    let written: EditListFormat.Written
    do throws(ListError) {
      written = try format.write(list)
    } catch {
      throw PlayedMedia.Failure(
        message: "\(error)", hint: hint(for: list), status: .badData, code: "unreadableList")
    }
    // What the files added is no loss.
    let own = matched.list
    leftOut += written.leftOut.filter { lost in
      lost != EditList.frameRate || own.rate != nil
    }.filter { lost in
      lost != EditList.sourceName || own.sources.contains { $0.hint != nil }
    }
    let bytes = Array(written.text.utf8)
    if output.isStandardStream {
      console.out.write(bytes)
    } else {
      try ResultFile(
        output.bytes, replaces: replaces, madeFrom: input.nameBytes,
        sparing: matched.media.values.map(\.path)
      ).publish(bytes)
    }
    if asJSON {
      let members = JSONValue.members([
        "output": OutputRecord.value(output.bytes, bytes: bytes.count),
        "format": .string(format.id), "parts": .integer(list.parts.count),
        "markers": .integer(list.markers.count), "rounded": .integer(written.rounded),
        "left_out": .array(leftOut.map(JSONValue.string)),
        "does_not_fit": .array(matched.findings.map(JSONValue.string)),
      ])
      let head = RecordHead.members(kind: ListCommand.command, input: input, bytes: nil)
      console.out.write(JSONWriter.write(.object(head + members), .indented))
    } else if !output.isStandardStream {
      let name = ForeignText.shown(output.bytes, asciiOnly: !console.outTraits.isUTF8)
      console.out.write("\(name): \(format.name), \(CountText.of(list.parts.count, "part"))\n")
    }
    var notes = [file.rateNote].compactMap { $0 } + leftOut.map { "left out: \($0)" }
    if written.rounded > 0 {
      notes.append("\(CountText.of(written.rounded, "time")) rounded to what \(format.name) has")
    }
    notes += matched.findings.map { "does not fit: \($0)" }
    for note in notes where !console.isQuiet { console.error(console.shownOnErr(note)) }
    return .success
  }

  private func hint(for list: EditList) -> String? {
    var hints = ["'--invert'"]
    if list.parts.contains(where: { $0.name != nil }) { hints.append("'--drop names'") }
    if !list.markers.isEmpty { hints.append("'--drop markers'") }
    return "What is written changes with " + hints.joined(separator: ", ") + "."
  }

  /// The list with what its files tell, and what the options ask for.
  private func revised(
    _ matched: MatchedList, _ leftOut: inout [String]
  ) throws(PlayedMedia.Failure) -> EditList {
    var list = matched.list
    for (index, media) in matched.media where list.sources[index].hint == nil {
      list.sources[index].hint = String(decoding: media.path, as: UTF8.self)
    }
    if list.rate == nil { list.rate = matched.media[0]?.facts.frameRate }
    if inverts { list = try inverted(list, matched.media) }
    if dropped.contains(.names) {
      for index in list.parts.indices { list.parts[index].name = nil }
      for index in list.markers.indices { list.markers[index].name = nil }
      leftOut.append("names")
    }
    if dropped.contains(.markers), !list.markers.isEmpty {
      leftOut.append(CountText.of(list.markers.count, "marker"))
      list.markers = []
    }
    if format.id == EditListFormat.cmx3600.id, let facts = matched.media[0]?.facts,
      let first = SourceTimecode.start(of: facts)
    {
      do throws(PlanFile.Failure) {
        list = try list.counted(from: first, isWritten: true)
      } catch {
        throw PlayedMedia.Failure(error)
      }
    }
    return list
  }

  private func inverted(
    _ list: EditList, _ media: [Int: ListMedia]
  ) throws(PlayedMedia.Failure) -> EditList {
    var whole: [Int: MediaTimeRange] = [:]
    for source in Set(list.parts.map(\.source)) {
      guard let end = media[source]?.facts.presentedEnd,
        let range = MediaTimeRange(from: .zero, to: end)
      else {
        throw PlayedMedia.Failure(
          message: "what is not in it is only known beside its files; name them after the list",
          status: .usage)
      }
      whole[source] = range
    }
    return list.parts.contains { !$0.isKept }
      ? list.kept(within: whole) : list.removedInstead(within: whole)
  }
}
