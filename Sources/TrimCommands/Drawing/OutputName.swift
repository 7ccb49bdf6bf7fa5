import CommandLineKit

/// Where a result goes, and the format its name implies; `-` is standard output.
struct OutputName<Format: RawRepresentable & CaseIterable & Sendable>: Sendable
where Format.RawValue == String {
  var path: [UInt8]
  var format: Format
  /// Whether an existing file may be replaced.
  var replaces: Bool

  var isStandardStream: Bool { path == [UInt8(ascii: "-")] }

  /// Reads `--output` and `--force`.
  ///
  /// - Parameters:
  ///   - endings: file extensions accepted in addition to those of the formats.
  ///   - streamed: the format for standard output, which has no name.
  init(
    _ parsed: ParsedArguments, endings: [String: Format] = [:], streamed: Format, command: String
  ) throws(UsageError) {
    guard let value = parsed.last("output"), !value.bytes.isEmpty else {
      throw UsageError("Missing expected option '--output <file>'.", command: command)
    }
    path = value.bytes
    replaces = parsed.has("force")
    guard !value.isStandardStream else {
      guard !parsed.has("json") else {
        throw UsageError(
          "'--json' and '-o -' both write to standard output: name a file.", command: command)
      }
      format = streamed
      return
    }
    var known = endings
    for format in Format.allCases { known[format.rawValue] = format }
    let ending = value.bytes.lastIndex(of: UInt8(ascii: ".")).map {
      String(decoding: value.bytes[($0 + 1)...], as: UTF8.self).lowercased()
    }
    guard let format = ending.flatMap({ known[$0] }) else {
      let names = known.keys.sorted().map { ".\($0)" }.joined(separator: ", ")
      throw UsageError(
        "The name '\(value.shown)' does not indicate what to write: it must end in one of \(names).",
        command: command)
    }
    self.format = format
  }
}
