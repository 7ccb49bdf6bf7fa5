/// Reads a text byte by byte; a valid time is all ASCII.
struct TimeScanner {
  private let text: String
  private let bytes: [UInt8]
  private(set) var position: Int
  private(set) var end: Int
  /// Set for media fragments, whose standard knows neither decimal commas nor `5m` and `10 s`.
  var isFragment = false

  /// - Throws: ``TimeSyntaxError`` for an empty text, or one too long to be a time.
  init(_ text: some StringProtocol) throws(TimeSyntaxError) {
    let limit = TimeSyntaxError.longestText
    bytes = Array(text.utf8.prefix(limit + 1))
    self.text = String(decoding: bytes.prefix(limit), as: UTF8.self)
    position = 0
    end = bytes.count
    guard end <= limit else { throw error(.tooLong, at: limit) }
    guard bytes.contains(where: { !Self.isBlank($0) }) else { throw error(.empty, at: 0) }
    // Blanks around a time come from the shell or a text field, and are ignored.
    while Self.isBlank(bytes[position]) { position += 1 }
    while Self.isBlank(bytes[end - 1]) { end -= 1 }
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == 9 }

  func error(_ reason: TimeSyntaxError.Reason, at offset: Int) -> TimeSyntaxError {
    TimeSyntaxError(reason: reason, text: text, offset: offset)
  }

  func error(_ reason: TimeSyntaxError.Reason) -> TimeSyntaxError { error(reason, at: position) }

  /// The same text between two offsets.
  func part(_ range: Range<Int>) -> TimeScanner {
    var part = self
    part.position = range.lowerBound
    part.end = range.upperBound
    return part
  }

  // MARK: Looking

  var isAtEnd: Bool { position == end }

  var next: UInt8? { isAtEnd ? nil : bytes[position] }

  func starts(with text: StaticString) -> Bool {
    text.withUTF8Buffer { bytes[position..<end].starts(with: $0) }
  }

  /// The offset of the first `text` from here on.
  func offset(of text: StaticString) -> Int? {
    (position..<end).first { part($0..<end).starts(with: text) }
  }

  var isAtDigit: Bool { next.map(Self.isDigit) ?? false }

  var isAtLetter: Bool { next.map(Self.isLetter) ?? false }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  // MARK: Taking

  mutating func take(_ text: StaticString) -> Bool {
    guard starts(with: text) else { return false }
    position += text.utf8CodeUnitCount
    return true
  }

  /// Takes one or more digits.
  mutating func takeDigits() throws(TimeSyntaxError) -> Range<Int> {
    let start = position
    while isAtDigit { position += 1 }
    guard position > start else {
      throw error(
        isAtEnd ? .missingNumber : isAtPoint ? .pointWithoutDigits : .unexpectedCharacter)
    }
    return start..<position
  }

  /// Takes a decimal point, or the comma of many languages, and the digits after it.
  mutating func takeFraction() throws(TimeSyntaxError) -> Range<Int>? {
    guard isAtPoint else { return nil }
    position += 1
    guard isAtDigit else { throw error(.pointWithoutDigits, at: position - 1) }
    return try takeDigits()
  }

  private var isAtPoint: Bool { starts(with: ".") || !isFragment && starts(with: ",") }

  mutating func skipBlanks() {
    while let next, Self.isBlank(next) { position += 1 }
  }

  /// Takes the name of a unit, which blanks may precede; empty, and nothing is taken, if there is none.
  mutating func takeUnitName() -> String {
    let start = position
    if !isFragment { skipBlanks() }
    let name = position
    while isAtLetter { position += 1 }
    if position == name { position = start }
    return String(decoding: bytes[name..<max(name, position)], as: UTF8.self)
  }

  /// Takes a run of letters and digits: a word for a time, or a unit.
  mutating func takeWord() -> String {
    let start = position
    while isAtLetter || isAtDigit { position += 1 }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  func expectEnd() throws(TimeSyntaxError) {
    guard isAtEnd else { throw error(.unexpectedCharacter) }
  }

  /// The number of digits after the decimal point in what was taken since an offset; none for
  /// milliseconds and the like, which are not displayed times.
  func fractionDigits(from start: Int) -> Int {
    let taken = bytes[start..<position]
    guard let point = taken.firstIndex(where: { ".,".utf8.contains($0) }) else { return 0 }
    let digits = taken[(point + 1)...].prefix(while: Self.isDigit)
    let unit = taken[digits.endIndex...].drop(while: Self.isBlank)
    return unit.isEmpty || unit.elementsEqual("s".utf8) ? min(digits.count, 18) : 0
  }

  // MARK: Numbers

  func integer(_ digits: Range<Int>) throws(TimeSyntaxError) -> Int64 {
    var hasOverflow = false
    let value = accumulate(digits, &hasOverflow)
    guard !hasOverflow, let value = Int64(exactly: value) else {
      throw error(.numberTooLarge, at: digits.lowerBound)
    }
    return value
  }

  /// The exact value of `whole.fraction`; trailing zeros do not count against the limit.
  func decimal(
    _ whole: Range<Int>, _ fraction: Range<Int>?
  ) throws(TimeSyntaxError) -> Rational {
    var places = fraction ?? whole.upperBound..<whole.upperBound
    while !places.isEmpty, bytes[places.upperBound - 1] == UInt8(ascii: "0") {
      places = places.lowerBound..<places.upperBound - 1
    }
    // More would be displayed rounded and not read back as the same value.
    guard places.count <= 18 else { throw error(.numberTooLarge, at: whole.lowerBound) }
    // Digits of both parts as one whole number, over a power of ten.
    var scale: Int128 = 1
    var hasOverflow = false
    for _ in places { scale = Self.product(scale, 10, &hasOverflow) }
    var sum = Self.product(accumulate(whole, &hasOverflow), scale, &hasOverflow)
    sum = Self.sum(sum, accumulate(places, &hasOverflow), &hasOverflow)
    guard !hasOverflow, let value = try? Rational(checked: sum, over: scale) else {
      throw error(.numberTooLarge, at: whole.lowerBound)
    }
    return value
  }

  private func accumulate(_ digits: Range<Int>, _ hasOverflow: inout Bool) -> Int128 {
    var value: Int128 = 0
    for byte in bytes[digits] {
      let shifted = Self.product(value, 10, &hasOverflow)
      value = Self.sum(shifted, Int128(byte - UInt8(ascii: "0")), &hasOverflow)
    }
    return value
  }

  private static func product(_ a: Int128, _ b: Int128, _ hasOverflow: inout Bool) -> Int128 {
    let (value, overflow) = a.multipliedReportingOverflow(by: b)
    hasOverflow = hasOverflow || overflow
    return value
  }

  private static func sum(_ a: Int128, _ b: Int128, _ hasOverflow: inout Bool) -> Int128 {
    let (value, overflow) = a.addingReportingOverflow(b)
    hasOverflow = hasOverflow || overflow
    return value
  }
}
