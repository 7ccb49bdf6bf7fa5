extension TimeScanner {
  /// Reads a length up to the end of the text: a number with its unit or other form.
  mutating func takeLength() throws(TimeSyntaxError) -> LengthExpression {
    let start = position
    if isAtLetter { throw error(.unknownWord(takeWord()), at: start) }
    let whole = try takeDigits()
    if starts(with: ":") { return try takeClock(hours: whole) }
    if take("/") { return try takeFraction(of: whole) }
    let fraction = try takeFraction()
    let number = try decimal(whole, fraction)
    if isAtEnd { return .duration(MediaDuration(seconds: number)) }
    if take("%") { return try percent(number, at: start) }
    return try takeUnits(of: number, whole: fraction == nil ? whole : nil)
  }

  /// `s`, `ms`, `us` or `f` to the end of the text; or hours, minutes and seconds, each at most once,
  /// from large to small.
  ///
  /// `whole` is `nil` for a number with a fraction, which counts no frames and ends the text.
  private mutating func takeUnits(
    of number: Rational, whole: Range<Int>?
  ) throws(TimeSyntaxError) -> LengthExpression {
    let blank = position
    let unit = takeUnitName()
    let start = position - unit.utf8.count
    guard !unit.isEmpty else { throw error(.unexpectedCharacter, at: blank) }
    if unit == "f" {
      try expectEnd()
      guard let whole else { throw error(.unexpectedCharacter, at: start) }
      return .frames(try integer(whole))
    }
    let perSecond: Int64? = ["s": 1, "ms": 1000, "us": 1_000_000][unit]
    let seconds = isFragment ? nil : Self.largeUnits[unit]
    guard let size = perSecond.map({ Rational(1, $0) }) ?? seconds.map({ Rational($0) }) else {
      self = part(start..<end)
      throw error(.unknownUnit(takeWord()), at: start)
    }
    guard var sum = try? number.multiplied(by: size) else {
      throw error(.numberTooLarge, at: start)
    }
    if let seconds, whole != nil { try addSmaller(than: seconds, to: &sum) }
    try expectEnd()
    return .duration(MediaDuration(seconds: sum))
  }

  private static let largeUnits: [String: Int64] = ["h": 3600, "m": 60]

  private mutating func addSmaller(
    than seconds: Int64, to sum: inout Rational
  ) throws(TimeSyntaxError) {
    var last = seconds
    while !isAtEnd, last > 1 {
      skipBlanks()
      let start = position
      let whole = try takeDigits()
      let fraction = try takeFraction()
      let number = try decimal(whole, fraction)
      let unit = takeUnitName()
      guard !unit.isEmpty else { throw error(isAtEnd ? .missingUnit : .unexpectedCharacter) }
      guard let size = unit == "s" ? 1 : Self.largeUnits[unit], size < last else {
        throw error(.unknownUnit(unit), at: position - unit.utf8.count)
      }
      guard let part = try? number.multiplied(by: Rational(size)),
        let longer = try? sum.adding(part)
      else { throw error(.numberTooLarge, at: start) }
      sum = longer
      last = fraction == nil ? size : 1
    }
  }

  private mutating func takeFraction(
    of numerator: Range<Int>
  ) throws(TimeSyntaxError) -> LengthExpression {
    let start = position
    let denominator = try integer(try takeDigits())
    guard denominator != 0 else { throw error(.divisionByZero, at: start) }
    // Both parts fit 64 bits, and reducing a fraction only makes them smaller.
    let value = Rational(try integer(numerator), denominator)
    if take("%") { return try percent(value, at: numerator.lowerBound) }
    _ = take("s")
    try expectEnd()
    return .duration(MediaDuration(seconds: value))
  }

  private func percent(
    _ share: Rational, at start: Int
  ) throws(TimeSyntaxError) -> LengthExpression {
    try expectEnd()
    guard share <= Rational(100) else { throw error(.overHundredPercent, at: start) }
    return .percent(share)
  }

  /// `mm:ss`, `hh:mm:ss` with or without a fraction, or `hh:mm:ss:ff`; the first field was taken.
  ///
  /// The first field has no upper limit: `90:00` is an hour and a half; later fields stop at 59.
  private mutating func takeClock(
    hours first: Range<Int>
  ) throws(TimeSyntaxError) -> LengthExpression {
    var fields = [first]
    while fields.count < 3, take(":") { fields.append(try takeSixtieths()) }
    if fields.count == 3, starts(with: ":") || starts(with: ";") {
      return .timecode(try takeTimecode(fields))
    }
    let fraction = try takeFraction()
    try expectEnd()
    var seconds = try decimal(fields.removeLast(), fraction)
    var unit: Int64 = 60
    for field in fields.reversed() {
      let count = Rational(try integer(field))
      guard let part = try? count.multiplied(by: Rational(unit)),
        let sum = try? seconds.adding(part)
      else { throw error(.numberTooLarge, at: field.lowerBound) }
      seconds = sum
      unit *= 60
    }
    return .duration(MediaDuration(seconds: seconds))
  }

  private mutating func takeSixtieths() throws(TimeSyntaxError) -> Range<Int> {
    let field = try takeDigits()
    guard field.count <= 2 else { throw error(.tooManyDigits, at: field.lowerBound) }
    guard try integer(field) < 60 else { throw error(.sixtyOrMore, at: field.lowerBound) }
    return field
  }

  private mutating func takeTimecode(
    _ clock: [Range<Int>]
  ) throws(TimeSyntaxError) -> TimecodeLabel {
    let isDropFrame = take(";")
    if !isDropFrame { _ = take(":") }
    let frames = try takeDigits()
    if starts(with: ":") || starts(with: ";") { throw error(.tooManyFields) }
    try expectEnd()
    var values: [Int] = []
    for field in clock + [frames] {
      guard let value = Int(exactly: try integer(field)) else {
        throw error(.numberTooLarge, at: field.lowerBound)
      }
      values.append(value)
    }
    do {
      return try TimecodeLabel(
        hours: values[0], minutes: values[1], seconds: values[2], frames: values[3],
        isDropFrame: isDropFrame)
    } catch .droppedLabel(let label) {
      throw error(.droppedLabel(label), at: frames.lowerBound)
    } catch {
      let isHour = values[0] > 23
      throw self.error(
        .timecodeOutOfRange, at: isHour ? clock[0].lowerBound : frames.lowerBound)
    }
  }
}
