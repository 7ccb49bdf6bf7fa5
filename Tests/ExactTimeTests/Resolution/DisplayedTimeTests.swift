import ExactTime
import Support
import Testing

@Suite(.timeLimit(.minutes(1))) struct `Given a time as a screen displays it` {
  static let rates = [
    Rational(24_000, 1001), Rational(24), Rational(25), Rational(30_000, 1001), Rational(30),
    Rational(48), Rational(50), Rational(60_000, 1001), Rational(60), Rational(120),
  ]

  private static func context(_ rate: Rational, from first: MediaTime = .zero) throws
    -> TimelineContext
  {
    var context = TimelineContext(presented: MediaTimeRange(from: .zero, to: MediaTime(400_000)))
    context.frames = try FrameStarts(first: first, framesPerSecond: rate, count: nil)
    return context
  }

  @Test(arguments: rates)
  func `when it is typed then it names the frame that begins there`(_ rate: Rational) throws {
    var generator = SeededGenerator(seed: UInt64(rate.numerator))
    let context = try Self.context(rate)
    let frames = try #require(context.frames)
    for _ in 0..<3000 {
      let start = try frames.start(ofFrame: Int64.random(in: 0...5_000_000, using: &generator))
      let rounding: Rounding = [.nearest, .down, .up].randomElement(using: &generator) ?? .nearest
      let places = Int.random(in: 3...6, using: &generator)
      for text in [
        start.secondsText(places: places, rounding: rounding).text,
        start.clockText(places: places, rounding: rounding).text,
      ] {
        let typed = try TimeExpression(parsing: text).resolve(in: context)
        #expect(typed == start, "\(generator): \(text)")
      }
    }
  }

  @Test func `when no frame begins near it then it is taken literally`() throws {
    let context = try Self.context(Rational(25))
    #expect(try TimeExpression(parsing: "1.239").resolve(in: context) == MediaTime(31, 25))
    #expect(try TimeExpression(parsing: "1.238").resolve(in: context) == MediaTime(1238, 1000))
    // The last digit is a tenth of a millisecond here.
    #expect(try TimeExpression(parsing: "1.2392").resolve(in: context) == MediaTime(12392, 10_000))
  }

  @Test(arguments: ["10.37", "10.4", "10", "10367ms", "3110/300"])
  func `when it has fewer digits or is not decimal then it is taken literally`(
    _ text: String
  ) throws {
    let context = try Self.context(Rational(30))
    let time = try TimeExpression(parsing: text).resolve(in: context)
    let plain = try MediaDuration(parsing: text)
    #expect(time == MediaTime(seconds: plain.seconds))
  }

  @Test func `when the frames are not known then it is taken literally`() throws {
    let context = TimelineContext(presented: nil)
    #expect(try TimeExpression(parsing: "10.367").resolve(in: context) == MediaTime(10367, 1000))
  }
}
