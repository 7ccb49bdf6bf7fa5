import ExactTime

/// Reads the value of an option that takes a length or a time-out.
enum LengthArgument {
  static func parse(
    _ value: ArgumentText, option: String, command: String, allowsZero: Bool = false
  ) throws(UsageError) -> MediaDuration {
    guard let seconds = value.text.flatMap(decimal), allowsZero || seconds.isPositive else {
      throw UsageError(
        "The value '\(value.shown)' is invalid for '--\(option) <time>': "
          + "seconds greater than zero are expected, such as 60.5.", command: command)
    }
    return MediaDuration(seconds: seconds)
  }

  /// Digits with at most one point.
  private static func decimal(_ text: String) -> Rational? {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let fraction = parts.count == 2 ? parts[1] : ""
    let digits = parts[0] + fraction
    guard !parts[0].isEmpty, digits.utf8.count <= 18,
      digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let value = Int128(digits)
    else { return nil }
    let scale = fraction.utf8.reduce(Int128(1)) { scale, _ in scale * 10 }
    return try? Rational(checked: value, over: scale)
  }
}

extension LengthArgument {
  /// A time-out, which is a time of clocks and not of media: to the millisecond, a day at most.
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
