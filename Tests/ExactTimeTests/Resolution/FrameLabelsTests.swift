import Testing

@testable import ExactTime

@Suite struct `Given the timecode labels of the frames of a file` {
  private static let rate = Rational(30000, 1001)

  private static func context(_ start: String?, count: Int64 = 3000) throws -> TimelineContext {
    var context = TimelineContext(presented: nil)
    context.frames = try FrameStarts(first: .zero, framesPerSecond: rate, count: count)
    context.frameRate = rate
    context.startTimecode = start.flatMap { TimecodeLabel(stored: $0) }
    return context
  }

  /// The labels at the ends of a range, as text.
  private static func ends(
    _ start: MediaTime, _ end: MediaTime, in context: TimelineContext, isDropFrame: Bool = false
  ) throws -> [String] {
    let labels = try #require(FrameLabels(context, isDropFrame: isDropFrame))
    let range = try #require(MediaTimeRange(from: start, to: end))
    let ends = try #require(labels.ends(of: range, context.frames))
    return ["\(ends.from)", "\(ends.to)"]
  }

  @Test(arguments: ["01:00:00:00", "00:00:59;20", nil])
  func `then the label of any frame, typed again, names that frame`(_ start: String?) throws {
    let context = try Self.context(start)
    let frames = try #require(context.frames)
    for number in [0, 1, 9, 10, 11, 1798, 2998] as [Int64] {
      let (begin, end) = (try frames.start(ofFrame: number), try frames.start(ofFrame: number + 1))
      let named = try Self.ends(begin, end, in: context).map {
        try TimeExpression(parsing: $0).resolve(in: context)
      }
      #expect(named == [begin, end])
    }
  }

  @Test func `then the file's own labels are told apart from those counted from 0`() throws {
    #expect(try FrameLabels(Self.context("01:00:00:00"))?.areOwn == true)
    #expect(try FrameLabels(Self.context(nil))?.areOwn == false)
    var unknown = try Self.context("01:00:00:00")
    unknown.frameRate = nil
    #expect(FrameLabels(unknown) == nil)
  }

  @Test func `when the file has none then they are drop-frame if the typed label is`() throws {
    let context = try Self.context(nil)
    let minute = try TimeExpression(parsing: "00:01:00;02").resolve(in: context)
    let end = try TimeExpression(parsing: "00:01:10;00").resolve(in: context)
    #expect(
      try Self.ends(minute, end, in: context, isDropFrame: true) == ["00:01:00;02", "00:01:10;00"])
    #expect(try Self.ends(minute, end, in: context) == ["00:01:00:00", "00:01:09:28"])
  }

  @Test func `when a boundary is inside a frame then IN is that frame and OUT the next`() throws {
    let context = try Self.context("01:00:00:00")
    let (first, last) = (MediaTime(1001 * 10 + 400, 30000), MediaTime(1001 * 20 + 400, 30000))
    #expect(try Self.ends(first, last, in: context) == ["01:00:00:10", "01:00:00:21"])
  }

  @Test func `when the range ends with the file then OUT is the label after the last`() throws {
    let context = try Self.context("01:00:00:00", count: 60)
    let end = try #require(try context.frames?.start(ofFrame: 60))
    #expect(try Self.ends(.zero, end, in: context) == ["01:00:00:00", "01:00:02:00"])
  }

  @Test func `when the timecode has its own rate then labels are from that clock`() throws {
    var context = try Self.context("10:00:00:00")
    let label = try #require(TimecodeLabel(stored: "10:00:00:00"))
    let counting = try TimecodeRate(framesPerSecond: Rational(25), isDropFrame: false)
    context.timecodeClock = TimecodeClock(first: try Timecode(label, rate: counting), start: .zero)
    context.frames = nil
    #expect(
      try Self.ends(MediaTime(3, 2), MediaTime(2), in: context) == ["10:00:01:12", "10:00:02:00"])
  }
}
