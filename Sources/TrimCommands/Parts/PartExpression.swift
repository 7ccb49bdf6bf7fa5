import CommandLineKit
import ExactTime

/// `--from`, and `--to` or `--for`: one part of a file.
struct PartExpression: Sendable, Equatable {
  enum End: Sendable, Equatable {
    case open
    case to(TimeExpression)
    case lasting(LengthExpression)
  }

  var from: TimeExpression?
  var end: End

  init(from: TimeExpression? = nil, end: End = .open) {
    self.from = from
    self.end = end
  }

  init(_ parsed: ParsedArguments, command: String) throws(UsageError) {
    if parsed.last("to") != nil, parsed.last("for") != nil {
      throw UsageError("'--to' and '--for' cannot be used together.", command: command)
    }
    from = try Self.read(parsed.last("from"), "--from", command) {
      (text) throws(TimeSyntaxError) in try TimeExpression(parsing: text)
    }
    if case .afterFrom = from {
      throw UsageError(
        "'--from' cannot start with '+': there is nothing to add it to.", command: command)
    }
    let to = try Self.read(parsed.last("to"), "--to", command) {
      (text) throws(TimeSyntaxError) in try TimeExpression(parsing: text)
    }
    let length = try Self.read(parsed.last("for"), "--for", command) {
      (text) throws(TimeSyntaxError) in try LengthExpression(parsing: text)
    }
    end = to.map { .to($0) } ?? length.map { .lasting($0) } ?? .open
  }

  /// A part written as one word: `A..B` or `A+LENGTH`.
  ///
  /// - Throws: ``UsageError`` with the position in the text.
  init(keeping word: ArgumentText, option: String, command: String) throws(UsageError) {
    let range = try Self.read(word, option, command) {
      (text) throws(TimeSyntaxError) in try TimeRangeExpression(parsing: text)
    }
    self.init(from: range?.from, end: range?.to.map { .to($0) } ?? .open)
  }

  /// Resolves the part for a file.
  ///
  /// - Throws: ``TimeResolutionError``: for something unknown or absent, or an end that is not
  ///   after the start.
  func resolve(in context: TimelineContext) throws(TimeResolutionError) -> MediaTimeRange {
    let start = try (from ?? .start).resolve(in: context)
    let stop: MediaTime
    switch end {
    case .open: stop = try TimeExpression.end.resolve(in: context)
    case .to(let time): stop = try time.resolve(in: context, from: start)
    case .lasting(let length): stop = try length.end(from: start, in: context)
    }
    guard start < stop, let range = MediaTimeRange(from: start, to: stop) else {
      throw .notForward(from: start, to: stop)
    }
    return range
  }

  /// Whether frame times may be needed: they are only determined then, since that takes all
  /// packets.
  var namesFrames: Bool {
    if from?.namesFrames == true { return true }
    return switch end {
    case .open: false
    case .to(let time): time.namesFrames
    case .lasting(let length): length.countsFrames
    }
  }

  private static func read<Value>(
    _ value: ArgumentText?, _ option: String, _ command: String,
    _ parse: (String) throws(TimeSyntaxError) -> Value
  ) throws(UsageError) -> Value? {
    guard let value else { return nil }
    guard let text = value.text else {
      throw UsageError("The value '\(value.shown)' of '\(option)' is not text.", command: command)
    }
    do throws(TimeSyntaxError) {
      return try parse(text)
    } catch {
      let diagram = error.caretDiagram.split(separator: "\n").map { "  \($0)" }
      throw UsageError(
        "'\(value.shown)' is not a time for '\(option)': \(error.reason). Try 1:05.5, start, end.\n"
          + diagram.joined(separator: "\n"),
        command: command)
    }
  }
}
