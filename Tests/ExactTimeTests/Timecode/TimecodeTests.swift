import ExactTime
import Support
import Testing

@Suite(.timeLimit(Sample.limit)) struct `Given a way of counting timecode` {
  struct Counting: Sendable, CustomTestStringConvertible {
    let rate: Rational
    let isDropFrame: Bool
    let framesPerDay: Int64

    init(_ rate: Rational, isDropFrame: Bool = false, _ framesPerDay: Int64) {
      self.rate = rate
      self.isDropFrame = isDropFrame
      self.framesPerDay = framesPerDay
    }

    var testDescription: String { "\(rate) frames a second\(isDropFrame ? ", drop-frame" : "")" }

    var timecode: TimecodeRate {
      get throws { try TimecodeRate(framesPerSecond: rate, isDropFrame: isDropFrame) }
    }
  }

  static let ntsc = Counting(Rational(30000, 1001), isDropFrame: true, 2_589_408)

  static let countings: [Counting] = [
    Counting(Rational(24), 2_073_600), Counting(Rational(24000, 1001), 2_073_600),
    Counting(Rational(25), 2_160_000), Counting(Rational(30), 2_592_000),
    Counting(Rational(30000, 1001), 2_592_000), ntsc, Counting(Rational(50), 4_320_000),
    Counting(Rational(60), 5_184_000), Counting(Rational(60000, 1001), 5_184_000),
    Counting(Rational(60000, 1001), isDropFrame: true, 5_178_816),
  ]

  /// The frames of a day are walked one by one, so one counting for each set of labels is enough.
  static let walked = countings.filter {
    $0.isDropFrame || [Rational(24000, 1001), Rational(25)].contains($0.rate)
  }

  @Test(arguments: walked)
  func `then each frame of a day has a unique label that leads back to it`(
    _ counting: Counting
  ) throws {
    let rate = try counting.timecode
    let labels = Int(rate.labelsPerSecond)
    var last: [Int] = []
    var wrong: Int64?
    var frame: Int64 = 0
    var generator = Sample.generator()
    while frame < rate.framesPerDay, wrong == nil {
      let label = Timecode(frame: frame, rate: rate).label
      let fields = [label.hours, label.minutes, label.seconds, label.frames]
      // Ascending, so no label occurs twice; each leads back, so none belongs to another frame.
      let isAscending = last.lexicographicallyPrecedes(fields)
      if !isAscending || (try? Timecode(label, rate: rate))?.frameNumber != frame { wrong = frame }
      last = fields
      // A sample has every frame around each full minute, and some of the seconds between.
      var skipped = 0
      if !Sample.takesAll, (2..<57).contains(label.seconds), label.frames == labels - 1 {
        skipped = min(57 - label.seconds, Int.random(in: 0...40, using: &generator))
      }
      frame += 1 + Int64(skipped * labels)
    }
    #expect(wrong == nil)
    #expect(last == [23, 59, 59, labels - 1])
  }

  @Test(arguments: countings) func `then it wraps at midnight, either way`(
    _ counting: Counting
  ) throws {
    let rate = try counting.timecode
    #expect(rate.framesPerDay == counting.framesPerDay)
    let midnight = Timecode(frame: rate.framesPerDay, rate: rate)
    #expect(midnight.frameNumber == 0)
    let last = Timecode(frame: -1, rate: rate)
    #expect(last.frameNumber == rate.framesPerDay - 1)
    #expect(last.advanced(byFrames: 1) == midnight)
    #expect(midnight.frames(since: last) == 1)
    #expect(Timecode(frame: .min, rate: rate).frameNumber >= 0)
    #expect(last.advanced(byFrames: .max).frameNumber >= 0)
  }

  @Suite struct `When it is drop-frame` {
    @Test(
      arguments: [
        (0, "00:00:00;00"), (1799, "00:00:59;29"), (1800, "00:01:00;02"), (3597, "00:01:59;29"),
        (3598, "00:02:00;02"), (17_981, "00:09:59;29"), (17_982, "00:10:00;00"),
        (107_892, "01:00:00;00"), (2_589_407, "23:59:59;29"),
      ] as [(Int64, String)])
    func `then labels 00 and 01 are skipped except in every tenth minute`(
      _ frame: Int64, _ label: String
    ) throws {
      #expect("\(Timecode(frame: frame, rate: try ntsc.timecode))" == label)
    }

    @Test func `then an hour of labels is an hour of the clock, within 4 ms`() throws {
      let rate = try ntsc.timecode
      let hour = try Timecode(TimecodeLabel(given: 1, 0, 0, 0, isDropFrame: true), rate: rate)
      let seconds = try Rational(hour.frameNumber).divided(by: rate.framesPerSecond)
      #expect(Rational(3600) - seconds < Rational(4, 1000))
      #expect(seconds < Rational(3600))
    }

    @Test func `then a skipped label is an error, not its neighbor`() {
      for frames in 0..<2 {
        #expect(throws: TimecodeError.self) {
          try TimecodeLabel(
            hours: 0, minutes: 1, seconds: 0, frames: frames, isDropFrame: true)
        }
      }
      // 02 and 03 are skipped at 59.94 only.
      let label = TimecodeLabel(given: 0, 1, 0, 3, isDropFrame: true)
      #expect(throws: Never.self) { try Timecode(label, rate: try ntsc.timecode) }
      #expect(throws: TimecodeError.droppedLabel(label)) {
        try Timecode(
          label,
          rate: try TimecodeRate(framesPerSecond: Rational(60000, 1001), isDropFrame: true))
      }
    }

    @Test(arguments: [Rational(30), Rational(24000, 1001), Rational(25), Rational(60)])
    func `then only 29.97 and 59.94 allow it`(_ rate: Rational) {
      #expect(throws: TimecodeError.noDropFrame(rate)) {
        try TimecodeRate(framesPerSecond: rate, isDropFrame: true)
      }
    }
  }

  @Test(arguments: [
    Rational(0), Rational(-25), Rational(2997, 100), Rational(1000), Rational(121),
    Rational(.max), Rational(1, .max), Rational(.max, 1001), Rational(25, 2),
  ]) func `then a rate without labels is refused`(_ rate: Rational) {
    #expect(throws: TimecodeError.unsupportedRate(rate)) {
      try TimecodeRate(framesPerSecond: rate, isDropFrame: false)
    }
  }

  @Test func `then a frame number at or above the rate is refused`() throws {
    let rate = try TimecodeRate(framesPerSecond: Rational(25), isDropFrame: false)
    let label = TimecodeLabel(given: 0, 0, 0, 25)
    #expect(throws: TimecodeError.frameOutOfRange(label, labelsPerSecond: 25)) {
      try Timecode(label, rate: rate)
    }
  }
}
