import CommandLineKit
import ExactTime
import MediaEngine
import MediaFacts
import Trimming

/// A file to draw: `trim strip`, `trim wave` and `trim timeline`.
///
/// Times count from its first presented sample, as everywhere on the command line.
struct DrawnMedia: Sendable {
  var path: [UInt8]
  /// The name, safe to display.
  var location: String
  var facts: MediaFacts
  /// The range to draw.
  var part: MediaTimeRange
  /// The whole file, from zero.
  var bounds: MediaTimeRange
  /// The position of zero on the file's own timeline.
  var origin: MediaTime
  /// The deadline for all work.
  var deadline: ContinuousClock.Instant
}

extension DrawnMedia {
  /// The usual time for looking at all of a file: it takes as long as decoding it, which depends on its length.
  static func usualTime(toDecode facts: MediaFacts) -> Duration {
    let reading = Limits.standard.time(forBytes: facts.byteCount)
    guard let length = facts.presentedEnd.flatMap({ try? $0.distance(from: .zero).seconds }),
      let seconds = try? length.multiplied(by: Rational(slowest)).rounded(.up)
    else { return reading }
    return reading + .seconds(min(max(0, seconds), 1 << 32))
  }
  /// How many times as long as its length a file may take.
  private static let slowest: Int64 = 10

  /// A file that was probed before, and is looked at; `nil` where nothing is presented.
  ///
  /// - Parameter part: all of it, where none is given.
  init?(
    _ path: [UInt8], _ facts: MediaFacts, part: MediaTimeRange? = nil, timeout: Duration? = nil
  ) {
    guard let presented = facts.durations.presented, let end = facts.presentedEnd, end > .zero,
      let bounds = MediaTimeRange(from: .zero, to: end)
    else { return nil }
    self.init(
      path: path, location: ForeignText.shown(path), facts: facts, part: part ?? bounds,
      bounds: bounds, origin: presented.start ?? .zero,
      deadline: .now + (timeout ?? Self.usualTime(toDecode: facts)))
  }
}

/// The options of these commands that concern their file.
struct DrawnMediaOptions: Sendable {
  var file: ArgumentText
  var part: PartExpression
  var timeout: Duration?
  let command: String

  init(_ parsed: ParsedArguments, command: String) throws(UsageError) {
    guard let file = parsed.positionals.first else {
      throw UsageError("Missing expected argument '<file>'.", command: command)
    }
    guard !file.isStandardStream else {
      throw UsageError(
        "Standard input cannot be drawn: the file is read in several places.", command: command)
    }
    self.file = file
    self.command = command
    part = try PartExpression(parsed, command: command)
    timeout = try LengthArgument.timeout(parsed, command: command)
  }

  /// Probes the file.
  ///
  /// - Throws: ``PlayedMedia/Failure``: the message and the exit status.
  func media(
    input: PlayInput, with desk: EngineDesk, wantsKeyframes: Bool = false
  ) throws(PlayedMedia.Failure) -> DrawnMedia {
    let start = ContinuousClock.now
    guard case .file(let path) = input.input else {
      throw PlayedMedia.Failure(message: "it is not a file", status: .usage)
    }
    let facts: MediaFacts
    var options = ProbeOptions(
      wantsKeyframes: wantsKeyframes || input.part.needsKeyframes,
      wantsFrames: input.part.namesFrames, timeout: timeout)
    options.numbersKeyframes = input.part.needsKeyframes
    // Without its end, nothing of it can be drawn.
    options.needsLength = true
    do throws(MediaError) {
      facts = try desk.engine.probe(input.input, options) { _ in !desk.isCancelled() }
    } catch {
      throw PlayedMedia.Failure(error)
    }
    let media = try PlayedMedia(facts, location: input.location, part: input.part)
    let usual = Limits.standard.time(
      forBytes: facts.byteCount,
      isRemote: RemoteFiles.isAddress(path) || ServedFiles.isMeant(by: path))
    return DrawnMedia(
      path: path, location: input.location, facts: media.facts, part: media.part,
      bounds: media.bounds,
      origin: facts.durations.presented?.start ?? .zero,
      deadline: start + (timeout ?? usual))
  }
}

extension PlayedMedia.Failure {
  init(_ error: MediaError) {
    self.init(
      message: error.message, hint: error.advice, status: error.exitStatus,
      code: error.code.rawValue)
  }
}

/// The record of a command's failure on a file.
enum FailureRecord {
  static func value(_ failure: PlayedMedia.Failure, input: MediaInput) -> JSONValue {
    .object(
      RecordHead.members(kind: "error", input: input, bytes: nil)
        + JSONValue.members([
          "error": .object([
            "code": .string(failure.code),
            "retryable": .bool(failure.status == .temporaryFailure),
            "message": .string(failure.message), "hint": .optional(failure.hint),
          ])
        ]))
  }
}

extension Console {
  /// Reports a failure on a file, as text and as JSON.
  func report(
    _ failure: PlayedMedia.Failure, on input: PlayInput, asJSON: Bool
  ) -> ExitStatus {
    if asJSON {
      out.write(JSONWriter.write(FailureRecord.value(failure, input: input.input), .indented))
    }
    error("\(input.location): \(ForeignText.shown(failure.message))", hint: failure.hint)
    return failure.status
  }
}
