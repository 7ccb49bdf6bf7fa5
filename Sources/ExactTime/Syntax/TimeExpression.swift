/// A point in a file as a person writes it; which instant it is may depend on the file.
///
/// ``resolve(in:from:)`` turns it into a ``MediaTime``. No payload is negative: times counted backwards have
/// separate cases. Its description parses back to the same value.
public enum TimeExpression: Hashable, Sendable {
  /// `60.5`, `60,5 s`, `90500ms`, `1:00.5`, `1m0.5s`, `121/2`: after the presented start.
  case fromStart(MediaDuration)
  /// `60.033`, `00:01:00.033`: a time as displayed, with three or more digits after the decimal point; it
  /// means the frame that begins within one unit of the last digit, if any.
  case displayed(MediaDuration, digits: Int)
  /// `-10`, `-1:00.5`: before the presented end; `-0` is the end itself.
  case fromEnd(MediaDuration)
  /// `1815f`: the start of this frame, counted from 0 in presentation order.
  case frame(Int64)
  /// `-1f`: the start of the last frame; `-0f` is the end of it.
  case frameFromEnd(Int64)
  /// `00:01:00:15`, or `00:01:00;15` in drop-frame: a label of the file's own timecode where it has
  /// one, else counted from its first frame.
  case timecode(TimecodeLabel)
  /// `tc:01:00:00:15`: the frame with this label in the file's own timecode, which the file must have.
  case sourceTimecode(TimecodeLabel)
  /// `50%` of the way through the presented range, 0…100.
  case percent(Rational)
  /// `k12`: a keyframe, counted from 1 in presentation order.
  case keyframe(Int64)
  /// `#3`: the start of a chapter, counted from 1.
  case chapter(Int64)
  /// `start`: the presented start.
  case start
  /// `end`: the presented end.
  case end
  /// `in`: the in point of a trimmer.
  case inPoint
  /// `out`: the out point of a trimmer.
  case outPoint
  /// `+10`, `+30f`: that much after the start of the range that this is the end of.
  case afterFrom(LengthExpression)

  /// Reads a time.
  ///
  /// Blanks around the text and before units are ignored, and words are lower case. Decimals are exact;
  /// a decimal comma is a point.
  ///
  /// - Throws: ``TimeSyntaxError``, with the position in the text.
  public init(parsing text: some StringProtocol) throws(TimeSyntaxError) {
    var scanner = try TimeScanner(text)
    self = try scanner.takeTime()
  }
}

extension TimeExpression: CustomStringConvertible {
  /// Text that ``init(parsing:)`` reads back as the same value.
  public var description: String {
    switch self {
    // A decimal of three digits would read back as a displayed time.
    case .fromStart(let length):
      (length.seconds.exactDecimal?.split(separator: ".").dropFirst().last?.utf8.count ?? 0) < 3
        ? "\(LengthExpression.duration(length))" : length.seconds.description
    case .displayed(let length, let digits):
      length.seconds.decimalText(places: digits, rounding: .nearest).text
    case .fromEnd(let length): "-\(LengthExpression.duration(length))"
    case .frame(let number): "\(number)f"
    case .frameFromEnd(let number): "-\(number)f"
    case .timecode(let label): "\(label)"
    case .sourceTimecode(let label): "tc:\(label)"
    case .percent(let share): "\(LengthExpression.percent(share))"
    case .keyframe(let number): "k\(number)"
    case .chapter(let number): "#\(number)"
    case .start: "start"
    case .end: "end"
    case .inPoint: "in"
    case .outPoint: "out"
    case .afterFrom(let length): "+\(length)"
    }
  }
}

extension TimeScanner {
  /// Reads a time up to the end of the text.
  mutating func takeTime() throws(TimeSyntaxError) -> TimeExpression {
    let start = position
    if take("+") { return .afterFrom(try takeLength()) }
    if take("#") { return .chapter(try takeCount()) }
    if take("tc:") { return .sourceTimecode(try takeLabel(after: start)) }
    if take("-") {
      switch try takeLength() {
      case .duration(let length): return .fromEnd(length)
      case .frames(let count): return .frameFromEnd(count)
      case .timecode, .percent: throw error(.notFromEnd, at: start)
      }
    }
    if isAtLetter { return try takeName() }
    switch try takeLength() {
    case .duration(let length):
      let digits = fractionDigits(from: start)
      return digits < 3 ? .fromStart(length) : .displayed(length, digits: digits)
    case .frames(let number): return .frame(number)
    case .timecode(let label): return .timecode(label)
    case .percent(let share): return .percent(share)
    }
  }

  private mutating func takeLabel(after start: Int) throws(TimeSyntaxError) -> TimecodeLabel {
    guard isAtDigit, case .timecode(let label) = try takeLength() else {
      throw error(.notTimecode, at: start)
    }
    return label
  }

  private mutating func takeName() throws(TimeSyntaxError) -> TimeExpression {
    let start = position
    if take("k"), isAtDigit { return .keyframe(try takeCount()) }
    self = part(start..<end)
    let word = takeWord()
    let names: [String: TimeExpression] = [
      "start": .start, "end": .end, "in": .inPoint, "out": .outPoint,
    ]
    guard let time = names[word] else { throw error(.unknownWord(word), at: start) }
    try expectEnd()
    return time
  }

  /// A number counted from 1, up to the end of the text.
  private mutating func takeCount() throws(TimeSyntaxError) -> Int64 {
    let start = position
    let count = try integer(try takeDigits())
    try expectEnd()
    guard count > 0 else { throw error(.countedFromOne, at: start) }
    return count
  }
}
