import CommandLineKit
import Detection
import EditLists
import ExactTime
import MediaEngine
import MediaFacts

/// `trim find -o LIST`: what was found, as a list that other programs read, and `trim cut --cuts`.
struct FoundList: Sendable {
  private let output: ArgumentText
  private let format: EditListFormat
  private let replaces: Bool

  /// - Returns: `nil` without `--output`.
  init?(_ parsed: ParsedArguments, command: String) throws(UsageError) {
    guard let output = parsed.last("output"), !output.bytes.isEmpty else {
      for option in ["as", "force"] where parsed.has(option) || parsed.last(option) != nil {
        throw UsageError("'--\(option)' needs '--output'.", command: command)
      }
      return nil
    }
    guard !output.isStandardStream || !parsed.has("json") else {
      throw UsageError(
        "'--json' and '-o -' both write to standard output: name a file.", command: command)
    }
    self.output = output
    format = try ListConversion.format(of: output, parsed, command: command)
    replaces = parsed.has("force")
  }

  var isStandardStream: Bool { output.isStandardStream }

  /// Writes what was found; the parts are named after what they are, where the format has names.
  ///
  /// - Returns: what was written, for people.
  func write(
    _ findings: [Finding], of media: DrawnMedia, to console: Console
  ) throws(PlayedMedia.Failure) -> String {
    let text = Array(try written(findings, of: media).text.utf8)
    if output.isStandardStream {
      console.out.write(text)
    } else {
      try ResultFile(output.bytes, replaces: replaces, madeFrom: media.path).publish(text)
    }
    let name = ForeignText.shown(output.bytes, asciiOnly: !console.outTraits.isUTF8)
    return "\(name): \(format.name), \(CountText.of(findings.count, "part"))"
  }

  private func written(
    _ findings: [Finding], of media: DrawnMedia
  ) throws(PlayedMedia.Failure) -> EditListFormat.Written {
    // A format lists either what is kept or what is removed, and has names or not.
    let lists = [true, false].map { hasNames in
      EditList(
        sources: [EditList.Source(hint: String(decoding: media.path, as: UTF8.self))],
        parts: findings.map {
          EditList.Part(
            $0.range, name: hasNames ? $0.kind.rawValue : nil, isKept: format.listsWhatIsKept)
        })
    }
    return try format.written(firstOf: lists, of: media.facts).written
  }
}
