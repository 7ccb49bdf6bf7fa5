/// A file argument followed by a range: `clip.mp4#t=10,70.4` (W3C Media Fragments URI 1.0, 4.2.1).
///
/// A file may have such a name; the caller checks, and opens that file if it exists.
public struct MediaFragment: Hashable, Sendable {
  /// The text before the `#`.
  public let path: String
  /// The range written after the `#`; its ends are never negative.
  public let range: TimeRangeExpression

  /// Splits an argument at its last `#` that is followed by `t=`; `nil` if there is none.
  ///
  /// Accepts normal play times: seconds, `mm:ss` and `hh:mm:ss`, each with or without a fraction or
  /// the prefix `npt:`, and with either end left open: `t=10`, `t=,20`. A decimal point needs
  /// digits on both sides here too, although the standard allows `10.`.
  ///
  /// - Throws: ``TimeSyntaxError`` about the text after the `#`.
  public init?(splitting argument: String) throws(TimeSyntaxError) {
    guard let mark = argument.utf8.lastIndex(of: UInt8(ascii: "#")) else { return nil }
    let fragment = argument[argument.utf8.index(after: mark)...]
    guard fragment.utf8.starts(with: "t=".utf8) else { return nil }
    path = String(argument[..<mark])
    range = try Self.range(fragment)
  }

  private static func range(_ text: Substring) throws(TimeSyntaxError) -> TimeRangeExpression {
    var scanner = try TimeScanner(text)
    _ = scanner.take("t=")
    _ = scanner.take("npt:")
    let comma = scanner.offset(of: ",") ?? scanner.end
    let from = try scanner.playTime(scanner.position..<comma)
    let to = try scanner.playTime(min(comma + 1, scanner.end)..<scanner.end)
    if from == nil, to == nil { throw scanner.error(.missingNumber) }
    if let to, to <= from ?? .zero { throw scanner.error(.reversedFragment, at: comma + 1) }
    guard
      let range = TimeRangeExpression(
        from: from.map(TimeExpression.fromStart), to: to.map(TimeExpression.fromStart))
    else { throw scanner.error(.unknownFragment) }
    return range
  }
}

extension TimeScanner {
  /// The time in seconds or clock form in a part of the text; `nil` for an empty part.
  fileprivate func playTime(_ range: Range<Int>) throws(TimeSyntaxError) -> MediaDuration? {
    guard !range.isEmpty else { return nil }
    var part = part(range)
    part.isFragment = true
    // `t=smpte-25:…`, `t=clock:…` and further dimensions are other schemes of the standard.
    guard part.isAtDigit || part.starts(with: "."), offset(of: "&", in: range) == nil,
      case .duration(let time) = try part.takeLength()
    else { throw error(.unknownFragment, at: range.lowerBound) }
    return time
  }

  private func offset(of text: StaticString, in range: Range<Int>) -> Int? {
    part(range).offset(of: text)
  }
}
