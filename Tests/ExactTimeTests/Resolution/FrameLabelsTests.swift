import Testing

@testable import ExactTime

@Suite struct `Given the labels that the frames of a file bear` {
  private static let rate = Rational(30000, 1001)

  private static func context(_ start: String?, count: Int64 = 3000) throws -> TimelineContext {
    var context = TimelineContext(presented: nil)
    context.frames = try FrameStarts(first: .zero, framesPerSecond: rate, count: count)
    context.frameRate = rate
    context.startTimecode = start.flatMap { TimecodeLabel(stored: $0) }
    return context
  }

  @Test(arguments: ["01:00:00:00", "00:00:59;20", nil])
  func `then the label of any frame, typed again, names that frame`(_ start: String?) throws {
    let context = try Self.context(start)
    let frames = try #require(context.frames)
    for number in [0, 1, 9, 10, 11, 1798, 2999] as [Int64] {
      let begin = try frames.start(ofFrame: number)
      let label = try #require(context.timecode(atStart: begin))
      #expect(try TimeExpression(parsing: "\(label)").resolve(in: context) == begin)
      #expect(context.timecode(atEnd: begin) == label)
    }
  }

  @Test func `then the file's own are told from those counted from 0`() throws {
    #expect(try FrameLabels(Self.context("01:00:00:00"))?.areOwn == true)
    #expect(try FrameLabels(Self.context(nil))?.areOwn == false)
    var unknown = try Self.context("01:00:00:00")
    unknown.frameRate = nil
    #expect(FrameLabels(unknown) == nil)
  }

  @Test func `when an instant lies inside a frame then IN is that frame and OUT the one behind it`()
    throws
  {
    let context = try Self.context("01:00:00:00")
    let inside = MediaTime(1001 * 10 + 400, 30000)
    #expect(context.timecode(atStart: inside)?.description == "01:00:00:10")
    #expect(context.timecode(atEnd: inside)?.description == "01:00:00:11")
  }

  @Test func `when the file ends there then OUT is the label behind the last`() throws {
    let context = try Self.context("01:00:00:00", count: 60)
    let end = try #require(try context.frames?.start(ofFrame: 60))
    #expect(context.timecode(atEnd: end)?.description == "01:00:02:00")
  }

  @Test func `when a timecode runs at a rate of its own then it is that clock's`() throws {
    var context = try Self.context("10:00:00:00")
    let label = try #require(TimecodeLabel(stored: "10:00:00:00"))
    let counting = try TimecodeRate(framesPerSecond: Rational(25), isDropFrame: false)
    context.timecodeClock = TimecodeClock(first: try Timecode(label, rate: counting), start: .zero)
    #expect(context.timecode(atStart: MediaTime(3, 2))?.description == "10:00:01:12")
    #expect(context.timecode(atEnd: MediaTime(2))?.description == "10:00:02:00")
  }
}
