/// A point in a film as a person writes it; which instant it is may need the film.
///
/// ``resolve(in:from:)`` turns it into a ``MediaTime``. No payload is negative: what counts
/// backwards has a case of its own. Its description is text that reads back as the same value.
public enum TimeExpression: Hashable, Sendable {
  /// `60.5`, `60.5s`, `90500ms`, `1:00.5`, `00:01:00.500`, `121/2`: after the presented start.
  case fromStart(MediaDuration)
  /// `-10`, `-1:00.5`: before the presented end; `-0` is the end itself.
  case fromEnd(MediaDuration)
  /// `1815f`: the start of this frame, counted from 0 in presentation order.
  case frame(Int64)
  /// `-1f`: the start of the last frame; `-0f` is the end of it.
  case frameFromEnd(Int64)
  /// `00:01:00:15`, or `00:01:00;15` in drop-frame, in the counting of the track.
  case timecode(TimecodeLabel)
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
  /// `in`: the left handle of a trimmer.
  case inPoint
  /// `out`: the right handle of a trimmer.
  case outPoint
  /// `+10`, `+30f`: that much after the start of the range whose end this is.
  case afterFrom(LengthExpression)

  /// Reads a time.
  ///
  /// Blanks around it mean nothing, blanks in it are errors, and words are lower case. Decimals are
  /// exact.
  ///
  /// - Throws: ``TimeSyntaxError``, with the position in the text.
  public init(parsing text: some StringProtocol) throws(TimeSyntaxError) {
    var scanner = try TimeScanner(text)
    self = try scanner.takeTime()
  }
}

extension TimeExpression: CustomStringConvertible {
  /// What ``init(parsing:)`` reads back as the same value.
  public var description: String {
    switch self {
    case .fromStart(let length): "\(LengthExpression.duration(length))"
    case .fromEnd(let length): "-\(LengthExpression.duration(length))"
    case .frame(let number): "\(number)f"
    case .frameFromEnd(let number): "-\(number)f"
    case .timecode(let label): "\(label)"
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
    if take("-") {
      switch try takeLength() {
      case .duration(let length): return .fromEnd(length)
      case .frames(let count): return .frameFromEnd(count)
      case .timecode, .percent: throw error(.notFromEnd, at: start)
      }
    }
    if isAtLetter { return try takeName() }
    switch try takeLength() {
    case .duration(let length): return .fromStart(length)
    case .frames(let number): return .frame(number)
    case .timecode(let label): return .timecode(label)
    case .percent(let share): return .percent(share)
    }
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
