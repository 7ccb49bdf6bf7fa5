import CommandLineKit
import ExactTime

/// Reads the value of an option that takes a length or a timeout.
enum LengthArgument {
  /// - Parameter allowsZero: whether zero is allowed.
  static func parse(
    _ value: ArgumentText, option: String, command: String, allowsZero: Bool = false
  ) throws(UsageError) -> MediaDuration {
    let complaint = "The value '\(value.shown)' is invalid for '--\(option) <time>'"
    guard let text = value.text else {
      throw UsageError("\(complaint): it is not text.", command: command)
    }
    let length: MediaDuration
    do throws(TimeSyntaxError) {
      length = try MediaDuration(parsing: text)
    } catch {
      let reason = ForeignText.shown(error.reason.description, asciiOnly: true)
      throw UsageError(
        "\(complaint): \(reason).", command: command, diagram: error.caretDiagram)
    }
    guard length.isPositive || (allowsZero && length == .zero) else {
      throw UsageError("\(complaint): it must be greater than zero.", command: command)
    }
    return length
  }

  /// Reads `--timeout`, if given.
  static func timeout(
    _ parsed: ParsedArguments, command: String
  ) throws(UsageError) -> Duration? {
    try parsed.last("timeout").map { (value) throws(UsageError) in
      try timeout(value, option: "timeout", command: command)
    }
  }

  /// Reads a timeout, which is clock time rather than media time: in milliseconds, one day at most.
  static func timeout(
    _ value: ArgumentText, option: String, command: String
  ) throws(UsageError) -> Duration {
    let length = try parse(value, option: option, command: command)
    let day = MediaDuration(86_400)
    guard let thousand = try? min(length, day).seconds.multiplied(by: Rational(1000)),
      let milliseconds = try? thousand.rounded(.up)
    else { return .seconds(86_400) }
    return .milliseconds(milliseconds)
  }
}
