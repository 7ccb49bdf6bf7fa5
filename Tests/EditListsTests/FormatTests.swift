import EditLists
import ExactTime
import Testing

@Suite struct `Given a list as other programs write it` {
  private func read(
    _ text: String, context: EditListFormat.Context = EditListFormat.Context()
  ) throws -> EditList { try EditListFormat.read(Array(text.utf8), context: context) }

  @Test func `When comskip wrote it, Then commercials are removed, at exact times`() throws {
    let list = try read("0.00\t60.48\t0\n612.10\t1000.05\t3\n")
    #expect(
      list.parts == [
        EditList.Part(range(0, 60_480), isKept: false),
        EditList.Part(range(612_100, 1_000_050), isKept: false),
      ])
  }

  @Test func `When Kodi's forms are used, Then clocks, frames from 0, comments and marks are read`()
    throws
  {
    let rate = Rational(30000, 1001)
    let list = try read(
      "## comment\n0:01:00.5 1:02 0\n#0 #30 0\n5 7.5 2\n9 2\n",
      context: EditListFormat.Context(rate: rate))
    #expect(list.parts[0].range == range(60_500, 62_000))
    #expect(list.parts[1].range.start == .zero)
    #expect(list.parts[1].range.end == MediaTime(1001, 1000))
    #expect(list.markers.map(\.time) == [MediaTime(15, 2), MediaTime(9)])
  }

  @Test func `When Audacity wrote it, Then labels are names, and points are markers`() throws {
    let list = try read("1.500000\t2.250000\t1\n3.000000\t3.000000\thier, ä\n")
    #expect(list.parts == [EditList.Part(range(1500, 2250), name: "1")])
    #expect(list.markers == [EditList.Marker(MediaTime(3), name: "hier, ä")])
  }

  @Test func `When LosslessCut wrote it, Then open ends are the source's, and quotes are undone`()
    throws
  {
    let list = try read(
      ",56.9568,First\n70,842.86,\"A, \"\"quoted\"\" name\"\n1234,,\n",
      context: EditListFormat.Context(end: MediaTime(2000)))
    #expect(
      list.parts == [
        EditList.Part(
          MediaTimeRange(from: .zero, to: MediaTime(569_568, 10_000))!, name: "First"),
        EditList.Part(range(70_000, 842_860), name: "A, \"quoted\" name"),
        EditList.Part(range(1_234_000, 2_000_000)),
      ])
    #expect(try read("1\t2\ta, b\n").parts == [EditList.Part(range(1000, 2000), name: "a, b")])
  }

  @Test(arguments: ["\n", "\r\n", "\r"])
  func `When lines end in another way or a byte order mark is first, Then nothing changes`(
    end: String
  ) throws {
    let list = try read("\u{FEFF}1,2,x\(end)\(end)3,4\(end)")
    #expect(
      list.parts == [
        EditList.Part(range(1000, 2000), name: "x"), EditList.Part(range(3000, 4000)),
      ])
    #expect(
      failure { try read("\u{FEFF}1,2,x\(end)\(end)3\(end)") }
        == "line 3: it has 1 fields instead of start, end and name")
  }

  /// The error of what should not succeed; `nil` where it does.
  private func failure(_ body: () throws -> EditList) -> String? {
    do {
      _ = try body()
      return nil
    } catch {
      return "\(error)"
    }
  }

  struct Malformed: Sendable, CustomTestStringConvertible {
    let text: String
    let message: String
    var testDescription: String { message }
  }

  static let malformed: [Malformed] = [
    ("", "it is empty"), ("\n \n", "it is empty"),
    ("1 2 0\n3 2 0\n", "line 2: the end 2 is before the start 3"),
    ("1 2 0\n3 3 0\n", "line 2: the range at 3 is empty"),
    ("1 2 0\n3 4 1\n", "line 2: it mutes sound, which a cut does not do"),
    ("-1 2 0\n", "line 1: the start '-1' is negative"),
    ("1 2 0\n3\n", "line 2: it has 1 fields instead of start, end and action"),
    ("1 2 0\n3 0\n", "line 2: its action '0' needs an end"),
    ("#1 #2 0\n", "line 1: it counts frames, and the source's frame rate is not known"),
    ("1,2\n3,x\n", "line 2: the end 'x' is not a number of seconds"),
    ("1,2\n3,1e3\n", "line 2: the end '1e3' is not a number of seconds"),
    ("1,2\n3,NaN\n", "line 2: the end 'NaN' is not a number of seconds"),
    (
      "1,2\n3,99999999999999999999\n",
      "line 2: the end '99999999999999999999' is not a number of seconds"
    ),
    ("1,2\n3,\u{1B}[2J\n", "line 2: the end '?[2J' is not a number of seconds"),
    ("1,\n", "line 1: it has no end, and the source's end is not known"),
    (
      "1,2,\"a\n",
      "it is none of the lists that can be read: "
        + EditListFormat.all.map(\.name).joined(separator: ", ")
    ),
    ("1,2\n1,2,\"a\n", "line 2: a quoted field does not end in this line"),
    ("1,2\n1,2,\"a\"b\n", "line 2: text follows a quoted field"),
    (
      "1.000000\t2.000000\ta\n\\\t10.0\t20.0\n",
      "line 2: it selects frequencies, which a cut does not do"
    ),
    (
      "1.000000\t2.000000\ta\n1.000000\n",
      "line 2: it has 1 columns instead of start, end and label"
    ),
  ].map { Malformed(text: $0.0, message: $0.1) }

  @Test(arguments: malformed)
  func `When it is malformed, Then the error names the line`(case wrong: Malformed) {
    #expect(failure { try read(wrong.text) } == wrong.message)
  }

  @Test func `When it is not UTF-8, Then the error says so`() {
    #expect(
      failure { try EditListFormat.read([0xFF, 0xFE, 0x31, 0]) } == "it is UTF-16; save it as UTF-8"
    )
    #expect(
      failure { try EditListFormat.read(Array("1,2\n3,4,".utf8) + [0xE4]) }
        == "line 2: it is not UTF-8")
    #expect(
      failure { try EditListFormat.read(Array("1,2,\0".utf8)) } == "line 1: it contains a NUL byte")
  }

  @Test(arguments: ["edl", "audacity", "csv", "tsv"])
  func `When a format is written and read, Then the list is the same`(id: String) throws {
    let format = try #require(EditListFormat.all.first { $0.id == id })
    let removes = id == "edl"
    let isLossless = id == "csv" || id == "tsv"
    let list = EditList(
      parts: [
        EditList.Part(
          MediaTimeRange(from: MediaTime(1, 1024), to: MediaTime(20))!,
          name: removes ? nil : "a, \"b\"", isKept: !removes),
        EditList.Part(range(5, 40), isKept: !removes),
      ], markers: isLossless ? [] : [EditList.Marker(MediaTime(7, 8))])
    let written = try format.write(list)
    #expect(written.rounded == 0 && written.leftOut.isEmpty)
    #expect(try EditListFormat.of(Array(written.text.utf8)).id == id)
    #expect(try EditListFormat.read(Array(written.text.utf8)) == list)
  }

  @Test func `When mpv's form names several files, Then each part is of its own`() throws {
    let list = try read(
      "# mpv EDL v0\n# note\n%5%a,;b%,1.5,2;c.mkv,length=2,title=x\nfile=%5%a,;b%,0,1\n")
    #expect(list.sources.map(\.hint) == ["a,;b%", "c.mkv"])
    #expect(
      list.parts == [
        EditList.Part(range(1500, 3500)), EditList.Part(range(0, 2000), source: 1, name: "x"),
        EditList.Part(range(0, 1000)),
      ])
    let written = try EditListFormat.mpv.write(list)
    #expect(written.rounded == 0 && written.leftOut.isEmpty)
    #expect(try read(written.text) == list)
    let lines: [(String, String)] = [
      ("a,1", "it has no length"),
      ("a,1,2,3", "it has more than file, start and length without a name"),
      ("%9%a,1,2", "a value is not as long as its '%9%' has it"),
      ("%a,1,2", "a value after '%' has no length"), ("a,1,2,start=3", "it has the start twice"),
      ("a,1,2,layout=this", "'layout' is not something a cut can follow"),
      ("!no_clip", "the header '!no_clip' is not something a cut can follow"),
      (",1,2", "it names no file"), ("a,-1,2", "the start '-1' is negative"),
    ]
    for (line, message) in lines {
      #expect(failure { try read("# mpv EDL v0\n\(line)\n") } == "line 2: " + message)
    }
    #expect(failure { try read("# mpv EDL v0\n") } == "it has no parts")
  }

  @Test func `When a time has no decimal, Then it is rounded once, and counted`() throws {
    let frame = MediaTimeRange(from: MediaTime(1001, 30000), to: MediaTime(1001, 15000))!
    let written = try EditListFormat.losslessCutCSV.write(
      EditList(
        sources: [EditList.Source(hint: "a.mp4")], parts: [EditList.Part(frame)],
        rate: Rational(30000, 1001)))
    #expect(written.text == "0.033366667,0.066733333,\n")
    #expect(written.rounded == 2)
    #expect(written.leftOut == ["the source's name", "the frame rate"])
  }

  @Test func `When a format cannot hold an entry, Then it is refused by its place`() {
    func refusal(_ format: EditListFormat, _ list: EditList) -> String {
      do { return try format.write(list).text } catch { return "\(error)" }
    }
    let part = EditList.Part(range(0, 10))
    #expect(
      refusal(.edl, EditList(parts: [part]))
        == "parts[0]: an EDL lists what is removed, and this part is not")
    #expect(
      refusal(.edl, EditList(parts: [EditList.Part(range(0, 10), name: "a", isKept: false)]))
        == "parts[0]: an EDL has no names")
    #expect(
      refusal(.audacity, EditList(parts: [part, EditList.Part(range(0, 10), source: 1)]))
        == "parts[1]: a label track holds parts of one source only")
    #expect(
      refusal(.losslessCutCSV, EditList(parts: [part], markers: [EditList.Marker(.zero)]))
        == "markers[0]: a list of LosslessCut has no markers")
    #expect(
      refusal(.losslessCutTSV, EditList(parts: [EditList.Part(range(0, 10), name: "a\tb")]))
        == "parts[0]: a list of LosslessCut has no names with tabs or line breaks")
  }

  @Test(.timeLimit(.minutes(1)))
  func `When it has many lines, Then all are read`() throws {
    let text = (0..<5000).map { "\($0).25,\($0).75,n\($0)\r\n" }.joined()
    let list = try read(text)
    #expect(list.parts.count == 5000)
    #expect(list.parts.last?.range == range(4_999_250, 4_999_750))
  }
}
