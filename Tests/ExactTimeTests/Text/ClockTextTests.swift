import ExactTime
import Support
import Testing

@Suite struct `Given a time to display` {
  @Test(
    arguments: [
      (MediaTime(1006, 10), 3, "0:01:40.600"), (MediaTime(121, 2), 3, "0:01:00.500"),
      (MediaTime(1, 3), 3, "~0:00:00.333"), (MediaTime(2, 3), 3, "~0:00:00.667"),
      (MediaTime(59_9999, 10_000), 3, "~0:01:00.000"), (MediaTime(360_000), 0, "100:00:00"),
      (MediaTime(3_723_004, 1000), 3, "1:02:03.004"), (MediaTime(-3, 2), 3, "-0:00:01.500"),
      (MediaTime(5, 2), 0, "~0:00:02"), (.zero, 3, "0:00:00.000"),
      (MediaTime(-1, 10_000), 3, "~0:00:00.000"),
      (MediaTime(.min), 18, "-2562047788015215:30:08.000000000000000000"),
    ] as [(MediaTime, Int, String)])
  func `then a rounded clock time is marked`(_ time: MediaTime, _ places: Int, _ text: String) {
    #expect("\(time.clockText(places: places, rounding: .nearest))" == text)
  }

  @Test func `then rounding goes in the requested direction`() {
    let length = MediaDuration(60_4999, 10_000)
    #expect(length.secondsText(places: 3, rounding: .down).text == "60.499")
    #expect(length.secondsText(places: 3, rounding: .up).text == "60.500")
    #expect(!length.secondsText(places: 3, rounding: .up).isExact)
    #expect(MediaTime(-1, 2).secondsText(places: 0, rounding: .down).text == "-1")
    #expect(MediaTime(-1, 2).secondsText(places: 0, rounding: .towardZero).text == "0")
  }

  @Test(
    arguments: [
      (Rational(121, 2), "60.5"), (Rational(-1, 8), "-0.125"), (Rational(7), "7"),
      (Rational(1, 1_000_000_000_000_000_000), "0.000000000000000001"), (Rational(1, 3), nil),
      (Rational(1, 1 << 62), nil),
    ] as [(Rational, String?)])
  func `then a decimal number is exact or absent`(_ value: Rational, _ text: String?) {
    #expect(value.exactDecimal == text)
  }

  @Test func `then an exact clock time parses back to the same time`() throws {
    var generator = SeededGenerator(seed: 13)
    for _ in 0..<5000 {
      let length = MediaDuration(Int64.random(in: 0...86_400_000, using: &generator), 1000)
      let text = length.clockText(places: 3, rounding: .nearest)
      #expect(text.isExact)
      #expect(try MediaDuration(parsing: text.text) == length, "\(generator)")
    }
  }
}

@Suite struct `Given any time expression` {
  /// Every case with random payloads: no payload is negative.
  static func random(_ generator: inout SeededGenerator) -> TimeExpression {
    func number(_ range: ClosedRange<Int64>) -> Int64 { .random(in: range, using: &generator) }
    func duration() -> MediaDuration {
      while true {
        let value = generator.rational()
        if !value.isNegative { return MediaDuration(seconds: value) }
      }
    }
    func label() -> TimecodeLabel {
      while true {
        let label = try? TimecodeLabel(
          hours: Int(number(0...23)), minutes: Int(number(0...59)), seconds: Int(number(0...59)),
          frames: Int(number(0...119)), isDropFrame: Bool.random(using: &generator))
        if let label { return label }
      }
    }
    func share() -> Rational {
      let whole = number(1...Int64.max)
      return Rational(number(0...whole), whole)
    }
    func length() -> LengthExpression {
      switch number(0...3) {
      case 0: .duration(duration())
      case 1: .frames(number(0...Int64.max))
      case 2: .timecode(label())
      default: .percent(share())
      }
    }
    switch number(0...12) {
    case 0: return .fromStart(duration())
    case 1:
      return .displayed(
        MediaDuration(number(0...1_000_000_000), 1_000_000), digits: Int(number(6...12)))
    case 2: return .fromEnd(duration())
    case 3: return .frame(number(0...Int64.max))
    case 4: return .frameFromEnd(number(0...Int64.max))
    case 5: return .timecode(label())
    case 6: return .percent(share())
    case 7: return .keyframe(number(1...Int64.max))
    case 8: return .chapter(number(1...Int64.max))
    case 9: return [.start, .end, .inPoint, .outPoint][Int(number(0...3))]
    default: return .afterFrom(length())
    }
  }

  @Test func `then its printed form parses back to the same expression`() throws {
    var generator = SeededGenerator(seed: 14)
    for _ in 0..<20_000 {
      let time = Self.random(&generator)
      #expect(try TimeExpression(parsing: "\(time)") == time, "\(generator)")
    }
  }

  @Test func `then a range of two of them parses back, too`() throws {
    var generator = SeededGenerator(seed: 15)
    for _ in 0..<20_000 {
      let from = Bool.random(using: &generator) ? Self.random(&generator) : nil
      let to = Bool.random(using: &generator) ? Self.random(&generator) : nil
      guard let range = TimeRangeExpression(from: from, to: to) else { continue }
      #expect(try TimeRangeExpression(parsing: "\(range)") == range, "\(generator)")
    }
  }
}
