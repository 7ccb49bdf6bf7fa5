import CommandLineKit
import MediaFacts
import Trimming

/// What `trim cut` and `trim join` have in common: how a file is cut, verified and published.
struct CutTerms: Sendable {
  var settings: CutSettings
  var audio: AudioMode
  var verification: CutRequest.Verification
  var isDryRun: Bool
  var replaces: Bool
  var keepsFailed: Bool
  var printsJSON: Bool
  var limit: LengthLimit?
  var timeout: Duration?

  init(_ parsed: ParsedArguments, command: String) throws(UsageError) {
    settings = try CutSettings(parsed, command: command)
    audio = parsed.last("audio")?.text.flatMap(AudioMode.init(rawValue:)) ?? .copy
    verification =
      parsed.last("verify")?.text.flatMap(CutRequest.Verification.init(rawValue:)) ?? .edges
    isDryRun = parsed.has("dry-run")
    replaces = parsed.has("force")
    keepsFailed = parsed.has("keep-failed")
    printsJSON = parsed.has("json")
    limit = try LengthLimit(stated: parsed, command: command)
    timeout = try LengthArgument.timeout(parsed, command: command)
  }
}
