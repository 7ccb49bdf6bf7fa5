/// `Retry-After` (RFC 9110, 10.2.3).
enum RetryAfter {
  /// How long to wait: a number of seconds, or until a time.
  ///
  /// - Parameter sent: when the answer was made, by the clock of its server (`Date`, RFC 9110, 6.6.1): this
  ///   machine's may be wrong.
  /// - Returns: `nil` for anything else.
  static func pause(_ text: String, sent: String?) -> Duration? {
    if let seconds = ContentRange.number(text), !text.isEmpty { return bounded(seconds) }
    guard let end = HTTPDate.seconds(text), let start = sent.flatMap({ HTTPDate.seconds($0) })
    else { return nil }
    return bounded(max(0, end - start))
  }

  private static func bounded(_ seconds: Int64) -> Duration { .seconds(min(seconds, 1 << 30)) }
}
