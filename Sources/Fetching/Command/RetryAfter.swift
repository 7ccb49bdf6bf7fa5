/// `Retry-After` (RFC 9110, 10.2.3).
enum RetryAfter {
  /// How long to wait; `nil` for what is not a number of seconds: of a date, the usual pause is as good, as
  /// clocks differ.
  static func pause(_ text: String) -> Duration? {
    guard let seconds = ContentRange.number(text), !text.isEmpty else { return nil }
    return .seconds(min(seconds, 1 << 30))
  }
}
