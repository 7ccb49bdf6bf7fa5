import CommandLineKit
import ExactTime
import Trimming

/// The parsed options of `trim play`, not yet matched with a file.
struct PlayOptions: Sendable {
  enum Clock: String, CaseIterable, Sendable {
    case real, virtual
  }

  /// How pictures are shown.
  enum Pictures: String, CaseIterable, Sendable {
    /// As images where the terminal reports support, otherwise in half blocks.
    case auto
    /// As images, whatever the terminal reports.
    case image
    case blocks
    case none
  }

  var file: ArgumentText
  var part: PartExpression
  /// The playback speed: seconds of media per second.
  var speed: Rational
  /// Passes after which the run ends; `nil` for never.
  var loops: Int?
  /// Whether `--loops inf` was given.
  var isEndless: Bool
  /// Clock time after which the run ends; `nil` for never.
  var stopAfter: Duration?
  var printsEvents: Bool
  var clock: Clock
  var isFirstRun: Bool
  var pictures: Pictures
  /// The maximum number of pictures and positions per second.
  var pictureRate: Int
  var limit: LengthLimit
  /// Whether an option or the variable sets the limit, which the screen can then only lower.
  var isLimitGiven: Bool
  /// How long reading the file may take.
  var timeout: Duration?

  static let command = "play"
  /// Enough to follow a video, and easy on people sensitive to flicker.
  static let calmRate = 15

  /// - Parameter command: the command to name in usage errors.
  init(
    _ parsed: ParsedArguments, command: String = PlayOptions.command
  ) throws(UsageError) {
    guard let file = parsed.positionals.first else {
      throw UsageError("Missing expected argument '<file>'.", command: command)
    }
    let clock = parsed.last("clock")?.text.flatMap(Clock.init(rawValue:)) ?? .real
    self.file = file
    part = try PartExpression(parsed, command: command)
    speed = try Self.speed(parsed.last("speed"))
    loops = try Self.loops(parsed.last("loops"))
    isEndless = parsed.last("loops") == "inf"
    stopAfter = try Self.stopAfter(parsed.last("stop-after"))
    // A virtual clock cannot be watched and needs no screen.
    printsEvents = parsed.has("events") || clock == .virtual
    self.clock = clock
    isFirstRun = parsed.has("first-run")
    pictures =
      parsed.has("simulate")
      ? .none : parsed.last("picture")?.text.flatMap(Pictures.init(rawValue:)) ?? .auto
    pictureRate =
      try NumberArgument.parse(parsed, "picture-rate", in: 1...60, command: command)
      ?? Self.calmRate
    limit = try LengthLimit(parsed, command: command)
    isLimitGiven = parsed.isLimitGiven
    timeout = try LengthArgument.timeout(parsed, command: command)
  }

  /// Requires an end condition: a run without keyboard input must end by itself.
  func requireEnd() throws(UsageError) {
    guard loops == nil, stopAfter == nil, !isEndless else { return }
    throw UsageError(
      "Without a terminal, '--loops <count>' or '--stop-after <time>' is required.",
      command: Self.command)
  }

  private static let speeds = Rational(1, 1000)...Rational(1000)

  private static func speed(_ value: ArgumentText?) throws(UsageError) -> Rational {
    guard let value else { return .one }
    let isPlain = value.bytes.allSatisfy { "0123456789./".utf8.contains($0) }
    guard isPlain, let speed = value.text.flatMap({ try? MediaDuration(parsing: $0) })?.seconds,
      speeds.contains(speed)
    else {
      throw UsageError(
        "The value '\(value.shown)' is invalid for '--speed <factor>': "
          + "a number from 1/1000 to 1000 is expected.", command: command)
    }
    return speed
  }

  private static func loops(_ value: ArgumentText?) throws(UsageError) -> Int? {
    guard let value, value != "inf" else { return nil }
    guard let count = value.text.flatMap({ Int($0) }), (1...1_000_000_000).contains(count) else {
      throw UsageError(
        "The value '\(value.shown)' is invalid for '--loops <count>': "
          + "a number from 1 up, or 'inf', is expected.", command: command)
    }
    return count
  }

  private static func stopAfter(_ value: ArgumentText?) throws(UsageError) -> Duration? {
    guard let value else { return nil }
    guard let length = value.text.flatMap({ try? MediaDuration(parsing: $0) }),
      length.isPositive, let duration = Duration(exactly: length)
    else {
      throw UsageError(
        "The value '\(value.shown)' is invalid for '--stop-after <time>': "
          + "a time such as 90.5 or 1:30 is expected.", command: command)
    }
    return duration
  }
}

extension Duration {
  /// A media length as clock time, rounded up to an attosecond; `nil` beyond a year.
  init?(exactly length: MediaDuration) {
    guard length <= MediaDuration(365 * 86_400) else { return nil }
    let seconds = length.seconds
    let attoseconds = Int128(seconds.numerator) * 1_000_000_000_000_000_000
    let (whole, rest) = attoseconds.quotientAndRemainder(dividingBy: Int128(seconds.denominator))
    self.init(attoseconds: whole + (rest > 0 ? 1 : 0))
  }
}
