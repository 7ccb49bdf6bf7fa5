/// A range of a file as a person writes it: `10..20`, `1:00+30`, `..B`, `A..`.
///
/// ``resolve(in:)`` turns it into a ``MediaTimeRange``. Its description parses back to the same
/// value.
public struct TimeRangeExpression: Hashable, Sendable {
  /// `nil` for an open start: the presented start.
  ///
  /// Never ``TimeExpression/afterFrom(_:)``.
  public let from: TimeExpression?
  /// `nil` for an open end: the presented end.
  public let to: TimeExpression?

  /// `nil` when the range would start relative to itself.
  public init?(from: TimeExpression?, to: TimeExpression?) {
    if case .afterFrom = from { return nil }
    self.from = from
    self.to = to
  }

  /// Reads a range: `A..B`, `A+LENGTH`, `..B`, `A..`, and `..` for the whole file.
  ///
  /// `A+LENGTH` and `A..+LENGTH` are the same.
  ///
  /// - Throws: ``TimeSyntaxError``, with the position in the text.
  public init(parsing text: some StringProtocol) throws(TimeSyntaxError) {
    let scanner = try TimeScanner(text)
    if scanner.starts(with: "+") { throw scanner.error(.relativeToNothing) }
    if let dots = scanner.offset(of: "..") {
      from = try scanner.time(scanner.position..<dots)
      to = try scanner.time(dots + 2..<scanner.end)
    } else if let plus = scanner.offset(of: "+") {
      from = try scanner.time(scanner.position..<plus)
      to = try scanner.time(plus..<scanner.end)
    } else {
      // Text that is not a single time either throws its own error.
      _ = try scanner.time(scanner.position..<scanner.end)
      throw scanner.error(.notRange, at: scanner.end)
    }
  }
}

extension TimeRangeExpression: CustomStringConvertible {
  /// Text that ``init(parsing:)`` reads back as the same value.
  public var description: String {
    if let from, case .afterFrom = to, let to { return "\(from)\(to)" }
    return "\(from.map { "\($0)" } ?? "")..\(to.map { "\($0)" } ?? "")"
  }
}

extension TimeScanner {
  /// The time in a part of the text; `nil` for an empty part.
  fileprivate func time(_ range: Range<Int>) throws(TimeSyntaxError) -> TimeExpression? {
    guard !range.isEmpty else { return nil }
    var part = part(range)
    return try part.takeTime()
  }
}
