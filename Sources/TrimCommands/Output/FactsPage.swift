import CommandLineKit
import MediaEngine
import MediaFacts
import Trimming

/// How a command reports its findings on each file: plain values, so that the process that reads a
/// file can produce the output.
struct FactsPage: Sendable, Equatable, Codable {
  enum Content: String, Sendable, Codable {
    case probe, check
  }

  var content: Content
  var format: OutputFormat
  /// Whether more than one file may follow.
  var isSeveral: Bool
  var limit: LengthLimit
  var listsKeyframes = false
  var listsFrames = false
  var traits: StreamTraits
  var isPlain: Bool

  /// A single document is also for people to read; rows are one per line.
  private var layout: JSONWriter.Layout {
    format == .document && !isSeveral ? .indented : .line
  }

  /// - Parameter part: the range named for the file: what a check evaluates, and what a probe
  ///   reports in addition to the rest.
  /// - Parameter checked: what a check looked for.
  func reported(
    _ facts: MediaFacts, of input: MediaInput, part: PartExpression? = nil,
    checked: CheckedContent? = nil
  ) -> ReportedFacts {
    let part = part.flatMap { NamedPart($0, of: facts) }
    let facts = content == .check ? part.map(facts.reduced) ?? facts : facts
    return ReportedFacts(
      status: status(of: facts, checked), bytes: bytes(of: facts, input, part, checked))
  }

  private func bytes(
    of facts: MediaFacts, _ input: MediaInput, _ part: NamedPart?, _ checked: CheckedContent?
  ) -> [UInt8] {
    switch (format, content) {
    case (.screen, .probe):
      var screen = ProbeScreen(
        facts: facts, name: input.nameBytes, limit: limit, traits: traits, isPlain: isPlain,
        listsKeyframes: listsKeyframes, listsFrames: listsFrames)
      screen.part = part
      return Array(screen.text.utf8)
    case (.screen, .check):
      let screen = CheckScreen(
        facts: facts, name: input.nameBytes, limit: limit, content: checked, traits: traits,
        isPlain: isPlain)
      return Array(screen.text.utf8)
    case (_, .probe):
      var record = record(of: input)
      record.part = part
      return JSONWriter.write(record.row(facts, fillsColumns: fillsColumns), layout)
    case (_, .check):
      let record = CheckRecord(input: input, limit: limit, content: checked)
      return JSONWriter.write(record.row(facts, fillsColumns: fillsColumns), layout)
    }
  }

  /// The row of a file that could not be read; a screen has none.
  func row(_ error: MediaError, of input: MediaInput) -> [UInt8] {
    let row =
      switch content {
      case .probe: record(of: input).row(error, fillsColumns: fillsColumns)
      case .check:
        CheckRecord(input: input, limit: limit).row(error, fillsColumns: fillsColumns)
      }
    return JSONWriter.write(row, layout)
  }

  /// A row with what was fetched for it: only the command knows that.
  func row(_ bytes: [UInt8], adding cost: RemoteCost) -> [UInt8] {
    guard format != .screen, case .object(let members)? = try? JSONReader.read(bytes) else {
      return bytes
    }
    let more = JSONValue.Member(key: "remote", value: .fetched(cost))
    return JSONWriter.write(.object(members + [more]), layout)
  }

  private var fillsColumns: Bool { format == .lines }

  private func record(of input: MediaInput) -> FactsRecord {
    FactsRecord(
      input: input, limit: limit, listsKeyframes: listsKeyframes, listsFrames: listsFrames)
  }

  private func status(of facts: MediaFacts, _ checked: CheckedContent?) -> ExitStatus {
    switch content {
    case .probe: facts.damage.isEmpty ? .success : .badData
    case .check: CheckRecord.status(of: facts, limit, checked)
    }
  }

  /// The report of an untrusted process, accepted only if well-formed and free of terminal control sequences.
  func admitted(_ reported: ReportedFacts) -> ReportedFacts? {
    guard [.success, .negative, .badData].contains(reported.status) else { return nil }
    guard format != .screen else {
      let isHarmless = PageCheck.isHarmless(
        reported.bytes, asciiOnly: !traits.isUTF8, allowsColor: traits.usesColor)
      return isHarmless ? reported : nil
    }
    if layout == .line, reported.bytes.last == UInt8(ascii: "\n"),
      JSONText(object: reported.bytes.dropLast()) != nil
    {
      return reported
    }
    guard let value = try? JSONReader.read(reported.bytes), case .object = value else { return nil }
    return ReportedFacts(status: reported.status, bytes: JSONWriter.write(value, layout))
  }
}

/// What is written for one file, and what the command reports about it at the end.
struct ReportedFacts: Sendable, Equatable {
  var status: ExitStatus
  var bytes: [UInt8]
}
