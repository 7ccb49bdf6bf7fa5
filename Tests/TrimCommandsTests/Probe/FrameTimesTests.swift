import CommandLineKit
import ExactTime
import Testing

@Suite struct `Given frames that are listed with their times` {
  private func times(_ rate: Int64, count: Int64 = 30) -> [Rational] {
    (0..<count).map { Rational($0, rate) }
  }

  @Test(
    arguments: [(25, 3), (999, 3), (1000, 4), (5000, 4), (30_000, 5), (90_000, 5)]
      as [(Int64, Int)])
  func `then enough digits are shown to tell them apart`(_ rate: Int64, _ places: Int) {
    #expect(DecimalText.places(tellingApart: times(rate)) == places)
  }

  @Test func `then at least three and at most nine are shown`() {
    #expect(DecimalText.places(tellingApart: times(10_000_000_000)) == 9)
    #expect(DecimalText.places(tellingApart: times(1)) == 3)
    #expect(DecimalText.places(tellingApart: []) == 3)
    #expect(DecimalText.places(tellingApart: [.zero, .zero]) == 3)
  }

  @Test(arguments: [25, 999, 1000, 2997, 5000, 44_100] as [Int64])
  func `when a time is typed as it is shown then its frame is named`(_ rate: Int64) throws {
    let times = times(rate)
    let places = DecimalText.places(tellingApart: times)
    var context = TimelineContext(presented: nil)
    context.zero = .zero
    context.frames = try FrameStarts(
      first: .zero, framesPerSecond: Rational(rate), count: Int64(times.count))
    for time in times {
      let text = DecimalText.clock(time, places: places)
      let named = try TimeExpression(parsing: text).resolve(in: context)
      #expect(named.seconds == time, "\(text)")
    }
  }
}
