import ExactTime
import Testing

@testable import EditLists

/// Cuts of one file in ticks of 1/90000 s, and where its instants are after them: counted with integers, apart
/// from the engine's fractions.
private struct Removed {
  static let rate: Int64 = 90_000
  /// Long, so that a middle one has cues on both sides.
  let removed: [Range<Int64>]
  let end: Int64

  init(cuts: Int, seed: UInt64) {
    var random = seed
    func next(_ bound: Int64) -> Int64 {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int64(random >> 33) % bound
    }
    var removed: [Range<Int64>] = []
    var time: Int64 = 0
    for _ in 0..<cuts {
      time += 1 + next(400_000)
      let start = time
      time += 1 + next(300_000)
      removed.append(start..<time)
    }
    self.removed = removed
    end = time + 1 + next(400_000)
  }

  var map: TimeMap {
    get throws {
      let kept = RangeSet(removed.map { Self.range($0) })
        .complement(within: Self.range(0..<end)).ranges
      return try TimeMap(following: kept.map { ($0, true) })
    }
  }

  static func range(_ ticks: Range<Int64>) -> MediaTimeRange {
    guard
      let range = MediaTimeRange(
        from: MediaTime(ticks.lowerBound, rate), to: MediaTime(ticks.upperBound, rate))
    else { preconditionFailure("\(ticks)") }
    return range
  }

  /// The output tick of a source tick; that of the seam, in what is removed.
  func position(_ tick: Int64) -> Int64 {
    let inside = min(tick, end)
    return inside - removed.reduce(0) { $0 + max(0, min(inside, $1.upperBound) - $1.lowerBound) }
  }

  func isKept(_ tick: Int64) -> Bool { tick < end && !removed.contains { $0.contains(tick) } }

  /// Milliseconds, hundredths or other units of an output tick, ties to even.
  func units(_ tick: Int64, per second: Int64) -> Int64 {
    let (whole, rest) = (position(tick) * second).quotientAndRemainder(dividingBy: Self.rate)
    if 2 * rest == Self.rate { return whole + whole % 2 }
    return whole + (2 * rest > Self.rate ? 1 : 0)
  }

  /// Cues in whole milliseconds, with the milliseconds that they have in the output.
  func cues(_ count: Int) -> [(source: Range<Int64>, output: Range<Int64>?)] {
    let length = end / 90
    return (0..<Int64(count)).map { index in
      let start = length * index / Int64(count)
      let source = start..<start + 40 + index * 337 % 3000
      let output =
        units(source.lowerBound * 90, per: 1000)..<units(source.upperBound * 90, per: 1000)
      return (source, output.isEmpty ? nil : output)
    }
  }
}

private func clock(_ milliseconds: Int64, _ mark: String) -> String {
  let seconds = milliseconds / 1000
  return
    "\(digits(seconds / 3600, 2)):\(digits(seconds / 60 % 60, 2)):\(digits(seconds % 60, 2))\(mark)"
    + digits(milliseconds % 1000, 3)
}

private func retimed(_ retimer: Retimer, _ text: String, _ map: TimeMap) throws -> String {
  String(decoding: try retimer(Array(text.utf8), by: map).bytes, as: UTF8.self)
}

private func map(_ ranges: MediaTimeRange...) throws -> TimeMap {
  try TimeMap(following: ranges.map { ($0, true) })
}

extension Substring {
  fileprivate var trimmingEnd: Substring {
    self[..<(lastIndex { $0 != "\n" }.map { index(after: $0) } ?? startIndex)]
  }
}

@Suite(.timeLimit(.minutes(1))) struct `Given many cuts of one file` {
  @Test(arguments: [(45, 1), (45, 2), (500, 3)] as [(Int, UInt64)])
  func `When an instant is mapped, Then it is exact to the tick, and once or not at all`(
    _ cuts: Int, _ seed: UInt64
  ) throws {
    let removed = Removed(cuts: cuts, seed: seed)
    let map = try removed.map
    #expect(map.passes.count == 1)
    var ticks: [Int64] = [0, removed.end - 1, removed.end]
    for range in removed.removed {
      for edge in [range.lowerBound, range.upperBound] { ticks += [edge - 1, edge, edge + 1] }
    }
    var wrong: [Int64] = []
    for tick in ticks {
      let expected = removed.isKept(tick) ? [MediaTime(removed.position(tick), Removed.rate)] : []
      if try map.images(of: MediaTime(tick, Removed.rate)) != expected { wrong.append(tick) }
    }
    #expect(wrong.isEmpty)
  }

  @Test(arguments: [(45, 4), (500, 5)] as [(Int, UInt64)])
  func `When subtitles are re-timed, Then each time is the mapped time, rounded once`(
    _ cuts: Int, _ seed: UInt64
  ) throws {
    let removed = Removed(cuts: cuts, seed: seed)
    let (map, cues) = (try removed.map, removed.cues(2 * cuts))
    let srt = { (cue: Range<Int64>) in
      "\(clock(cue.lowerBound, ",")) --> \(clock(cue.upperBound, ","))"
    }
    func numbered(_ rows: [String]) -> String {
      rows.enumerated().map { "\($0 + 1)\n\($1)" }.joined(separator: "\n")
    }
    let whole = cues.enumerated().map { "\(srt($1.source))\ncue \($0)\n" }
    let expected = cues.enumerated().compactMap { index, cue in
      cue.output.map { "\(srt($0))\ncue \(index)\n" }
    }
    // A blank line at the end stays where the last cue goes.
    func trimmed(_ text: String) -> Substring { text[...].trimmingEnd }
    #expect(trimmed(try retimed(.subRip, numbered(whole), map)) == trimmed(numbered(expected)))
    let done = try Retimer.subRip(Array(numbered(whole).utf8), by: map)
    #expect(done.written == expected.count && done.dropped == cues.count - expected.count)

    func vtt(_ rows: [String]) -> String {
      "WEBVTT\n\n" + rows.map { String($0.map { $0 == "," ? "." : $0 }) }.joined(separator: "\n")
    }
    #expect(trimmed(try retimed(.webVTT, vtt(whole), map)) == trimmed(vtt(expected)))
  }

  @Test(arguments: [(45, 6), (500, 7)] as [(Int, UInt64)])
  func
    `When the words of a transcript are re-timed, Then each time is the mapped time, rounded once`(
      _ cuts: Int, _ seed: UInt64
    ) throws
  {
    let removed = Removed(cuts: cuts, seed: seed)
    let (map, cues) = (try removed.map, removed.cues(2 * cuts))
    func seconds(_ value: Int64) -> String {
      var text = "\(value / 1000).\(digits(value % 1000, 3))"
      while text.hasSuffix("0"), !text.hasSuffix(".0") { text.removeLast() }
      return text
    }
    func document(_ words: [(Int, Range<Int64>)], to end: Int64) -> String {
      "{\"segments\": [{\"start\": 0.0, \"end\": \(seconds(end)), \"words\": ["
        + words.map {
          "{\"word\": \"w\($0)\", \"start\": \(seconds($1.lowerBound)), \"end\": \(seconds($1.upperBound))}"
        }.joined(separator: ", ") + "]}]}"
    }
    let words = cues.enumerated().map { ($0, $1.source) }
    let last = cues.map(\.source.upperBound).max() ?? 0
    let expected = document(
      cues.enumerated().compactMap { index, cue in cue.output.map { (index, $0) } },
      to: removed.units(min(last * 90, removed.end), per: 1000))
    #expect(try retimed(.transcript, document(words, to: last), map) == expected)
  }
}

@Suite struct `Given texts whose times move with a cut` {
  /// All of a text, in its own place.
  private static let all = range(0, 100_000_000)

  struct Text: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var retimer: Retimer
    var bytes: [UInt8]

    init(_ name: String, _ retimer: Retimer, _ text: String, tail: [UInt8] = []) {
      (testDescription, self.retimer, bytes) = (name, retimer, Array(text.utf8) + tail)
    }
  }

  static let texts = [
    Text(
      "SRT with CRLF and BOM", .subRip,
      "\u{FEFF}1\r\n00:00:01,000 --> 00:00:02,500 X1:3\r\n<i>a</i>\r\n\r\n7\r\n00:00:03,000 --> 00:00:04,000\r\nb\r\n\r\nstill b\r\n"
    ),
    Text(
      "SRT in Latin-1, without a last line end", .subRip, "00:00:01,000 --> 00:00:02,500\na",
      tail: [0xE9]),
    Text(
      "WebVTT", .webVTT,
      "WEBVTT - t\nKind: captions\n\nNOTE\n00:01 no cue\n\nSTYLE\n::cue { color: red }\n\nid --x\n00:01.000  -->\t01:00:02.500 line:0\na <00:00:01.500>b <c.x>c</c> < d\n\n\n00:03.000 --> 00:04.000\n"
    ),
    Text(
      "ASS", .subStation,
      "[Script Info]\r\n; x\r\nTimer: 100.0000\r\n\r\n[Events]\r\nFormat: Layer, Start,End, Text\r\nDialogue: 0, 0:00:01.00 ,0:00:02.50,{\\k20}a, b\r\nComment: 0,0:00:00.00,0:00:00.00,code\r\nDialogue: 0,0:00:05.00,0:00:05.00,x\r\n\r\n[Fonts]\r\nabc\r\n"
    ),
    Text(
      "whisper", .transcript,
      "{\"text\" : \"a\\\"]\", \"segments\":[ {\"id\":0,\"start\":1,\"end\":2.50,\"tokens\":[1,[2]],\"p\":NaN} ,\n{\"words\":[{\"word\":\"b\",\"start\":3.0,\"end\":3.20},{\"word\":\"4\"}],\"end\":4e0,\"start\":3.000}\n], \"word_segments\": [] }\n"
    ),
    Text(
      "FFmpeg's metadata", .ffmetadata,
      ";FFMETADATA1\ntitle=a\\\n[CHAPTER]\\\nb\n\n[CHAPTER]\n# x\nTIMEBASE=1/48000\nSTART=1\nEND=96001\ntitle=c\n[STREAM]\nx=y\n"
    ),
  ]

  @Test(arguments: texts)
  func `When nothing is removed, Then every byte stays`(_ text: Text) throws {
    let done = try text.retimer(text.bytes, by: map(Self.all))
    #expect(
      String(decoding: done.bytes, as: UTF8.self) == String(decoding: text.bytes, as: UTF8.self))
    #expect(done.bytes == text.bytes && done.dropped == 0 && done.clipped == 0 && done.written > 0)
  }

  @Test(arguments: texts)
  func `When only times change, Then only they change`(_ text: Text) throws {
    let longer = try text.retimer(
      text.bytes, by: TimeMap(following: [(range(0, 3_600_000), false), (Self.all, true)]))
    let back = try text.retimer(longer.bytes, by: map(range(3_600_000, 100_000_000)))
    #expect(longer.bytes != text.bytes && longer.clipped == 0)
    #expect(try text.retimer(back.bytes, by: map(Self.all)).written == longer.written)
    func rest(_ bytes: [UInt8]) -> [UInt8] {
      bytes.filter { !"0123456789.:,e".utf8.contains($0) }
    }
    #expect(rest(longer.bytes) == rest(text.bytes) && rest(back.bytes) == rest(text.bytes))
  }

  @Test
  func
    `When cues are removed, at an edge or across a seam, Then they are dropped, clipped or go on`()
    throws
  {
    let text = """
      1
      00:00:00,500 --> 00:00:01,500
      edge

      2
      00:00:01,500 --> 00:00:01,900
      gone

      3
      00:00:01,999 --> 00:00:03,000
      edge

      4
      00:00:00,900 --> 00:00:02,100
      across

      """
    let done = try Retimer.subRip(Array(text.utf8), by: map(range(0, 1000), range(2000, 3000)))
    #expect(
      String(decoding: done.bytes, as: UTF8.self) == """
        1
        00:00:00,500 --> 00:00:01,000
        edge

        2
        00:00:01,000 --> 00:00:02,000
        edge

        3
        00:00:00,900 --> 00:00:01,100
        across

        """)
    #expect((done.written, done.dropped, done.clipped) == (3, 1, 3))
  }

  @Test func `When parts are in another order, or repeat, Then cues are written for each run`()
    throws
  {
    let text = "9\n00:00:00,500 --> 00:00:02,500\nboth\n\n10\n00:00:03,000 --> 00:00:03,500\nlate"
    let parts = try map(range(2000, 4000), range(0, 1000), range(500, 1000))
    #expect(
      try retimed(.subRip, text, parts) == """
        9
        00:00:00,000 --> 00:00:00,500
        both

        10
        00:00:01,000 --> 00:00:01,500
        late

        11
        00:00:02,500 --> 00:00:03,000
        both

        12
        00:00:03,000 --> 00:00:03,500
        both


        """)
    let styled = "WEBVTT\n\nNOTE once\n\n00:00.500 --> 00:02.500\nboth"
    #expect(
      try retimed(.webVTT, styled, parts) == """
        WEBVTT

        NOTE once

        00:00.000 --> 00:00.500
        both

        00:02.500 --> 00:03.000
        both

        00:03.000 --> 00:03.500
        both
        """)
  }

  @Test func `When numbers do not count cues, Then they stay`() throws {
    let text = "4\n00:00:00,000 --> 00:00:01,000\na\n\n4\n00:00:02,000 --> 00:00:03,000\nb\n"
    #expect(
      try retimed(.subRip, text, map(range(2000, 3000)))
        == "4\n00:00:00,000 --> 00:00:01,000\nb\n")
  }

  @Test func `When a cue has times inside, Then they move, and stay within it`() throws {
    let text =
      "WEBVTT\n\n00:00.000 --> 00:04.000\na <00:00:00.500>b <00:00:01.500>c <00:03.000>d <1>e\n"
    #expect(
      try retimed(.webVTT, text, map(range(500, 1000), range(2000, 5000)))
        == "WEBVTT\n\n00:00.000 --> 00:02.500\na <00:00:00.000>b <00:00:00.500>c <00:01.500>d <1>e\n"
    )
  }

  @Test
  func `When times lie between two units, Then they are rounded once, and nothing becomes empty`()
    throws
  {
    let third = MediaTimeRange(from: MediaTime(1, 3), to: MediaTime(2, 1))
    let map = try TimeMap(following: [(try #require(third), true)])
    let ass = "[Script Info]\n[Events]\nFormat: Start, End, Text\n"
    #expect(
      try retimed(.subStation, ass + "Dialogue: 0:00:00.00,0:00:01.00,a\n", map)
        == ass + "Dialogue: 0:00:00.00,0:00:00.67,a\n")
    // A thirtieth of a hundredth is nothing.
    #expect(try retimed(.subStation, ass + "Dialogue: 0:00:00.00,0:00:00.33,a\n", map) == ass)
    let json = "{\"segments\": [{\"start\": 0, \"end\": 0.50000, \"text\": \"a\"}]}"
    #expect(
      try retimed(.transcript, json, map)
        == "{\"segments\": [{\"start\": 0, \"end\": 0.16667, \"text\": \"a\"}]}")
  }

  @Test func `When words are removed, Then those without times go with the word before them`()
    throws
  {
    let text = """
      {"segments": [
        {"start": 0.0, "end": 2.0, "words": [{"word": "1"}, {"word": "a", "start": 0.1, "end": 0.4},
         {"word": "2"}, {"word": "b", "start": 1.0, "end": 1.5}, {"word": "3"}]},
        {"start": 1.2, "end": 1.4, "words": [{"word": "c", "start": 1.2, "end": 1.4}]}
      ], "word_segments": [{"word": "a", "start": 0.1, "end": 0.4}, {"word": "2"},
        {"word": "b", "start": 1.0, "end": 1.5}]}
      """
    #expect(
      try retimed(.transcript, text, map(range(0, 1000))) == """
        {"segments": [
          {"start": 0.0, "end": 1.0, "words": [{"word": "1"}, {"word": "a", "start": 0.1, "end": 0.4},
           {"word": "2"}]}
        ], "word_segments": [{"word": "a", "start": 0.1, "end": 0.4}, {"word": "2"}]}
        """)
    #expect(
      try retimed(
        .transcript, "{\"segments\": [ {\"start\": 5, \"end\": 6} ]}", map(range(0, 1000)))
        == "{\"segments\": []}")
  }

  @Test(
    arguments: [
      ("\"text\": \" a\\n b c\", ", "\"text\": \" a\\n c\", ", nil),
      ("\"text\": \"a\\n b c\", ", "\"text\": \"a\\n c\", ", nil),
      ("\"text\": \"a\\n  b  c\", ", "\"text\": \"a\\n  c\", ", nil),
      ("\"text\": null, ", "\"text\": null, ", nil),
      ("\"text\": \"other\", ", "", "$.text: it is not the text of the segments"),
      (
        "\"language\": \"en\", \"text\": \"\", ", "\"language\": \"en\", ",
        "$.text: it is not the text of the segments"
      ),
    ] as [(String, String, String?)])
  func `When segments of a transcript are removed, Then its text loses them, or is left out`(
    _ text: String, _ expected: String, _ leftOut: String?
  ) throws {
    let segments = [("0.0", "1.0", " a\\n"), ("1.0", "2.0", " b"), ("2.0", "3.0", " c")].map {
      "{\"text\": \"\($2)\", \"start\": \($0), \"end\": \($1)}"
    }
    let bytes = Array("{\(text)\"segments\": [\(segments.joined(separator: ", "))]}".utf8)
    let done = try Retimer.transcript(bytes, by: map(range(0, 1000), range(2000, 3000)))
    let moved = segments[2].replacing("2.0", with: "1.0").replacing("3.0", with: "2.0")
    #expect(
      String(decoding: done.bytes, as: UTF8.self)
        == "{\(expected)\"segments\": [\(segments[0]), \(moved)]}")
    #expect(done.leftOut == [leftOut].compactMap(\.self))
    let all = try Retimer.transcript(bytes, by: map(Self.all))
    #expect(all.bytes == bytes && all.leftOut.isEmpty)
  }

  @Test
  func `When the last chapter has no end, Then it is clipped only where some of it is missing`()
    throws
  {
    let chapters = Array("0:00 a\n0:03 b\n".utf8)
    let retimer = Retimer.listed(.youTube, startsPer: 1)
    func clipped(_ ranges: MediaTimeRange...) throws -> Int {
      try retimer(chapters, by: TimeMap(following: ranges.map { ($0, true) })).clipped
    }
    #expect(try clipped(range(0, 9000)) == 0)
    #expect(try clipped(range(1000, 9000)) == 1)
    #expect(try clipped(range(0, 4000), range(5000, 9000)) == 1)
    #expect(try clipped(range(0, 3000), range(4000, 9000)) == 1)
  }

  @Test
  func
    `When chapters are re-timed, Then they keep their names, and those that are removed are gone`()
    throws
  {
    let parts = try map(range(500, 2000), range(3000, 6000))
    let metadata = [(0, 1000, "a"), (1000, 2500, "b"), (2000, 3000, "c"), (3000, 9000, "d")].map {
      "[CHAPTER]\nTIMEBASE=1/1000\nSTART=\($0)\nEND=\($1)\ntitle=\($2)\n"
    }
    #expect(
      try retimed(.ffmetadata, ";FFMETADATA1\n" + metadata.joined(), parts)
        == ";FFMETADATA1\n"
        + [(0, 500, "a"), (500, 1500, "b"), (1500, 4500, "d")].map {
          "[CHAPTER]\nTIMEBASE=1/1000\nSTART=\($0)\nEND=\($1)\ntitle=\($2)\n"
        }.joined())
    #expect(
      try retimed(.listed(.youTube, startsPer: 1), "0:00 a\n0:01 b\n0:03 c\n0:09 d\n", parts)
        == "0:00 b\n0:02 c\n")
    let xml = """
      <Chapters><EditionEntry><ChapterAtom><ChapterTimeStart>00:00:01.000000000</ChapterTimeStart>
      <ChapterDisplay><ChapterString>a &amp; b</ChapterString></ChapterDisplay></ChapterAtom>
      </EditionEntry></Chapters>
      """
    let moved = try EditListFormat.read(
      Retimer.listed(.matroska)(Array(xml.utf8), by: parts).bytes)
    #expect(moved.parts == [EditList.Part(range(500, 4500), name: "a & b")])
    #expect(
      try Retimer.listed(.audacity)(Array("9.000000\t9.500000\tx\n".utf8), by: parts).bytes == [])
  }

  @Test(
    arguments: [
      (Retimer.subRip, "1\n00:00:02,000 --> 00:00:01,000\n", "line 2: the end"),
      (.subRip, "1\n00:00:02,000 -->\n", "line 2: the cue has no end"),
      (.subRip, "1\n00:00:2,000 --> 00:00:03,000\n", "line 2: the start '00:00:2,000'"),
      (.subRip, "no cues", "no line with the times"),
      (.subRip, "", "no line with the times"),
      (.subRip, "1\n999999999999999999:00:00,000 --> 999999999999999999:00:01,000\n", "line 2:"),
      (.webVTT, "", "does not begin with WEBVTT"),
      (.webVTT, "WEBVTT\nX-TIMESTAMP-MAP=LOCAL:0,MPEGTS:0\n", "line 2: X-TIMESTAMP-MAP"),
      (.webVTT, "WEBVTT\n\na\nb\n00:01.000 --> 00:02.000\n", "line 5: it is neither"),
      (.webVTT, "WEBVTT\n\n00:01.000 --> 00:02.000\n00:01.000 --> 00:02.000\n", "line 4: no blank"),
      (.subStation, "[Script Info]\n", "no [Events]"),
      (.subStation, "[Script Info]\nTimer: 99\n", "line 2: a Timer"),
      (.subStation, "[Events]\nDialogue: 1\n", "line 2: no Format"),
      (.subStation, "[Events]\nFormat: Start, End, Text\nDialogue: 1\n", "line 3: it has 1 fields"),
      (.transcript, "{\"segments\": [{\"start\": 2, \"end\": 1}]}", "$.segments[0]: the end"),
      (
        .transcript,
        "{\"segments\": [{\"start\": 0, \"end\": 2, \"words\": [{\"start\": \"x\", \"end\": 2}]}]}",
        "$.segments[0].words[0]: "
      ),
      (.transcript, "{\"segments\": [{\"start\": 1,", "line 1"),
      (.ffmetadata, ";FFMETADATA1\n[CHAPTER]\nSTART=1\n", "line 2: the chapter has no END"),
    ] as [(Retimer, String, String)])
  func `When a text is damaged, Then it is refused by its line or path`(
    _ retimer: Retimer, _ text: String, _ reason: String
  ) throws {
    do {
      let done = try retimer(Array(text.utf8), by: map(range(0, 1000)))
      Issue.record("\(String(decoding: done.bytes, as: UTF8.self))")
    } catch let error as ListError {
      #expect(error.description.contains(reason), "\(error)")
    }
  }

  @Test func `When a text is cut off or mangled anywhere, Then it is re-timed or refused`() throws {
    let parts = try map(range(2000, 4000), range(0, 1500))
    var outcomes = 0
    for text in Self.texts {
      for place in text.bytes.indices {
        var mangled = text.bytes
        mangled[place] = [0x00, 0x22, 0x5B, 0x3A, 0xFF][place % 5]
        for bytes in [Array(text.bytes[..<place]), mangled] {
          _ = try? text.retimer(bytes, by: parts)
          outcomes += 1
        }
      }
    }
    #expect(outcomes > 1000)
  }

  @Test func `When a text's kind is asked for, Then edit lists and other text are none`() throws {
    #expect(try Retimer.of(Array("x".utf8), extension: "SRT").format.id == "srt")
    #expect(
      try Retimer.of(Array("{\"segments\": []}".utf8), extension: "json").format.id == "whisper")
    #expect(throws: ListError.self) {
      try Retimer.of(Array("1.0 2.0 0\n".utf8), extension: "edl")
    }
    #expect(throws: ListError.self) { try Retimer.of(Array("{}".utf8), extension: "json") }
  }
}
