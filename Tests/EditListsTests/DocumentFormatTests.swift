import EditLists
import ExactTime
import Foundation
import Testing

@Suite struct `Given a list in JSON or XML as other programs write it` {
  private func reading(
    _ text: String, rate: Rational? = nil, end: MediaTime? = nil, ignoresMutes: Bool = false,
    readsWords: Bool = false
  ) throws -> EditListFormat.Reading {
    try EditListFormat.reading(
      Array(text.utf8),
      context: EditListFormat.Context(
        rate: rate, end: end, ignoresMutes: ignoresMutes, readsWords: readsWords)
    ).reading
  }

  @Test func `When LosslessCut saved a project, Then what has no end is a marker since version 2`()
    throws
  {
    let read = try reading(DocumentSamples.losslessCut)
    #expect(read.list.sources.map(\.hint) == ["it's.mp4"])
    #expect(read.list.parts == [EditList.Part(range(1500, 2250), name: "First")])
    #expect(read.list.markers == [EditList.Marker(MediaTime(41, 8), name: "mark")])
    #expect(
      read.leftOut == [
        "$.cutSegments[0].tags: tags", "$.cutSegments[1]: the segment is not selected",
      ])
    let first = "{version: 1, cutSegments: [{name: ''}, {start: 3, name: 'x'}]} // end"
    #expect(
      try reading(first, end: MediaTime(9)).list.parts == [
        EditList.Part(range(0, 9000)), EditList.Part(range(3000, 9000), name: "x"),
      ])
  }

  @Test func `When SponsorBlock gave it, Then skips are removed, and the rest is marked or said`()
    throws
  {
    let read = try reading(DocumentSamples.sponsorBlock)
    #expect(
      read.list.parts == [
        EditList.Part(range(0, 10_500), name: "sponsor", isKept: false),
        EditList.Part(range(20_250, 30_125), name: "music_offtopic", isKept: false),
      ])
    #expect(
      read.list.markers == [
        EditList.Marker(MediaTime(40), name: "poi_highlight"),
        EditList.Marker(MediaTime(45), name: "Two"),
      ])
    #expect(
      read.leftOut == [
        "$[3]: it labels the whole video (exclusive_access)",
        "$[4].segment[1]: the end of a chapter, whose start is a marker",
      ])
    let hashed = try reading("[{\"videoID\": \"v\", \"segments\": [{\"segment\": [1, 2]}]}]")
    #expect(hashed.list.sources.map(\.hint) == ["v"])
    #expect(hashed.list.parts == [EditList.Part(range(1000, 2000), isKept: false)])
  }

  @Test func `When a sound is muted, Then it is refused unless it is to be ignored`() throws {
    let mute = "[{\"segment\": [1, 2], \"actionType\": \"mute\"}]"
    #expect(readFailure(mute) == "$[0]: it mutes sound, which a cut does not do")
    let read = try reading(mute, ignoresMutes: true)
    #expect(read.list.parts.isEmpty)
    #expect(read.leftOut == ["$[0]: it mutes sound, which a cut does not do"])
    let lines = try reading("1 2 0\n3 4 1\n", ignoresMutes: true)
    #expect(lines.list.parts == [EditList.Part(range(1000, 2000), isKept: false)])
    #expect(lines.leftOut == ["line 2: it mutes sound, which a cut does not do"])
  }

  @Test func `When yt-dlp wrote it, Then chapters are kept, unless something is to be skipped`()
    throws
  {
    #expect(
      try reading(DocumentSamples.ytDlp).list.parts == [
        EditList.Part(range(0, 12_500), name: "Intro"),
        EditList.Part(range(12_500, 60_500), name: "Rest"),
      ])
    let read = try reading(DocumentSamples.ytDlpSponsors)
    #expect(read.list.parts == [EditList.Part(range(1000, 2500), name: "sponsor", isKept: false)])
    #expect(read.list.markers == [EditList.Marker(.zero, name: "Intro")])
    #expect(read.leftOut.map { $0.hasPrefix("$.chapters: ") } == [true])
  }

  @Test
  func `When whisper wrote it, Then its segments are parts, or its words where those are wanted`()
    throws
  {
    let read = try reading(DocumentSamples.whisper)
    #expect(
      read.list.parts == [
        EditList.Part(range(0, 2500), name: "Hello there."),
        EditList.Part(range(3000, 4000), name: "Bye."),
      ])
    #expect(read.leftOut == ["$.segments[1]: it has no length"])
    let words = try reading(DocumentSamples.whisper, readsWords: true)
    #expect(words.list.parts.map(\.name) == ["Hello", "there."])
    #expect(words.leftOut == ["$.segments[0].words[2]: the word has no times"])
  }

  @Test func `When it is OpenTimelineIO's, Then times count from where the media begins`() throws {
    let read = try reading(DocumentSamples.timeline)
    #expect(read.list.sources.map(\.hint) == ["file:///a.mp4", "b.mp4"])
    #expect(read.list.rate == .ntsc)
    #expect(
      read.list.parts == [
        EditList.Part(frames(30, 90, at: .ntsc), name: "one"),
        EditList.Part(frames(0, 45, at: .ntsc), source: 1),
      ])
    #expect(
      read.list.markers == [
        EditList.Marker(MediaTime(seconds: Rational(40) / Rational.ntsc), name: "mk")
      ])
    #expect(
      read.leftOut == [
        "$.tracks.children[0].children[2]: a gap of 1001/1000 s, in which nothing is shown"
      ])
    // 29.97 is not within a thousandth of the source's rate, and counts at its own.
    #expect(try reading(DocumentSamples.timeline, rate: Rational(25)).list == read.list)
    let rounded = DocumentSamples.timeline.replacing("29.97002997002997", with: "29.97")
    #expect(try reading(rounded).list == read.list)
    let whole = DocumentSamples.timeline.replacing("29.97002997002997", with: "30")
    #expect(try reading(whole, rate: .ntsc).list == read.list)
    #expect(try reading(whole).list.parts[0].range == range(1000, 3000))
  }

  @Test func `When it is Final Cut Pro's, Then times count from where the asset begins`() throws {
    let read = try reading(DocumentSamples.finalCut)
    #expect(read.list.sources.map(\.hint) == ["file:///a%20b.mov", "file:///b.mov"])
    #expect(read.list.rate == .ntsc)
    #expect(
      read.list.parts == [
        EditList.Part(range(3600, 5600), name: "A & B"),
        EditList.Part(range(6000, 7001), source: 1, name: "c"),
      ])
    #expect(read.list.markers == [EditList.Marker(MediaTime(4601, 1000), name: "here")])
    #expect(read.leftOut == ["line 18: <gap>: a gap of 1 s, in which nothing is shown"])
  }

  @Test func `When it is Matroska's, Then a chapter ends where it says, or where the next begins`()
    throws
  {
    let read = try reading(DocumentSamples.matroska)
    let end = MediaTime(3_602_500_000_001, 1_000_000_000)
    #expect(
      read.list.parts == [
        EditList.Part(range(0, 1001), name: "A < B"),
        EditList.Part(MediaTimeRange(from: MediaTime(1001, 1000), to: end)!),
      ])
    #expect(read.leftOut.isEmpty)
  }

  @Test func `When it is SubStation's, Then its lines are parts, to the hundredth`() throws {
    let read = try reading(DocumentSamples.subStation)
    #expect(
      read.list.parts == [
        EditList.Part(range(1500, 2250), name: "Hello, {\\i1}you{\\i0} there"),
        EditList.Part(range(3_600_000, 3_600_070)),
      ])
  }

  @Test(arguments: [
    DocumentSamples.losslessCut, DocumentSamples.sponsorBlock, DocumentSamples.ytDlp,
    DocumentSamples.whisper, DocumentSamples.timeline, DocumentSamples.finalCut,
    DocumentSamples.matroska, DocumentSamples.subStation,
  ])
  func `When lines end in another way or a byte order mark is first, Then nothing changes`(
    sample: String
  ) throws {
    let read = try reading(sample)
    for end in ["\r\n", "\r"] {
      let text =
        "\u{FEFF}"
        + sample.split(separator: "\n", omittingEmptySubsequences: false)
        .joined(separator: end)
      #expect(try reading(text) == read)
    }
  }
}

@Suite struct `Given a list for a format of JSON or XML` {
  private static let named = EditList.Source(hint: "dir/it's \"a\" & <b>.mp4")

  static let lists: [(String, EditList)] =
    [Rational(25), .film, .ntsc, Rational(60000, 1001)]
    .flatMap { rate -> [(String, EditList)] in
      let parts = [
        EditList.Part(frames(17, 1799, at: rate), name: "a < 'b' & \"c\" ä\u{1F3AC}"),
        EditList.Part(frames(1800, 107_892, at: rate)),
      ]
      let markers = [EditList.Marker(MediaTime(seconds: Rational(40) / rate), name: "m")]
      return [
        ("otio", EditList(sources: [named], parts: parts, markers: markers, rate: rate)),
        ("otio", EditList(sources: [EditList.Source()], parts: parts.reversed(), rate: rate)),
      ]
    } + [
      ("llc", EditList(sources: [named], parts: decimal, markers: [EditList.Marker(MediaTime(3))])),
      ("otio", EditList(sources: [named], parts: decimal)),
      ("otio", EditList(sources: [EditList.Source()], parts: [EditList.Part(variable)])),
      (
        "otio",
        EditList(
          sources: [named, EditList.Source(hint: "2")],
          parts: [EditList.Part(range(0, 10)), EditList.Part(range(5, 20), source: 1)])
      ), ("mkv-chapters", EditList(parts: decimal)),
      ("mkv-chapters", EditList(parts: decimal.reversed())),
    ]

  private static let decimal = [
    EditList.Part(range(0, 1001), name: "x\"'&<\\>"), EditList.Part(range(1001, 86_399_999)),
  ]
  /// Times of a variable rate, in 90 kHz.
  private static let variable = frames(3003, 123_457, at: Rational(90_000))

  @Test(arguments: lists)
  func `When it is written and read, Then it is the same`(id: String, list: EditList) throws {
    let format = try #require(EditListFormat.named(id))
    let written = try format.write(list)
    #expect(written.rounded == 0 && written.leftOut.isEmpty)
    let (found, reading) = try EditListFormat.reading(Array(written.text.utf8))
    #expect(found.id == id && reading.leftOut.isEmpty)
    #expect(reading.list == list)
  }

  @Test(arguments: ["llc", "otio", "mkv-chapters"])
  func `When times are finer than a format's unit, Then they are rounded once, and counted`(
    id: String
  ) throws {
    let format = try #require(EditListFormat.named(id))
    let third = MediaTimeRange(
      from: MediaTime(1, 3), to: MediaTime(1_000_000_007 * 2, 1_000_000_009 * 1))!
    let written = try format.write(EditList(parts: [EditList.Part(third)]))
    #expect(written.rounded == 2)
    let read = try format.read(Array(written.text.utf8)).parts[0].range
    for (one, other) in [(read.start, third.start), (read.end, third.end)] {
      let distance = one.seconds - other.seconds
      #expect(Rational(-1, 1_000_000_000) <= distance && distance <= Rational(1, 1_000_000_000))
    }
  }

  @Test func `When it is trim's own, Then it is what its Codable has, and all of it is kept`()
    throws
  {
    let list = try EditListFormat.trim.read(Array(DocumentSamples.trim.utf8))
    #expect(
      list == (try JSONDecoder().decode(EditList.self, from: Data(DocumentSamples.trim.utf8))))
    #expect(list.parts.map(\.tracks) == [[1], nil] && list.sources[1].identity?.size == 12)
    let written = try EditListFormat.trim.write(list)
    #expect(written.rounded == 0 && written.leftOut.isEmpty)
    #expect(try readList(written.text) == list)
    #expect(try JSONDecoder().decode(EditList.self, from: Data(written.text.utf8)) == list)
    #expect(try EditListFormat.trim.read(Array(JSONEncoder().encode(list))) == list)
    #expect(try readList(EditListFormat.trim.write(EditList()).text) == EditList())
  }

  @Test func `When an extension names one writer, Then it is that one, and otherwise none`() {
    #expect(EditListFormat.written(asExtension: "OTIO")?.id == "otio")
    #expect(EditListFormat.written(asExtension: "llc")?.id == "llc")
    #expect(EditListFormat.written(asExtension: "csv")?.id == "csv")
    for several in ["edl", "txt"] { #expect(EditListFormat.written(asExtension: several) == nil) }
    for onlyRead in ["fcpxml", "srt", "vtt"] {
      #expect(EditListFormat.written(asExtension: onlyRead) == nil)
    }
  }
}
