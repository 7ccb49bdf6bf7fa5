import ExactTime
import Testing

/// A timecode of 25 frames a second from 10:00:00:00 on, whatever the frame rate of the pictures.
@Suite struct `Given a timecode with its own rate` {
  private static func context(
    pictures rate: Rational = Rational(50), from start: MediaTime = .zero, lasting length: Int64 = 4
  ) throws -> TimelineContext {
    let label = try TimecodeLabel(
      hours: 10, minutes: 0, seconds: 0, frames: 0, isDropFrame: false)
    let counting = try TimecodeRate(framesPerSecond: Rational(25), isDropFrame: false)
    var context = TimelineContext(presented: MediaTimeRange(from: .zero, to: MediaTime(length)))
    let count = try Rational(length).multiplied(by: rate).rounded(.down)
    context.frames = try FrameStarts(first: .zero, framesPerSecond: rate, count: count)
    context.frameRate = rate
    context.startTimecode = label
    context.timecodeClock = TimecodeClock(first: try Timecode(label, rate: counting), start: start)
    return context
  }

  private func time(_ text: String, in context: TimelineContext) throws -> MediaTime {
    try TimeExpression(parsing: text).resolve(in: context)
  }

  @Test func `then a label counts at that rate, not in video frames`() throws {
    let context = try Self.context()
    #expect(try time("10:00:01:01", in: context) == MediaTime(26, 25))
    #expect(try time("tc:10:00:01:24", in: context) == MediaTime(49, 25))
    #expect(throws: TimeResolutionError.self) { try time("10:00:01:25", in: context) }
    let end = try LengthExpression(parsing: "00:00:01:01").end(from: MediaTime(1), in: context)
    #expect(end == MediaTime(51, 25))
  }

  @Test func `then a label is a time, wherever the frames begin and whatever their spacing`()
    throws
  {
    var context = try Self.context()
    context.frames = FrameStarts(
      starts: [MediaTime(1), MediaTime(3, 2), MediaTime(3)], end: MediaTime(4))
    #expect(try time("10:00:02:00", in: context) == MediaTime(2))
    context.frames = nil
    #expect(try time("10:00:02:00", in: context) == MediaTime(2))
  }

  @Test func `then a clock that begins later or earlier is counted from there`() throws {
    #expect(
      try time("10:00:02:00", in: Self.context(from: MediaTime(1))) == MediaTime(3))
    #expect(
      try time("10:00:02:00", in: Self.context(from: MediaTime(-1))) == MediaTime(1))
  }

  @Test func `then a label resolves to a frame that begins within a millisecond of it`() throws {
    let tick = MediaTime(401, 200)
    var context = try Self.context()
    context.frames = FrameStarts(
      starts: [.zero, MediaTime(20_005, 10_000), tick], end: MediaTime(4))
    #expect(try time("10:00:02:00", in: context) == MediaTime(20_005, 10_000))
  }

  @Test func `then a label past the end is a time past the end, and one before is refused`()
    throws
  {
    let context = try Self.context()
    #expect(try time("10:00:05:00", in: context) == MediaTime(5))
    #expect(throws: TimeResolutionError.self) { try time("09:59:59:24", in: context) }
  }

  @Test func `when labels number frames then they continue past the last one, too`() throws {
    var context = try Self.context(pictures: Rational(25))
    context.timecodeClock = nil
    #expect(try time("10:00:03:00", in: context) == MediaTime(3))
    #expect(try time("10:00:05:00", in: context) == MediaTime(5))
    #expect(throws: TimeResolutionError.self) { try time("09:59:59:24", in: context) }
    context.startTimecode = nil
    #expect(try time("00:00:05:00", in: context) == MediaTime(5))
  }

  @Test func `then each instant has the label in effect there`() throws {
    let clock = try #require(try Self.context().timecodeClock)
    #expect(clock.timecode(at: MediaTime(51, 50))?.description == "10:00:01:00")
    #expect(clock.timecode(at: MediaTime(26, 25))?.description == "10:00:01:01")
    #expect(clock.timecode(at: MediaTime(-1, 25))?.description == "09:59:59:24")
  }

  /// Set to 20:00:00:00 after two seconds, and to 10:00:01:00 again after three.
  private static func contextThatResets() throws -> TimelineContext {
    var context = try context()
    let clock = try #require(context.timecodeClock)
    func stretch(_ hours: Int, _ seconds: Int, at start: Int64) throws -> TimecodeClock.Stretch {
      let label = try TimecodeLabel(
        hours: hours, minutes: 0, seconds: seconds, frames: 0, isDropFrame: false)
      return .init(first: try Timecode(label, rate: clock.first.rate), start: MediaTime(start))
    }
    context.timecodeClock = TimecodeClock(
      first: clock.first, start: clock.start,
      later: [try stretch(20, 0, at: 2), try stretch(10, 1, at: 3)])
    return context
  }

  @Test func `when it is reset then each stretch has its labels, and the first match wins`()
    throws
  {
    let context = try Self.contextThatResets()
    #expect(try time("10:00:00:05", in: context) == MediaTime(1, 5))
    #expect(try time("20:00:00:05", in: context) == MediaTime(11, 5))
    #expect(try time("10:00:01:05", in: context) == MediaTime(6, 5))
    #expect(try time("10:00:02:00", in: context) == MediaTime(4))
    let clock = try #require(try context.timecodeClock?.moved(back: MediaDuration(1)))
    #expect(clock.timecode(at: MediaTime(24, 25))?.description == "10:00:01:24")
    #expect(clock.timecode(at: MediaTime(1))?.description == "20:00:00:00")
    #expect(clock.timecode(at: MediaTime(51, 25))?.description == "10:00:01:01")
  }

  @Test func `when it is reset then a label that it never reaches is refused`() throws {
    let context = try Self.contextThatResets()
    #expect(throws: TimeResolutionError.self) { try time("20:00:01:00", in: context) }
    #expect(throws: TimeResolutionError.self) { try time("tc:20:00:01:01", in: context) }
  }

  @Test func `when it is clipped then it begins with the label in effect there`() throws {
    let clock = try #require(try Self.contextThatResets().timecodeClock)
    let inFirst = try clock.clipped(from: MediaTime(1))
    #expect(inFirst.first.description == "10:00:01:00")
    #expect(inFirst.later.count == 2)
    let inSecond = try clock.clipped(from: MediaTime(5, 2))
    #expect(inSecond.first.description == "20:00:00:12")
    #expect(inSecond.start == MediaTime(62, 25))
    #expect(inSecond.later.map(\.start) == [MediaTime(3)])
    #expect(try clock.clipped(from: MediaTime(-1)) == clock)
  }
}
