import ExactTime
import Testing

@Suite struct `Given a time as a person writes it` {
  struct Spelling: Sendable, CustomTestStringConvertible {
    let text: String
    let meaning: TimeExpression
    let testDescription: String

    init(_ text: String, _ meaning: TimeExpression, _ words: String) {
      self.text = text
      self.meaning = meaning
      testDescription = "\(text) is \(words)"
    }
  }

  static func seconds(_ numerator: Int64, _ denominator: Int64 = 1) -> TimeExpression {
    .fromStart(MediaDuration(numerator, denominator))
  }

  static func displayed(
    _ numerator: Int64, _ denominator: Int64, _ digits: Int
  ) -> TimeExpression {
    .displayed(MediaDuration(numerator, denominator), digits: digits)
  }

  static let spellings: [Spelling] = [
    // Seconds; a decimal number is the exact fraction.
    Spelling("60.5", seconds(121, 2), "60.5 seconds after the start, exactly 121/2"),
    Spelling("60.5s", seconds(121, 2), "the same with its unit"),
    Spelling("90500ms", seconds(181, 2), "90.5 seconds in milliseconds"),
    Spelling("0.5ms", seconds(1, 2000), "half a millisecond"),
    Spelling("33366us", seconds(33_366, 1_000_000), "33,366 microseconds"),
    Spelling("0", seconds(0), "the start"),
    Spelling("007", seconds(7), "7 seconds: zeros in front mean nothing"),
    Spelling("0.1", seconds(1, 10), "a tenth, which no Double is"),
    Spelling("2.50000000000000000000000000", displayed(5, 2, 18), "2.5: zeros behind cost nothing"),
    Spelling(
      "0.000000000000000001", displayed(1, 1_000_000_000_000_000_000, 18), "18 places, exact"),
    // Clock times; only the first field may exceed 59.
    Spelling("1:00.5", seconds(121, 2), "one minute and half a second"),
    Spelling("00:01:00.500", displayed(121, 2, 3), "as a screen displays it"),
    Spelling("1:02:03.004", displayed(3_723_004, 1000, 3), "1 h 2 min 3.004 s"),
    Spelling("90:00", seconds(5400), "ninety minutes"),
    Spelling("100:00:00", seconds(360_000), "a hundred hours"),
    Spelling("1:5", seconds(65), "one minute five"),
    // As people of many languages write them.
    Spelling("12,5", seconds(25, 2), "12.5 seconds, with a decimal comma"),
    Spelling("00:01:00,500", displayed(121, 2, 3), "the time in a subtitle file"),
    Spelling("10 s", seconds(10), "10 seconds, with a blank before the unit"),
    Spelling("10.500 s", displayed(21, 2, 3), "a displayed time with its unit"),
    Spelling("5m", seconds(300), "5 minutes"),
    Spelling("1.5h", seconds(5400), "an hour and a half"),
    Spelling("1h2m3s", seconds(3723), "1 h 2 min 3 s"),
    Spelling("1h 2m 3,5s", seconds(7447, 2), "the same with blanks, and half a second more"),
    Spelling("1h3s", seconds(3603), "an hour and three seconds"),
    Spelling("90m", seconds(5400), "ninety minutes"),
    Spelling("-1m30s", .fromEnd(MediaDuration(90)), "90 seconds before the end"),
    // Fractions.
    Spelling("121/2", seconds(121, 2), "exactly 121/2 seconds"),
    Spelling("1001/30000s", seconds(1001, 30000), "one NTSC frame"),
    Spelling("4/2", seconds(2), "2 seconds: fractions are reduced"),
    // Timecode.
    Spelling("00:01:00:15", .timecode(TimecodeLabel(given: 0, 1, 0, 15)), "the frame labelled so"),
    Spelling("1:02:03:04", .timecode(TimecodeLabel(given: 1, 2, 3, 4)), "a label without its zero"),
    Spelling(
      "00:01:00;15", .timecode(TimecodeLabel(given: 0, 1, 0, 15, isDropFrame: true)),
      "a drop-frame label, by its ';'"),
    Spelling(
      "00:10:00;00", .timecode(TimecodeLabel(given: 0, 10, 0, 0, isDropFrame: true)),
      "there, since each tenth minute keeps all labels"),
    // Frames, keyframes, chapters, percent.
    Spelling("1815f", .frame(1815), "frame 1815, counted from 0 as they are shown"),
    Spelling("k12", .keyframe(12), "the twelfth keyframe, counted from 1"),
    Spelling("#3", .chapter(3), "the start of the third chapter"),
    Spelling("50%", .percent(Rational(50)), "half-way through"),
    Spelling("33.3%", .percent(Rational(333, 10)), "33.3 % of the way, exactly"),
    Spelling("100/3%", .percent(Rational(100, 3)), "a third of the way"),
    // From the end.
    Spelling("-10", .fromEnd(MediaDuration(10)), "10 seconds before the end"),
    Spelling("-1:00.5", .fromEnd(MediaDuration(121, 2)), "60.5 seconds before the end"),
    Spelling("-1/3", .fromEnd(MediaDuration(1, 3)), "a third of a second before the end"),
    Spelling("-0", .fromEnd(.zero), "the end itself"),
    Spelling("-1f", .frameFromEnd(1), "the last frame"),
    // Words.
    Spelling("start", .start, "the first presented instant"),
    Spelling("end", .end, "the presented end"),
    Spelling("in", .inPoint, "the trimmer's left handle"),
    Spelling("out", .outPoint, "the trimmer's right handle"),
    // Relative to the range's start.
    Spelling("+10", .afterFrom(.duration(MediaDuration(10))), "10 seconds after FROM"),
    Spelling("+1:00.5", .afterFrom(.duration(MediaDuration(121, 2))), "60.5 seconds after FROM"),
    Spelling("+30f", .afterFrom(.frames(30)), "30 frames after FROM"),
    Spelling("+25%", .afterFrom(.percent(Rational(25))), "a quarter of the clip after FROM"),
    Spelling(
      "+00:00:10:00", .afterFrom(.timecode(TimecodeLabel(given: 0, 0, 10, 0))),
      "10 s of labels after FROM"),
    // Surrounding blanks.
    Spelling("  10\t", seconds(10), "10 seconds: blanks around it mean nothing"),
  ]

  @Test(arguments: spellings) func `then it parses to the expected time`(_ spelling: Spelling)
    throws
  {
    #expect(try TimeExpression(parsing: spelling.text) == spelling.meaning)
  }

  @Test(arguments: spellings)
  func `then its printed form parses to the same value`(_ spelling: Spelling) throws {
    #expect(try TimeExpression(parsing: "\(spelling.meaning)") == spelling.meaning)
  }

  @Suite struct `When a plain length is required` {
    @Test(arguments: ["60.5", "1:00.5", "121/2", "60500ms", "0:01:00.5"])
    func `then seconds, clock times and fractions are accepted`(_ text: String) throws {
      #expect(try MediaDuration(parsing: text) == MediaDuration(121, 2))
    }

    @Test(arguments: ["30f", "50%", "00:00:10:00"])
    func `then a form that needs a file is refused`(_ text: String) {
      let error = #expect(throws: TimeSyntaxError.self) { try MediaDuration(parsing: text) }
      #expect(error?.reason == .notPlainLength)
    }

    @Test func `then a sign is refused, since lengths are unsigned`() {
      #expect(throws: TimeSyntaxError.self) { try MediaDuration(parsing: "-10") }
      #expect(throws: TimeSyntaxError.self) { try LengthExpression(parsing: "+10") }
    }
  }
}
