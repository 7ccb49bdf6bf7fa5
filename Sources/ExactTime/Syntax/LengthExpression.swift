/// A length as a person writes it, `60.5`, `1:00.5`, `30f` or `50%`; its value may depend on the
/// file.
///
/// No part of it is negative.
public enum LengthExpression: Hashable, Sendable {
  /// `60.5`, `60,5 s`, `90500ms`, `500us`, `1:00.5`, `0:01:00.500`, `1m0.5s`, `2h`, `121/2`.
  case duration(MediaDuration)
  /// `30f`: that many frames in presentation order, at least 0.
  case frames(Int64)
  /// `00:00:10:00`: the frames from midnight to this label.
  case timecode(TimecodeLabel)
  /// `50%` of the presented length, 0…100.
  case percent(Rational)

  /// Reads a length.
  ///
  /// - Throws: ``TimeSyntaxError``, with the position in the text.
  public init(parsing text: some StringProtocol) throws(TimeSyntaxError) {
    var scanner = try TimeScanner(text)
    self = try scanner.takeLength()
  }
}

extension LengthExpression: CustomStringConvertible {
  /// Text that ``init(parsing:)`` reads back as the same value.
  public var description: String {
    switch self {
    case .duration(let length): length.seconds.shortest
    case .frames(let count): "\(count)f"
    case .timecode(let label): "\(label)"
    case .percent(let share): "\(share.shortest)%"
    }
  }
}

extension MediaDuration {
  /// Reads a length that depends on no file: seconds, a clock time or a fraction.
  ///
  /// - Throws: ``TimeSyntaxError``, with the position in the text.
  public init(parsing text: some StringProtocol) throws(TimeSyntaxError) {
    var scanner = try TimeScanner(text)
    let start = scanner.position
    guard case .duration(let length) = try scanner.takeLength() else {
      throw scanner.error(.notPlainLength, at: start)
    }
    self = length
  }
}

extension Rational {
  /// A decimal number where the value has one, otherwise the fraction.
  var shortest: String { exactDecimal ?? description }
}
