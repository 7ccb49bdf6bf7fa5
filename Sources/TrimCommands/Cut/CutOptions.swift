import MediaEngine
import Trimming

/// What `trim cut` was told, read but not yet matched with a film.
struct CutOptions: Sendable {
  var file: ArgumentText
  var part: PartExpression
  var output: ArgumentText
  var container: OutputContainer
  var mode: CutMode
  var verification: CutRequest.Verification
  var isDryRun: Bool
  var replaces: Bool
  var keepsFailed: Bool
  var printsJSON: Bool
  /// `nil` where no limit was asked for.
  var limit: LengthLimit?

  static let command = "cut"

  init(_ parsed: ParsedArguments) throws(UsageError) {
    guard let file = parsed.positionals.first else {
      throw UsageError("Missing expected argument '<file>'.", command: Self.command)
    }
    self.file = file
    part = try PartExpression(parsed, command: Self.command)
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
    verification =
      parsed.last("verify")?.text.flatMap(CutRequest.Verification.init(rawValue:)) ?? .edges
    isDryRun = parsed.has("dry-run")
    replaces = parsed.has("force")
    keepsFailed = parsed.has("keep-failed")
    printsJSON = parsed.has("json")
    let states = parsed.last("max-length") != nil || parsed.last("min-length") != nil
    limit = states ? try LengthLimit(parsed, command: Self.command) : nil
  }

  /// The container that the ending of a name stands for.
  static func container(of name: some Collection<UInt8>) -> OutputContainer? {
    let bytes = Array(name)
    guard let dot = bytes.lastIndex(of: UInt8(ascii: ".")) else { return nil }
    return OutputContainer(nameEnding: String(decoding: bytes[(dot + 1)...], as: UTF8.self))
  }
}
