/// Reads the value of an option that takes a whole number.
package enum NumberArgument {
  /// - Returns: `nil` if the option is not given.
  package static func parse(
    _ parsed: ParsedArguments, _ option: String, in range: ClosedRange<Int>, command: String
  ) throws(UsageError) -> Int? {
    guard let value = parsed.last(option) else { return nil }
    guard let number = value.text.flatMap({ Int($0) }), range.contains(number) else {
      throw UsageError(
        "The value '\(value.shown)' is invalid for '--\(option) <count>': "
          + "a number from \(range.lowerBound) to \(range.upperBound) is expected.",
        command: command)
    }
    return number
  }
}
