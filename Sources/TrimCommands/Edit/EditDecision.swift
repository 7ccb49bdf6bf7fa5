import CommandLineKit
import ExactTime
import MediaEngine
import Trimming

/// The parts that were chosen, for scripts: what `trim edit --print` prints.
struct EditDecision {
  var list: PartList
  /// The file, as given.
  var path: [UInt8]
  /// What a cut would write.
  var target: [UInt8]
  var manner: CutManner
  var verdict: LengthVerdict

  func text(as choice: EditOptions.Choice) -> [UInt8] {
    switch choice {
    case .range: Array(ranges.map { "\(Self.text($0))\n" }.joined().utf8)
    case .command: command
    case .json: JSONWriter.write(json, .line)
    }
  }

  private var ranges: [MediaTimeRange] { list.parts.map(\.range) }

  private static func text(_ range: MediaTimeRange) -> String {
    "\(exact(range.start))..\(exact(range.end))"
  }

  /// A line for a POSIX shell, with names quoted.
  private var command: [UInt8] {
    let what =
      ranges.count == 1
      ? "--from \(Self.exact(ranges[0].start)) --to \(Self.exact(ranges[0].end))"
      : ranges.map { "--keep \(Self.text($0))" }.joined(separator: " ")
        + (list.joins ? " --join" : "")
    return Array("trim cut ".utf8) + Self.quoted(path) + Array(" \(what) \(manner.words)-o ".utf8)
      + Self.quoted(target) + [0x0A]
  }

  private var json: JSONValue {
    .object(
      RecordHead.members(kind: "edit", input: .file(path: path), bytes: nil)
        + JSONValue.members([
          "from": .time(list.selected.range.start), "to": .time(list.selected.range.end),
          "length": .time(list.selected.range.length),
          "parts": .array(
            list.parts.map { part in
              .object([
                "from": .time(part.range.start), "to": .time(part.range.end),
                "length": .time(part.range.length), "name": .string(part.name),
              ])
            }), "joined": .bool(list.joins && list.isSeveral),
          "is_video_length_valid": .bool(verdict == .valid),
        ]))
  }

  /// A form that reads back as the same instant.
  private static func exact(_ time: MediaTime) -> String {
    "\(TimeExpression.fromStart(MediaDuration(seconds: time.seconds)))"
  }

  private static func quoted(_ name: [UInt8]) -> [UInt8] {
    let quote = UInt8(ascii: "'")
    // A name that begins with a dash must not be read as an option.
    let safe = name.first == UInt8(ascii: "-") ? Array("./".utf8) + name : name
    return [quote] + safe.flatMap { $0 == quote ? Array("'\\''".utf8) : [$0] } + [quote]
  }
}
