import CommandLineKit
import MediaEngine
import Trimming

/// What `trim cut` was told, read but not yet matched with a film.
struct CutOptions: Sendable {
  var file: ArgumentText
  /// One, unless several were named by `--keep`.
  var parts: [PartExpression]
  /// Several parts go into one file.
  var joins: Bool
  var output: ArgumentText
  var container: OutputContainer
  var mode: CutMode
  var audio: SoundMode
  var verification: CutRequest.Verification
  var isDryRun: Bool
  var replaces: Bool
  var keepsFailed: Bool
  var isFragmented: Bool
  var printsJSON: Bool
  /// `nil` where no limit was asked for.
  var limit: LengthLimit?

  static let command = "cut"

  init(_ parsed: ParsedArguments) throws(UsageError) {
    guard let file = parsed.positionals.first else {
      throw UsageError("Missing expected argument '<file>'.", command: Self.command)
    }
    self.file = file
    parts = try Self.parts(parsed)
    joins = parsed.has("join")
    guard let output = parsed.last("output") else {
      throw UsageError("Missing expected option '-o <output>'.", command: Self.command)
    }
    self.output = output
    guard let container = Self.container(of: output.bytes) else {
      let known = OutputContainer.allCases.map(\.rawValue).joined(separator: ", ")
      throw UsageError(
        "The name '\(output.shown)' does not say which container to write (\(known)).",
        command: Self.command)
    }
    self.container = container
    mode = parsed.last("mode")?.text.flatMap(CutMode.init(rawValue:)) ?? .smart
    audio = parsed.last("audio")?.text.flatMap(SoundMode.init(rawValue:)) ?? .copy
    verification =
      parsed.last("verify")?.text.flatMap(CutRequest.Verification.init(rawValue:)) ?? .edges
    isDryRun = parsed.has("dry-run")
    replaces = parsed.has("force")
    keepsFailed = parsed.has("keep-failed")
    isFragmented = parsed.has("fragmented")
    printsJSON = parsed.has("json")
    let states = parsed.last("max-length") != nil || parsed.last("min-length") != nil
    limit = states ? try LengthLimit(parsed, command: Self.command) : nil
  }

  private static func parts(_ parsed: ParsedArguments) throws(UsageError) -> [PartExpression] {
    let kept = parsed.all("keep")
    guard !kept.isEmpty else {
      if parsed.has("join") {
        throw UsageError("'--join' needs several '--keep A..B'.", command: command)
      }
      return [try PartExpression(parsed, command: command)]
    }
    for option in ["from", "to", "for"] where parsed.last(option) != nil {
      throw UsageError(
        "'--keep' and '--\(option)' cannot be used together.", command: command)
    }
    var parts: [PartExpression] = []
    for word in kept {
      parts.append(try PartExpression(keeping: word, option: "--keep", command: command))
    }
    return parts
  }

  /// The files to write, and which parts go into each.
  ///
  /// Several files are numbered: `clip-1.mp4`, or `clip-01.mp4` where there are ten or more.
  var targets: [(path: [UInt8], parts: Range<Int>)] {
    guard parts.count > 1, !joins else { return [(output.bytes, 0..<parts.count)] }
    let width = "\(parts.count)".utf8.count
    let dot = output.bytes.lastIndex(of: UInt8(ascii: ".")) ?? output.bytes.endIndex
    return parts.indices.map { index in
      let number = "\(index + 1)"
      let digits = String(repeating: "0", count: width - number.utf8.count) + number
      return (
        output.bytes[..<dot] + Array("-\(digits)".utf8) + output.bytes[dot...], index..<index + 1
      )
    }
  }

  /// The container that the ending of a name stands for.
  static func container(of name: some Collection<UInt8>) -> OutputContainer? {
    let bytes = Array(name)
    guard let dot = bytes.lastIndex(of: UInt8(ascii: ".")) else { return nil }
    return OutputContainer(nameEnding: String(decoding: bytes[(dot + 1)...], as: UTF8.self))
  }
}
