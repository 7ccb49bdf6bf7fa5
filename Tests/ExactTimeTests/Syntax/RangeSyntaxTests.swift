import ExactTime
import Testing

@Suite struct `Given a range as a person writes it` {
  struct Spelling: Sendable, CustomTestStringConvertible {
    let text: String
    let from: TimeExpression?
    let to: TimeExpression?
    let testDescription: String

    init(_ text: String, _ from: TimeExpression?, _ to: TimeExpression?, _ words: String) {
      self.text = text
      self.from = from
      self.to = to
      testDescription = "\(text) is \(words)"
    }
  }

  static func at(_ seconds: Int64) -> TimeExpression { .fromStart(MediaDuration(seconds)) }
  static func after(_ seconds: Int64) -> TimeExpression {
    .afterFrom(.duration(MediaDuration(seconds)))
  }

  static let spellings: [Spelling] = [
    Spelling("10..20", at(10), at(20), "from 10 s until 20 s"),
    Spelling("1:00+30", at(60), after(30), "30 s from one minute on"),
    Spelling("1:00..+30", at(60), after(30), "the same"),
    Spelling("10+300f", at(10), .afterFrom(.frames(300)), "300 frames from 10 s on"),
    Spelling("..20", nil, at(20), "everything before 20 s"),
    Spelling("10..", at(10), nil, "everything from 10 s on"),
    Spelling("..", nil, nil, "everything"),
    Spelling("..+5", nil, after(5), "the first 5 s"),
    Spelling("-10..-5", .fromEnd(MediaDuration(10)), .fromEnd(MediaDuration(5)), "near the end"),
    Spelling("-10+5", .fromEnd(MediaDuration(10)), after(5), "the same"),
    Spelling("in..out", .inPoint, .outPoint, "what lies between the handles"),
    Spelling("k2..k3", .keyframe(2), .keyframe(3), "the second group of pictures"),
    Spelling("#1..#2", .chapter(1), .chapter(2), "the first chapter"),
    Spelling("0.5..1.5", .fromStart(MediaDuration(1, 2)), .fromStart(MediaDuration(3, 2)), "1 s"),
    Spelling("1..5", at(1), at(5), "two whole numbers, no decimal points"),
  ]

  @Test(arguments: spellings) func `then it parses to the expected range`(_ spelling: Spelling)
    throws
  {
    let range = try TimeRangeExpression(parsing: spelling.text)
    #expect(range.from == spelling.from)
    #expect(range.to == spelling.to)
    #expect(try TimeRangeExpression(parsing: "\(range)") == range)
  }

  struct Refusal: Sendable, CustomTestStringConvertible {
    let text: String
    let reason: TimeSyntaxError.Reason
    let offset: Int
    var testDescription: String { text }

    init(_ text: String, _ reason: TimeSyntaxError.Reason, at offset: Int) {
      self.text = text
      self.reason = reason
      self.offset = offset
    }
  }

  @Test(arguments: [
    Refusal("", .empty, at: 0),
    Refusal("10", .notRange, at: 2),
    Refusal("10-20", .unexpectedCharacter, at: 2),
    Refusal("1...5", .pointWithoutDigits, at: 3),
    Refusal("10..20..30", .pointWithoutDigits, at: 6),
    Refusal("10 .. 20", .unexpectedCharacter, at: 2),
    Refusal("+5..10", .relativeToNothing, at: 0),
    Refusal("10+", .missingNumber, at: 3),
    Refusal("10+-5", .unexpectedCharacter, at: 3),
    Refusal("10+end", .unknownWord("end"), at: 3),
    Refusal("10..x", .unknownWord("x"), at: 4),
    Refusal("1:75..2:00", .sixtyOrMore, at: 2),
  ]) func `then an invalid range is refused at its first wrong character`(_ refusal: Refusal) {
    let error = #expect(throws: TimeSyntaxError.self) {
      try TimeRangeExpression(parsing: refusal.text)
    }
    #expect(error?.reason == refusal.reason)
    #expect(error?.offset == refusal.offset)
  }

  @Suite struct `When it follows a file name` {
    @Test(arguments: [
      ("clip.mp4#t=10,70.4", "clip.mp4", "10..70.4"),
      ("clip.mp4#t=10", "clip.mp4", "10.."),
      ("clip.mp4#t=,20", "clip.mp4", "..20"),
      ("clip.mp4#t=10,", "clip.mp4", "10.."),
      ("clip.mp4#t=npt:10,20", "clip.mp4", "10..20"),
      ("clip.mp4#t=npt:01:00,00:02:00.5", "clip.mp4", "60..120.5"),
      ("take #2.mp4#t=1,2", "take #2.mp4", "1..2"),
      ("#t=1,2", "", "1..2"),
      ("é#t=1,2", "é", "1..2"),
    ]) func `then name and range are separated`(_ text: String, _ path: String, _ range: String)
      throws
    {
      let fragment = try #require(try MediaFragment(splitting: text))
      #expect(fragment.path == path)
      #expect(fragment.range == (try TimeRangeExpression(parsing: range)))
    }

    @Test(arguments: ["clip.mp4", "take #2.mp4", "a#t", "a#T=1,2", "a#xywh=1,2,3,4", "", "#"])
    func `then a name without t= is only a name`(_ text: String) throws {
      #expect(try MediaFragment(splitting: text) == nil)
    }

    @Test(arguments: [
      Refusal("a#t=", .missingNumber, at: 2),
      Refusal("a#t=,", .missingNumber, at: 2),
      Refusal("a#t=20,10", .reversedFragment, at: 5),
      Refusal("a#t=10,10", .reversedFragment, at: 5),
      Refusal("a#t=,0", .reversedFragment, at: 3),
      Refusal("a#t=smpte-25:00:00:01:00", .unknownFragment, at: 2),
      Refusal("a#t=1,2&xywh=1,2,3,4", .unknownFragment, at: 4),
      Refusal("a#t=-5", .unknownFragment, at: 2),
      Refusal("a#t=30f", .unknownFragment, at: 2),
      Refusal("a#t=1,2,3", .unexpectedCharacter, at: 5),
      Refusal("a#t=nan", .unknownFragment, at: 2),
      Refusal("a#t=00:75", .sixtyOrMore, at: 5),
    ]) func `then an invalid range is an error about what follows the #`(_ refusal: Refusal) {
      let error = #expect(throws: TimeSyntaxError.self) {
        try MediaFragment(splitting: refusal.text)
      }
      #expect(error?.reason == refusal.reason)
      #expect(error?.offset == refusal.offset)
    }
  }
}
