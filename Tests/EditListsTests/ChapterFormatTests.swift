import EditLists
import ExactTime
import Testing

@Suite struct `Given a list of chapters` {
  static let list = EditList(
    sources: [EditList.Source(hint: "a b.wav")],
    parts: [
      EditList.Part(range(0, 60_000), name: "Intro"), EditList.Part(range(60_000, 3_725_000)),
      EditList.Part(range(3_725_000, 4_000_000), name: "2: ä; #=\\"),
    ])

  @Test func `When FFmpeg wrote it, Then times count the chapter's time base`() throws {
    let list = try readList(
      """
      ;FFMETADATA1
      title=all
      ; a comment
      encoder=Lavf59.27.100
      [CHAPTER]
      TIMEBASE=1/1000
      START=0
      END=1500
      title=a \\= b\\; \\#c \\\\ d\\
      e
      [CHAPTER]
      START=1500000000
      END=2000000001
      [STREAM]
      title=not this
      """)
    #expect(
      list.parts == [
        EditList.Part(range(0, 1500), name: "a = b; #c \\ d\ne"),
        EditList.Part(
          MediaTimeRange(from: MediaTime(3, 2), to: MediaTime(2_000_000_001, 1_000_000_000))!),
      ])
  }

  @Test func `When FFmpeg's metadata is written and read, Then the list is the same`() throws {
    let rates: [Rational] = [.ntsc, .film, Rational(48000), Rational(90000)]
    for rate in rates {
      var list = EditList(parts: [
        EditList.Part(frames(1, 1801, at: rate), name: "=;#\\ a\nb\t\\"),
        EditList.Part(frames(1, 2, at: rate)), EditList.Part(range(7, 9)),
      ])
      let written = try EditListFormat.ffmetadata.write(list)
      #expect(written.rounded == 0 && written.leftOut.isEmpty)
      #expect(try readList(written.text) == list)
      list.parts[0].isKept = false
      #expect(
        writeFailure(.ffmetadata, list)
          == "parts[0]: FFmpeg's metadata lists what is kept, and this part is not")
    }
  }

  @Test func `When FFmpeg's metadata is malformed, Then the error names the line`() {
    let wrong: [(String, String)] = [
      ("[CHAPTER]\nEND=1", "line 2: the chapter has no START"),
      ("[CHAPTER]\nSTART=1\n[CHAPTER]", "line 2: the chapter has no END"),
      ("[CHAPTER]\nSTART=1\nEND=1", "line 2: the range at 1/1000000000 is empty"),
      ("[CHAPTER]\nSTART=-1", "line 3: the start '-1' is negative"),
      ("[CHAPTER]\nSTART=1.5", "line 3: the start '1.5' is no integer"),
      ("[CHAPTER]\nTIMEBASE=1/0", "line 3: the time base '1/0' is no fraction"),
      ("[CHAPTER]\nSTART=1\nTIMEBASE=1/9", "line 4: TIMEBASE is after the times"),
      (
        "[CHAPTER]\nTIMEBASE=9/1\nSTART=9223372036854775807\nEND=0",
        "line 2: the chapter's times are out of range"
      ),
      ("title", "line 2: it is no 'key=value'"), ("a\\=b", "line 2: it is no 'key=value'"),
    ]
    for (text, message) in wrong { #expect(readFailure(";FFMETADATA1\n" + text) == message) }
    #expect(readFailure(";FFMETADATA2\n") == "line 1: only version 1 of FFmpeg's metadata is known")
  }

  @Test
  func `When it is simple chapter text, Then pairs of lines are chapters, to the millisecond`()
    throws
  {
    let text = """
      CHAPTER01=00:00:00.000
      CHAPTER01NAME=Intro
      CHAPTER02=00:01:02,123456789
      CHAPTER03=100:00:00.5
      CHAPTER03NAME= a = b

      """
    let list = try readList(text, end: MediaTime(400_000))
    #expect(list.parts.map(\.name) == ["Intro", nil, " a = b"])
    #expect(
      list.parts.map(\.range.start) == [
        .zero, MediaTime(62_123_456_789, 1_000_000_000), MediaTime(720_001, 2),
      ])
    let written = try EditListFormat.simpleChapters.write(list)
    #expect(
      written.rounded == 1 && written.text.contains("CHAPTER02=00:01:02.123\nCHAPTER02NAME=\n"))
    #expect(written.text.contains("CHAPTER03=100:00:00.500\n"))
    #expect(readFailure(text) == "line 4: it ends with the source, whose end is not known")
  }

  @Test func `When YouTube shows it, Then a chapter ends where the next begins`() throws {
    let list = try readList(
      "0:00 Intro\r\n\r\n01:02 - Part | one\r\n1:02:03\r\n", end: MediaTime(4000))
    #expect(
      list.parts == [
        EditList.Part(range(0, 62_000), name: "Intro"),
        EditList.Part(range(62_000, 3_723_000), name: "Part | one"),
        EditList.Part(range(3_723_000, 4_000_000)),
      ])
    let wrong: [(String, String)] = [
      ("0:00 a\nb", "line 2: it does not begin with a time such as 1:23"),
      ("0:00 a\n0:61 b", "line 2: it does not begin with a time such as 1:23"),
      ("0:00 a\n0:00 b", "line 2: it begins at 0, which is not after 0, where line 1 begins"),
      ("0:09 a\n0:05 b", "line 2: it begins at 5, which is not after 9, where line 1 begins"),
      ("0:00 a\n9:00 b", "line 2: it begins at 540, and the source ends at 60"),
    ]
    for (text, message) in wrong { #expect(readFailure(text, end: MediaTime(60)) == message) }
    #expect(
      readFailure("0:00 a\n") == "line 1: it ends with the source, whose end is not known")
  }

  @Test func `When chapters are written as text, Then they are read back`() throws {
    let written = try EditListFormat.youTube.write(Self.list)
    #expect(written.text == "0:00 Intro\n1:00 \n1:02:05 2: ä; #=\\\n")
    #expect(
      written.leftOut == [
        "the source's name", "the end of the last part, which is the source's end to a reader",
      ])
    #expect(try readList(written.text, end: MediaTime(4000)).parts == Self.list.parts)
    var list = Self.list
    list.parts[1].range = range(60_000, 60_400)
    #expect(
      writeFailure(.youTube, list)
        == "parts[2]: chapter text of YouTube has only starts, and this part does not begin where the "
        + "one before it ends")
    list.parts[2].range = range(60_400, 70_000)
    #expect(
      writeFailure(.youTube, list)
        == "parts[2]: it begins in the same second as the part before it")
    list.parts[0].name = "- a"
    #expect(
      writeFailure(.youTube, list)
        == "parts[0]: chapter text of YouTube has no names that begin or end so")
    list.parts.removeFirst()
    #expect(
      writeFailure(.youTube, list)
        == "parts[0]: chapter text of YouTube begins at 0:00, and this part does not")
  }

  @Test func `When it is a cue sheet, Then frames count from 0, 75 in a second`() throws {
    let list = try readList(
      """
      REM GENRE "x"
      PERFORMER "p"
      TITLE "Album"
      FILE "a b.wav" WAVE
        TRACK 01 AUDIO
          TITLE "One"
          INDEX 01 00:00:00
        TRACK 02 AUDIO
          INDEX 00 00:58:00
          INDEX 01 01:00:01
          INDEX 02 01:01:00
        TRACK 03 AUDIO
          TITLE Three words
          ISRC ABCDE1234567
          INDEX 01 100:00:74
      """, end: MediaTime(7000))
    #expect(list.sources.map(\.hint) == ["a b.wav"])
    #expect(
      list.parts == [
        EditList.Part(frames(0, 4501, at: Rational(75)), name: "One"),
        EditList.Part(frames(4501, 450_074, at: Rational(75))),
        EditList.Part(frames(450_074, 525_000, at: Rational(75)), name: "Three words"),
      ])
    #expect(list.markers.map(\.time) == [MediaTime(61)])
  }

  @Test func `When a cue sheet is written, Then it is read back`() throws {
    let rate = Rational(75)
    let list = EditList(
      sources: [EditList.Source(hint: "a b.wav")],
      parts: [
        EditList.Part(frames(1, 4501, at: rate), name: "One two"),
        EditList.Part(frames(4501, 450_074, at: rate)),
      ])
    let written = try EditListFormat.cue.write(list)
    #expect(written.rounded == 0)
    #expect(
      written.leftOut == ["the end of the last part, which is the source's end to a reader"])
    #expect(try readList(written.text, end: list.parts[1].range.end) == list)
    var many = list
    many.parts = (0..<100).map { EditList.Part(range($0 * 1000, $0 * 1000 + 1000)) }
    #expect(writeFailure(.cue, many) == "parts[99]: a cue sheet has at most 99 tracks")
    #expect(
      writeFailure(.cue, EditList(parts: list.parts))
        == "a cue sheet names its file, and this source has no name")
  }

  @Test func `When a cue sheet is malformed, Then the error names the line`() {
    let start = "FILE \"a\" WAVE\nTRACK 01 AUDIO\nINDEX 01 00:00:00\n"
    let wrong: [(String, String)] = [
      ("PREGAP 00:02:00", "line 4: PREGAP is silence that the file does not hold"),
      ("TRACK 02 MODE1/2352", "line 4: 'MODE1/2352' is a track of data"),
      ("TRACK 02", "line 4: it is not 'TRACK nn AUDIO'"),
      ("TRACK 02 AUDIO", "line 4: the track has no INDEX 01"),
      ("INDEX 01 00:00:01", "line 4: the track has INDEX 01 twice"),
      ("INDEX 02 00:00", "line 4: '00:00' is not minutes, seconds and frames of 1/75 s"),
      ("INDEX 02 00:00:75", "line 4: '00:00:75' is not minutes, seconds and frames of 1/75 s"),
      ("INDEX 02 -1:00:00", "line 4: '-1:00:00' is not minutes, seconds and frames of 1/75 s"),
      ("INDEX 00:00:00", "line 4: it is not 'INDEX nn mm:ss:ff'"),
      (
        "FILE \"b\" WAVE",
        "line 4: a second file is named, and where the one before it ends is not known"
      ),
      ("TITLE \"a", "line 4: a quoted text does not end in this line"),
      ("NONSENSE", "line 4: 'NONSENSE' is no command of a cue sheet"),
      (
        "TRACK 02 AUDIO\nINDEX 01 00:00:00",
        "line 5: it begins at 0, which is not after 0, where line 3 begins"
      ),
    ]
    for (text, message) in wrong {
      #expect(readFailure(start + text, end: MediaTime(9)) == message)
    }
    #expect(readFailure("TRACK 01 AUDIO\n") == "line 1: no FILE is before it")
    #expect(readFailure(start) == "line 3: it ends with the source, whose end is not known")
  }

  @Test func `When it is SubRip, Then each cue is a part with its text as name`() throws {
    let list = try readList(
      "1\r\n00:00:01,000 --> 00:00:02,500 X1:40\r\n<i>Hello</i>\r\n42\r\n\r\n"
        + "2\r\n01:00:00,001 --> 01:00:00,002\r\n")
    #expect(
      list.parts == [
        EditList.Part(range(1000, 2500), name: "<i>Hello</i> 42"),
        EditList.Part(range(3_600_001, 3_600_002)),
      ])
    let start = "1\n00:00:01,000 --> 00:00:02,500\na\n"
    let wrong: [(String, String)] = [
      ("\nb\n", "line 5: it is neither a cue's number nor its times"),
      ("\n2\n", "line 5: it is neither a cue's number nor its times"),
      (
        "2\n00:00:03,000 --> 00:00:04,000\n",
        "line 5: no blank line is between this cue and the one before it"
      ),
      (
        "\n00:00:03.000 --> 00:00:04,000\n",
        "line 5: the start '00:00:03.000' is not a time such as 00:00:01,500"
      ),
      ("\n00:00:03,000 -->\n", "line 5: the cue has no end"),
      ("\n00:00:03,000 --> 00:00:02,000\n", "line 5: the end 2 is before the start 3"),
      (
        "\n-00:00:03,000 --> 00:00:04,000\n",
        "line 5: the start '-00:00:03,000' is not a time such as 00:00:01,500"
      ),
    ]
    for (text, message) in wrong { #expect(readFailure(start + text) == message) }
  }

  @Test func `When it is WebVTT, Then notes and styles are not cues`() throws {
    let list = try readList(
      """
      WEBVTT - title
      Kind: captions

      NOTE nothing

      STYLE
      ::cue { color: red }

      intro
      00:01.000 --> 00:02.500 align:start
      Hello
      there

      100:00:00.001 --> 100:00:00.002
      """)
    #expect(
      list.parts == [
        EditList.Part(range(1000, 2500), name: "Hello there"),
        EditList.Part(range(360_000_001, 360_000_002)),
      ])
    let wrong: [(String, String)] = [
      (
        "X-TIMESTAMP-MAP=LOCAL:00:00.000",
        "line 2: X-TIMESTAMP-MAP moves the times by those of a stream"
      ),
      ("00:01.000 --> 00:02.000", "line 2: no blank line is before the first cue"),
      ("\na\nb\n", "line 4: it is neither a cue's identifier nor its times"),
      ("\n1.000 --> 00:02.000", "line 3: the start '1.000' is not a time such as 00:00:01.500"),
      (
        "\n00:01.00 --> 00:02.000",
        "line 3: the start '00:01.00' is not a time such as 00:00:01.500"
      ),
    ]
    for (text, message) in wrong { #expect(readFailure("WEBVTT\n" + text) == message) }
  }
}
