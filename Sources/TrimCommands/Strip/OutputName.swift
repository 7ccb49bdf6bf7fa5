import CommandLineKit

/// Where a result goes, and what its name says it is.
struct OutputName<Format: RawRepresentable & CaseIterable & Sendable>: Sendable
where Format.RawValue == String {
  var path: [UInt8]
  var format: Format
  /// Whether a file of that name may be replaced.
  var replaces: Bool

  /// Reads `--output` and `--force`.
  ///
  /// - Parameter endings: other endings of names, besides the formats' own.
  init(
    _ parsed: ParsedArguments, endings: [String: Format] = [:], command: String
  ) throws(UsageError) {
    guard let value = parsed.last("output"), !value.bytes.isEmpty else {
      throw UsageError("Missing expected option '--output <file>'.", command: command)
    }
    var known = endings
    for format in Format.allCases { known[format.rawValue] = format }
    let ending = value.bytes.lastIndex(of: UInt8(ascii: ".")).map {
      String(decoding: value.bytes[($0 + 1)...], as: UTF8.self).lowercased()
    }
    guard let format = ending.flatMap({ known[$0] }) else {
      let names = known.keys.sorted().map { ".\($0)" }.joined(separator: ", ")
      throw UsageError(
        "The name '\(value.shown)' does not say what to write: it must end in one of \(names).",
        command: command)
    }
    path = value.bytes
    self.format = format
    replaces = parsed.has("force")
  }
}
