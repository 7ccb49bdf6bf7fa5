import EditLists
import ExactTime
import Testing

@Suite struct `Given a list that counts frames` {
  static let comskip = "FILE PROCESSING COMPLETE  11987 FRAMES AT  2997\n-------------------\n"

  @Test func `When comskip wrote it, Then its frames are those of its EDL, from 1`() throws {
    // comskip 0.82 wrote both of one recording: the EDL in hundredths of a second.
    let list = try readList(Self.comskip + "3007\t7502\n")
    let edl = try readList("100.30\t250.28\t0\n")
    #expect(list.rate == .ntsc)
    #expect(
      list.parts == [EditList.Part(frames(3006, 7501, at: .ntsc), isKept: false)])
    for (mine, theirs) in [
      (list.parts[0].range.start, edl.parts[0].range.start),
      (list.parts[0].range.end, edl.parts[0].range.end),
    ] {
      #expect(MediaTime(seconds: mine.seconds - Rational(1, 200)) <= theirs)
      #expect(theirs <= MediaTime(seconds: mine.seconds + Rational(1, 200)))
    }
  }

  @Test func `When comskip's rate has two decimals, Then it is the source's or the nearest`() throws
  {
    func rate(_ hundredths: String, _ source: Rational?) throws -> Rational? {
      try readList("FILE PROCESSING COMPLETE  9 FRAMES AT \(hundredths)\n---\n1\t3\n", rate: source)
        .rate
    }
    #expect(try rate(" 2997", nil) == .ntsc)
    #expect(try rate(" 3000", nil) == Rational(30))
    #expect(try rate(" 3000", .ntsc) == .ntsc)
    #expect(try rate(" 2397", nil) == .film)
    #expect(try rate(" 2500", .ntsc) == Rational(25))
    #expect(try rate(" 1250", nil) == Rational(25, 2))
    #expect(
      try readList("FILE PROCESSING COMPLETE\n---\n0 26\n", rate: Rational(25)).parts
        == [EditList.Part(frames(0, 25, at: Rational(25)), isKept: false)])
  }

  @Test(arguments: [.ntsc, .film, Rational(25), Rational(50), Rational(24), Rational(60000, 1001)])
  func `When it is written and read, Then the list is the same`(rate: Rational) throws {
    let removed = EditList(
      parts: [
        EditList.Part(frames(0, 1, at: rate), isKept: false),
        EditList.Part(frames(17_999, 107_892, at: rate), isKept: false),
      ], rate: rate)
    let text = try EditListFormat.comskip.write(removed)
    #expect(text.rounded == 0 && text.leftOut.isEmpty)
    #expect(try readList(text.text) == removed)
    let kept = EditList(
      sources: [EditList.Source(hint: "b c.mov"), EditList.Source(hint: "a.mp4")],
      parts: [
        EditList.Part(frames(17_999, 107_892, at: rate), name: "x"),
        EditList.Part(frames(1, 3, at: rate), source: 1),
        EditList.Part(frames(0, 1801, at: rate), source: 0, name: "y"),
      ], rate: rate)
    let cmx = try EditListFormat.cmx3600.write(kept)
    #expect(cmx.rounded == 0 && cmx.leftOut.isEmpty)
    #expect(try readList(cmx.text, rate: rate) == kept)
    let unnamed = EditList(parts: [EditList.Part(frames(2, 9, at: rate))], rate: rate)
    #expect(try readList(EditListFormat.cmx3600.write(unnamed).text, rate: rate) == unnamed)
  }

  static let event = "001  A001  V  C  01:00:00:00 01:00:02:00 00:00:00:00 00:00:02:00\n"

  @Test func `When CMX events are out of order, Then the record's order is the list's`() throws {
    let list = try readList(
      """
      TITLE: Two reels
      FCM: NON-DROP FRAME

      002  B002     V     C        10:00:00:00 10:00:01:00 01:00:02:00 01:00:03:00
      * FROM CLIP NAME:  second
      001  A001     V     C        00:00:05:12 00:00:07:12 01:00:00:00 01:00:02:00
      * FROM CLIP NAME: first
      001  A001     A2    C        00:00:05:12 00:00:07:12 01:00:00:00 01:00:02:00
      002  B002     A     C        10:00:00:00 10:00:01:00 01:00:02:00 01:00:03:00
      """, rate: Rational(24))
    #expect(list.sources.map(\.hint) == ["A001", "B002"])
    #expect(
      list.parts == [
        EditList.Part(range(5500, 7500), name: "first"),
        EditList.Part(range(36_000_000, 36_001_000), source: 1, name: "second"),
      ])
    #expect(list.rate == Rational(24))
  }

  @Test func `When CMX is drop-frame, Then labels are left out, with semicolons or colons`() throws
  {
    for (mark, header) in [(";", "TITLE: x"), (":", "FCM: DROP FRAME")] {
      let list = try readList(
        "\(header)\n1 AX V C 00:00:59\(mark)29 00:01:00\(mark)02 01:00:00\(mark)00 01:00:00\(mark)01\n"
      )
      #expect(list.parts == [EditList.Part(frames(1799, 1800, at: .ntsc))])
      #expect(list.sources == [EditList.Source()])
      #expect(list.rate == .ntsc)
    }
    let dropped = "1 AX V C 00:01:00;00 00:01:00;03 01:00:00;00 01:00:00;03\n"
    #expect(readFailure(dropped).hasPrefix("line 1: 00:01:00;00: drop-frame timecode skips"))
  }

  @Test func `When CMX says what no cut does, Then it is refused by name and line`() {
    let refused: [(String, String)] = [
      (
        "002  A  V  D 030  01:00:00:00 01:00:02:00 00:00:02:00 00:00:04:00",
        "it is a dissolve, which a cut does not do"
      ),
      (
        "002  A  V  W001 030  01:00:00:00 01:00:02:00 00:00:02:00 00:00:04:00",
        "it is a wipe, which a cut does not do"
      ),
      (
        "002  A  V  K B  01:00:00:00 01:00:02:00 00:00:02:00 00:00:04:00",
        "it is a key, which a cut does not do"
      ),
      ("M2   A001  048.0  01:00:00:00", "M2 changes the speed, which a cut does not do"),
      ("* EFFECT NAME: BLUR", "EFFECT NAME is not something a cut can follow"),
      (
        "002  BL  V  C  00:00:00:00 00:00:02:00 00:00:02:00 00:00:04:00",
        "BL is black, which no source has"
      ),
      (
        "002  A  V  C  00:00:00:00 00:00:04:00 00:00:02:00 00:00:04:00",
        "100 frames of the source last 50, which a cut does not do"
      ),
      (
        "002  A  V  C  00:00:00:00 00:00:01:00 00:00:03:00 00:00:04:00",
        "a gap is between it and line 1 in the record, which no source fills"
      ),
      (
        "002  A  V2  C  00:00:00:00 00:00:01:00 00:00:01:00 00:00:02:00",
        "it overlaps line 1 in the record"
      ),
      (
        "002  A001  A  C  01:00:00:01 01:00:02:01 00:00:00:00 00:00:02:00",
        "its sound is cut elsewhere than its pictures"
      ),
      (
        "002  A  V  C  00:00:00:25 00:00:01:00 00:00:02:00 00:00:04:00",
        "00:00:00:25: at this rate frames go from 0 to 24"
      ),
      ("002  A  V  C  00:00:00:0x 1 2 3", "'00:00:00:0x' is not a timecode"),
      ("002  A  V  C", "the event has 4 fields instead of 8"),
      ("FCM: 24", "FCM is neither DROP FRAME nor NON-DROP FRAME"),
      ("hello", "'hello' is neither an event nor a comment, which begins with '*'"),
      (
        "002  A  V  C  00:00:00;00 00:00:02;00 00:00:02;00 00:00:04;00",
        "drop-frame and non-drop-frame timecodes are mixed"
      ),
    ]
    for (line, message) in refused {
      #expect(
        readFailure(Self.event + line + "\n", rate: Rational(25)) == "line 2: \(message)", "\(line)"
      )
    }
    #expect(
      readFailure(Self.event)
        == "line 1: it counts frames, and the source's frame rate is not known")
    #expect(readFailure("TITLE: x\n") == "it has no events")
  }

  @Test func `When PySceneDetect wrote it, Then frames count from 1, and before 0.6 from 0`() throws
  {
    // As `write_scene_list` of scenedetect 0.7.2 and 0.5.6 has it.
    let header = `Given a sample of each format`.sceneHeader
    let new =
      header + "1,1,00:00:00.000,0.000,2,00:00:00.067,0.067,2,00:00:00.067,0.067\r\n"
      + "2,3,00:00:00.067,0.067,90,00:00:03.003,3.003,88,00:00:02.936,2.936\r\n"
    let old =
      header + "1,0,00:00:00.000,0.000,2,00:00:00.067,0.067,2,00:00:00.067,0.067\n"
      + "2,2,00:00:00.067,0.067,90,00:00:03.003,3.003,88,00:00:02.936,2.936\n"
    let parts = [
      EditList.Part(frames(0, 2, at: .ntsc)), EditList.Part(frames(2, 90, at: .ntsc)),
    ]
    for text in [new, "Timecode List:,00:00:00.067\n" + new, "00:00:00.067\n" + old] {
      #expect(try readList(text, rate: .ntsc).parts == parts)
      // No rate, or frames of another one: the seconds are what is known.
      for rate in [nil, Rational(25)] {
        #expect(
          try readList(text, rate: rate).parts
            == [EditList.Part(range(0, 67)), EditList.Part(range(67, 3003))])
      }
    }
    let rows: [(String, String)] = [
      ("1,1,,0.000,2", "it has 5 fields instead of 10"),
      ("1,x,,0.000,2,,0.067,2,,0.067", "the start frame 'x' is not a number of frames"),
      ("1,1,,0.000,9,,0.067,2,,0.067", "it has 2 frames from frame 1 to frame 9"),
      ("1,1,,-1,2,,0.067,2,,0.067", "the start '-1' is negative"),
      ("1,1,,0.5,2,,0.5,2,,0.067", "the range at 1/2 is empty"),
    ]
    for (row, message) in rows { #expect(readFailure(header + row) == "line 2: \(message)") }
  }

  @Test func `When comskip's list is malformed, Then the error names the line`() {
    let rows: [(String, String)] = [
      ("3", "it has 1 fields instead of the first frame and the end"),
      ("3\t4\t0", "it has 3 fields instead of the first frame and the end"),
      ("x\t4", "the start 'x' is not a frame"), ("3\t-4", "the end '-4' is negative"),
      ("9\t9", "the range at 1001/3750 is empty"),
      ("9223372036854775807\t9", "the start '9223372036854775807' is out of range"),
      ("99999999999999999999\t9", "the start '99999999999999999999' is not a frame"),
    ]
    for (row, message) in rows {
      #expect(readFailure(Self.comskip + "1 2\n" + row) == "line 4: \(message)")
    }
    let message =
      "line 1: after 'FILE PROCESSING COMPLETE' it is not 'n FRAMES AT r', r in hundredths"
    for header in ["1 FRAMES AT", "1 FRAMES AT 0", "1 FRAMES AT x", "1 FRAME AT 25", "0"] {
      #expect(readFailure("FILE PROCESSING COMPLETE \(header)\n") == message)
    }
    #expect(
      readFailure("FILE PROCESSING COMPLETE\n")
        == "line 1: it names no frame rate, and the source's is not known")
  }

  @Test func `When a list has no such frames, Then it is refused, or rounded and counted`() throws {
    let part = EditList.Part(range(10, 500))
    #expect(
      writeFailure(.cmx3600, EditList(parts: [part]))
        == "a CMX 3600 EDL counts frames, and the list has no frame rate")
    #expect(
      writeFailure(.cmx3600, EditList(parts: [part], rate: Rational(25, 2)))
        == "there is no timecode at 25/2 frames per second")
    #expect(
      writeFailure(.comskip, EditList(parts: [part], rate: Rational(25)))
        == "parts[0]: comskip's TXT lists what is removed, and this part is not")
    let longest = MediaTimeRange(from: .zero, to: MediaTime(.max))!
    #expect(
      writeFailure(.cmx3600, EditList(parts: [EditList.Part(longest)], rate: Rational(1)))
        == "parts[0]: a CMX 3600 EDL has no times from 24 hours on")
    #expect(
      writeFailure(
        .cmx3600, EditList(parts: [EditList.Part(range(0, 86_400_000))], rate: Rational(25)))
        == "parts[0]: a CMX 3600 EDL has no times from 24 hours on")
    #expect(
      writeFailure(.cmx3600, EditList(parts: [EditList.Part(range(1, 2))], rate: Rational(25)))
        == "parts[0]: it is shorter than a frame")
    #expect(
      try EditListFormat.cmx3600.write(EditList(parts: [part], rate: Rational(25))).rounded == 2)
    #expect(
      writeFailure(.comskip, EditList(rate: Rational(1001, 1000)))
        == "comskip's TXT has no way to write the frame rate 1001/1000")
  }
}
