import ExactTime
import Testing

@testable import Probing

@Suite struct `Given the times of a file's frames` {
  struct Clip: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var ticksPerSecond: Int64
    var times: [Int64]
    var end: Int64?
    var stated: Rational?
    var nominal: Rational?
    var average: Rational?
    var isConstant: Bool?

    static let cases = [
      Clip(
        testDescription: "29.97 on its own grid", ticksPerSecond: 30000,
        times: (0..<100).map { $0 * 1001 }, end: 100_100, nominal: Rational(30000, 1001),
        average: Rational(30000, 1001), isConstant: true),
      Clip(
        testDescription: "29.97 in milliseconds", ticksPerSecond: 1000,
        times: (0..<300).map { ($0 * 1_001_000 + 15000) / 30000 }, end: 10010,
        nominal: Rational(30000, 1001), average: Rational(30000, 1001), isConstant: true),
      Clip(
        testDescription: "30 in milliseconds", ticksPerSecond: 1000,
        times: (0..<300).map { ($0 * 1000 + 15) / 30 }, end: 10000, nominal: Rational(30),
        average: Rational(30), isConstant: true),
      Clip(
        testDescription: "four frames of 30, too few to tell it from 29.97 by fit alone",
        ticksPerSecond: 600, times: [0, 20, 40, 60], end: 80, nominal: Rational(30),
        average: Rational(30), isConstant: true),
      Clip(
        testDescription: "four frames of which the header says 29.97", ticksPerSecond: 1000,
        times: [0, 33, 67, 100], end: 133, stated: Rational(30000, 1001),
        nominal: Rational(30000, 1001), average: Rational(30000, 1001), isConstant: true),
      Clip(
        testDescription: "25 with a pause", ticksPerSecond: 25, times: [0, 1, 2, 10, 11], end: 12,
        stated: Rational(25), nominal: Rational(25), average: Rational(125, 12),
        isConstant: false),
      Clip(
        testDescription: "25 whose first frame lasts two, counted in frames as AVI does",
        ticksPerSecond: 25, times: [0] + (2...100), end: 101, stated: Rational(25),
        nominal: Rational(25), average: Rational(2500, 101), isConstant: false),
      Clip(
        testDescription: "variable, with a clock's rate in the header", ticksPerSecond: 1000,
        times: [0, 20, 80, 100, 160], end: 180, stated: Rational(1000), nominal: nil,
        average: Rational(250, 9), isConstant: false),
      Clip(
        testDescription: "one frame", ticksPerSecond: 25, times: [3], end: 4, nominal: nil,
        average: Rational(25), isConstant: nil),
      Clip(
        testDescription: "one frame without an end", ticksPerSecond: 25, times: [3], end: nil,
        stated: Rational(24), nominal: Rational(24), average: nil, isConstant: nil),
      Clip(
        testDescription: "times beyond all clips", ticksPerSecond: 1,
        times: [.min, 0, .max], end: .max, nominal: nil, average: nil, isConstant: nil),
    ]
  }

  @Test(arguments: Clip.cases) func `then they give the frame rate`(_ clip: Clip) {
    let spacing = FrameSpacing(
      times: clip.times, end: clip.end, grid: TickGrid(ticksPerSecond: clip.ticksPerSecond),
      stated: clip.stated)
    #expect(spacing.nominal == clip.nominal)
    #expect(spacing.average == clip.average)
    #expect(spacing.isConstant == clip.isConstant)
  }
}
