import CommandLineKit
import ExactTime
import MediaEngine
import Trimming

/// The parts that were chosen, for scripts: what `trim edit --print` prints.
struct EditDecision {
  var list: PartList
  /// The files, as given, by the index that parts have.
  var files: [[UInt8]]
  /// What a cut would write.
  var target: EditTarget
  var settings: CutSettings
  var verdict: LengthVerdict

  func text(as choice: EditOptions.Choice) -> [UInt8] {
    switch choice {
    case .range: lines
    case .command: list.isOfSeveralSources ? commands : command
    case .json: JSONWriter.write(json, .line)
    }
  }

  private var ranges: [MediaTimeRange] { list.parts.map(\.range) }

  /// A range for each part; of several files, as an argument of `trim join`.
  private var lines: [UInt8] {
    list.isOfSeveralSources
      ? list.parts.flatMap { files[$0.source] + Self.fragment($0.range) + [0x0A] }
      : Array(ranges.map { "\(Self.text($0))\n" }.joined().utf8)
  }

  private static func fragment(_ range: MediaTimeRange) -> [UInt8] {
    Array("#t=\(exact(range.start)),\(exact(range.end))".utf8)
  }

  /// Lines for a POSIX shell: one that joins, or one for each part.
  private var commands: [UInt8] {
    if list.joins, list.isSeveral {
      return Set(list.parts.map(\.source)).count > 1
        ? joining : cutting(list.parts, to: target.path)
    }
    return zip(list.parts, target.paths(list.parts, joins: false)).flatMap { part, path in
      cutting([part], to: path)
    }
  }

  private var joining: [UInt8] {
    // Tracks are those of the first file, which leads then.
    let leads = settings.tracks != nil && list.parts.contains { $0.source == 0 }
    var pieces = [Array("trim join ".utf8)]
    for part in list.parts {
      pieces += [Self.quoted(files[part.source] + Self.fragment(part.range)), [0x20]]
    }
    pieces.append(Array(own(ofFirst: leads).words.utf8))
    if leads { pieces += [Array("--like ".utf8), Self.quoted(files[0]), [0x20]] }
    pieces += [Array("-o ".utf8), Self.quoted(target.path), [0x0A]]
    return Array(pieces.joined())
  }

  /// - Parameter parts: of one file.
  private func cutting(_ parts: [TrimmingPart], to path: [UInt8]) -> [UInt8] {
    let (source, ranges) = (parts[0].source, parts.map(\.range))
    let what =
      ranges.count == 1
      ? "--from \(Self.exact(ranges[0].start)) --to \(Self.exact(ranges[0].end))"
      : ranges.map { "--keep \(Self.text($0))" }.joined(separator: " ") + " --join"
    let words = " \(what) \(own(ofFirst: source == 0).words)-o "
    return Array("trim cut ".utf8) + Self.quoted(files[source]) + Array(words.utf8)
      + Self.quoted(path) + [0x0A]
  }

  private func own(ofFirst: Bool) -> CutSettings {
    var own = settings
    if !ofFirst { own.tracks = nil }
    return own
  }

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
    return Array("trim cut ".utf8) + Self.quoted(files[0])
      + Array(" \(what) \(settings.words)-o ".utf8)
      + Self.quoted(target.path) + [0x0A]
  }

  private var json: JSONValue {
    .object(
      RecordHead.members(kind: "edit", input: .file(path: files[0]), bytes: nil)
        + JSONValue.members([
          "from": .time(list.selected.range.start), "to": .time(list.selected.range.end),
          "length": .time(list.selected.range.length),
          "parts": .array(
            list.parts.map { part in
              .object(
                JSONValue.members([
                  "from": .time(part.range.start), "to": .time(part.range.end),
                  "length": .time(part.range.length), "name": .string(part.name),
                ])
                  + (list.isOfSeveralSources
                    ? JSONValue.members(["source": .integer(Int64(part.source))]) : []))
            }), "joined": .bool(list.joins && list.isSeveral),
          "is_video_length_valid": .bool(verdict == .valid),
        ]) + (list.isOfSeveralSources ? RecordHead.members(inputs: files) : []))
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
