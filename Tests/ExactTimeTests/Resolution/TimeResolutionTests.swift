import ExactTime
import Testing

@Suite struct `Given a file whose presented range is 1.4 s to 61.4 s` {
  /// 25 frames a second, 1,500 frames, a keyframe every 2 s, chapters at 1.4 s and 31.4 s.
  static let context: TimelineContext = {
    let start = MediaTime(7, 5)
    var context = TimelineContext(
      presented: MediaTimeRange(from: start, to: start + MediaDuration(60)))
    context.frameRate = Rational(25)
    context.frames = try? FrameStarts(first: start, framesPerSecond: Rational(25), count: 1500)
    context.keyframes = (0..<30).map { start + MediaDuration($0 * 2) }
    context.chapters = [start, start + MediaDuration(30)]
    return context
  }()

  static func find(_ text: String, from: MediaTime? = nil) throws -> MediaTime {
    try TimeExpression(parsing: text).resolve(in: context, from: from)
  }

  @Test(
    arguments: [
      ("0", MediaTime(7, 5)), ("10", MediaTime(57, 5)), ("start", MediaTime(7, 5)),
      ("end", MediaTime(307, 5)), ("-0", MediaTime(307, 5)), ("-10", MediaTime(257, 5)),
      ("50%", MediaTime(157, 5)), ("0f", MediaTime(7, 5)), ("25f", MediaTime(12, 5)),
      ("1500f", MediaTime(307, 5)), ("-1f", MediaTime(1534, 25)), ("-0f", MediaTime(307, 5)),
      ("k1", MediaTime(7, 5)), ("k2", MediaTime(17, 5)), ("#2", MediaTime(157, 5)),
      ("00:00:10:00", MediaTime(57, 5)), ("100", MediaTime(507, 5)),
      // A label past the end is a time there, as are seconds.
      ("00:01:00:01", MediaTime(1536, 25)),
    ] as [(String, MediaTime)])
  func `then a time is resolved on the file's own timeline`(_ text: String, _ time: MediaTime)
    throws
  {
    #expect(try Self.find(text) == time)
  }

  @Test(
    arguments: [
      ("1501f", TimeResolutionError.frameOutOfRange(1501, count: 1500)),
      ("-1501f", .frameOutOfRange(1501, count: 1500)),
      ("k31", .keyframeOutOfRange(31, count: 30)), ("#3", .chapterOutOfRange(3, count: 2)),
      ("00:00:00;02", .timecode(.noDropFrame(Rational(25)))),
      ("in", .missing(.inPoint)), ("out", .missing(.outPoint)), ("+5", .missing(.from)),
      ("9223372036854775807", .arithmetic(.overflow)),
    ] as [(String, TimeResolutionError)])
  func `then anything that does not exist there is an error that says so`(
    _ text: String, _ error: TimeResolutionError
  ) {
    #expect(throws: error) { try Self.find(text) }
  }

  @Test func `then a keyframe that is not shown is counted, but is not a valid time`() throws {
    var context = Self.context
    context.keyframes?.insert(MediaTime(-1), at: 0)
    context.hiddenKeyframes = [1]
    #expect(throws: TimeResolutionError.keyframeHidden(1)) {
      try TimeExpression(parsing: "k1").resolve(in: context)
    }
    #expect(try TimeExpression(parsing: "k2").resolve(in: context) == MediaTime(7, 5))
  }

  @Test(
    arguments: [
      ("10..20", 57, 107), ("10+5", 57, 82), ("..10", 7, 57), ("-10..", 257, 307), ("..", 7, 307),
      ("10+50f", 57, 67), ("10+00:00:02:00", 57, 67), ("10+50%", 57, 207),
    ] as [(String, Int64, Int64)])
  func `then a range is resolved exactly, in fifths of a second`(
    _ text: String, _ from: Int64, _ to: Int64
  ) throws {
    let range = try TimeRangeExpression(parsing: text).resolve(in: Self.context)
    #expect(range == MediaTimeRange(from: MediaTime(from, 5), to: MediaTime(to, 5)))
  }

  @Test(arguments: ["20..10", "10..10", "10+0", "-5..-10"])
  func `then an empty or reversed range is refused`(_ text: String) throws {
    let range = try TimeRangeExpression(parsing: text)
    #expect(throws: TimeResolutionError.self) { try range.resolve(in: Self.context) }
  }

  @Suite struct `When it has a start timecode` {
    static func find(_ text: String, start: TimecodeLabel, rate: Rational) throws -> MediaTime {
      var context = TimelineContext(presented: MediaTimeRange(from: .zero, to: MediaTime(60)))
      context.frameRate = rate
      context.frames = try FrameStarts(first: .zero, framesPerSecond: rate, count: nil)
      context.startTimecode = start
      return try TimeExpression(parsing: text).resolve(in: context)
    }

    @Test func `then labels count from it`() throws {
      let start = TimecodeLabel(given: 1, 0, 0, 0)
      #expect(try Self.find("01:00:10:05", start: start, rate: Rational(25)) == MediaTime(51, 5))
    }

    @Test func `then they continue past midnight`() throws {
      let start = TimecodeLabel(given: 23, 59, 50, 0)
      #expect(try Self.find("00:00:05:00", start: start, rate: Rational(25)) == MediaTime(15))
    }

    @Test func `then drop-frame and non-drop are not mixed`() {
      let start = TimecodeLabel(given: 1, 0, 0, 0, isDropFrame: true)
      #expect(throws: TimeResolutionError.self) {
        try Self.find("01:00:10:05", start: start, rate: Rational(30000, 1001))
      }
    }
  }

  @Suite struct `When its frames have different durations` {
    static let context: TimelineContext = {
      var context = TimelineContext(presented: MediaTimeRange(from: .zero, to: MediaTime(10)))
      context.frames = FrameStarts(
        starts: [0, 1, 3, 4, 8].map { MediaTime($0) }, end: MediaTime(10))
      return context
    }()

    @Test(arguments: [("3f", 4), ("5f", 10), ("-2f", 4)] as [(String, Int64)])
    func `then a frame starts where it is shown`(_ text: String, _ seconds: Int64) throws {
      #expect(try TimeExpression(parsing: text).resolve(in: Self.context) == MediaTime(seconds))
    }

    @Test(
      arguments: [("1+2f", 1, 4), ("1.5+2f", 3, 8), ("8+1f", 8, 10)] as [(String, Int64, Int64)])
    func `then a count of frames ends where the next one would start`(
      _ text: String, _ firstStart: Int64, _ end: Int64
    ) throws {
      let range = try TimeRangeExpression(parsing: text).resolve(in: Self.context)
      #expect(range.end == MediaTime(end))
      #expect(range.start <= MediaTime(firstStart))
    }

    @Test func `then more frames than follow are refused`() throws {
      let range = try TimeRangeExpression(parsing: "8+2f")
      #expect(throws: TimeResolutionError.frameOutOfRange(6, count: 5)) {
        try range.resolve(in: Self.context)
      }
      let most = try TimeRangeExpression(parsing: "8+9223372036854775807f")
      #expect(throws: TimeResolutionError.arithmetic(.overflow)) {
        try most.resolve(in: Self.context)
      }
    }
  }

  @Suite struct `When nothing is known about it` {
    @Test(
      arguments: [
        ("-10", .presentedRange), ("end", .presentedRange), ("50%", .presentedRange),
        ("15f", .frameTimes), ("-1f", .frameTimes), ("00:00:10:00", .frameTimes),
        ("k1", .keyframes), ("#1", .chapters),
        ("in", .inPoint), ("out", .outPoint), ("+1", .from),
      ] as [(String, TimeResolutionError.Fact)])
    func `then the error names what is missing`(
      _ text: String, _ fact: TimeResolutionError.Fact
    ) throws {
      let time = try TimeExpression(parsing: text)
      let error = #expect(throws: TimeResolutionError.missing(fact)) {
        try time.resolve(in: TimelineContext(presented: nil))
      }
      #expect(error?.description.isEmpty == false)
    }

    @Test func `then plain seconds still resolve`() throws {
      let time = try TimeExpression(parsing: "60.5")
      #expect(try time.resolve(in: TimelineContext(presented: nil)) == MediaTime(121, 2))
    }
  }
}
