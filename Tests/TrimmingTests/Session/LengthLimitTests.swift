import ExactTime
import Testing
import Trimming

/// A length next to the limit of 60.5 s, in the ticks of one time base.
struct Border: CustomTestStringConvertible, Sendable {
  let grid: TickGrid
  let ticks: Int64
  let isValid: Bool
  let name: String

  var testDescription: String { "\(name) in \(grid)" }

  var length: MediaDuration {
    get throws { try grid.duration(ofTicks: ticks) }
  }

  /// The last tick below the limit, the limit itself where it is a tick, and the first above.
  static let cases: [Border] = ["1/600", "1/90000", "1/48000", "1001/30000"].flatMap { text in
    guard let tick = Rational(exactly: text), let grid = try? TickGrid(secondsPerTick: tick),
      let below = try? grid.ticks(of: MediaDuration(121, 2), rounding: .down),
      let above = try? grid.ticks(of: MediaDuration(121, 2), rounding: .up)
    else { preconditionFailure("no time base: \(text)") }
    guard below == above else {
      return [
        Border(grid: grid, ticks: below, isValid: true, name: "the last tick under 60.5 s"),
        Border(grid: grid, ticks: above, isValid: false, name: "the first tick over 60.5 s"),
      ]
    }
    return [
      Border(grid: grid, ticks: below - 1, isValid: true, name: "one tick under 60.5 s"),
      Border(grid: grid, ticks: below, isValid: false, name: "exactly 60.5 s"),
      Border(grid: grid, ticks: below + 1, isValid: false, name: "one tick over 60.5 s"),
    ]
  }
}

@Suite struct `Given the standard limit of 60.5 seconds` {
  @Test func `then the four time bases give eleven boundary lengths`() {
    #expect(Border.cases.count == 11)
  }

  @Test(arguments: Border.cases)
  func `then a length is valid only below 60.5 s`(_ border: Border) throws {
    #expect(try LengthLimit.standard.isValid(border.length) == border.isValid)
  }

  @Test(arguments: Border.cases)
  func `then a range is valid only below 60.5 s, wherever it starts`(_ border: Border) throws {
    for start in [0, 1, 7, 1_001, 86_399] as [Int64] {
      let from = try border.grid.time(atTick: start)
      let selected = try MediaTimeRange(from: from, length: border.length)
      let bounds = range(.zero, try selected.end.advanced(by: MediaDuration(9)))
      let session = TrimmingSession(
        video: TrimmingVideo(location: "a", bounds: bounds, initialRange: selected))
      #expect(session.isVideoLengthValid == border.isValid)
    }
  }

  @Test func `then an unknown length is not valid`() {
    #expect(!LengthLimit.standard.isValid(.zero))
    #expect(LengthLimit.standard.verdict(on: .zero) == .empty)
    #expect(LengthLimit.standard.verdict(on: MediaDuration(-3)) == .empty)
  }

  @Test func `then the shortest representable length is valid`() {
    #expect(LengthLimit.standard.isValid(MediaDuration(1, .max)))
  }

  @Test func `then exactly 60.5 s is too long by zero`() {
    #expect(LengthLimit.standard.verdict(on: MediaDuration(121, 2)) == .tooLong(by: .zero))
  }

  @Test func `then the excess is exact`() {
    let verdict = LengthLimit.standard.verdict(on: MediaDuration(5_446_441, 90_000))
    #expect(verdict == .tooLong(by: MediaDuration(1_441, 90_000)))
  }

  @Test func `then an excess that needs more than 64 bits is still too long`() {
    let huge = MediaDuration(.max, .max - 1)
    let limit = LengthLimit(maximum: MediaDuration(.max - 3, .max - 2))
    #expect(limit.verdict(on: huge) == .tooLong(by: nil) || limit.isValid(huge))
    #expect(LengthLimit.standard.verdict(on: MediaDuration(.max)) == .tooLong(by: nil))
  }
}

@Suite struct `Given a custom limit` {
  @Test func `then a minimum is inclusive`() {
    let limit = LengthLimit(minimum: MediaDuration(3), maximum: MediaDuration(10))
    #expect(limit.isValid(MediaDuration(3)))
    #expect(!limit.isValid(MediaDuration(2_999, 1_000)))
    #expect(limit.verdict(on: MediaDuration(2)) == .tooShort(by: MediaDuration(1)))
  }

  @Test func `then a maximum is exclusive unless stated otherwise`() {
    #expect(!LengthLimit(maximum: MediaDuration(10)).isValid(MediaDuration(10)))
    #expect(
      LengthLimit(maximum: MediaDuration(10), isMaximumInclusive: true).isValid(MediaDuration(10)))
    #expect(
      !LengthLimit(maximum: MediaDuration(10), isMaximumInclusive: true)
        .isValid(MediaDuration(10_001, 1_000)))
  }

  @Test func `then without a maximum any length is valid`() {
    #expect(LengthLimit(maximum: nil).isValid(MediaDuration(.max)))
  }

  @Test func `then the screen judges by it`() {
    var session = Clip.session(range(0, 20), limit: LengthLimit(maximum: MediaDuration(15)))
    #expect(!session.isVideoLengthValid)
    session.selecting(range(0, 14))
    #expect(session.isVideoLengthValid)
  }
}
