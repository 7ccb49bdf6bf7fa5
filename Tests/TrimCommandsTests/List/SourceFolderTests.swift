import CommandLineKit
import FoundationEssentials
import Support
import Testing

@testable import TrimCommands

@Suite struct `Given the folder of the files that a list names` {
  private let outer: TemporaryFolder
  private let folder: SourceFolder

  /// `in/a.mp4`, `in/sub/b c.mp4`, `out.mp4` beside the folder, and links to the last two.
  init() throws {
    outer = try TemporaryFolder()
    let inner = outer.path(of: "in")
    try FileManager.default.createDirectory(
      atPath: inner + "/sub", withIntermediateDirectories: true)
    for name in ["in/a.mp4", "in/sub/b c.mp4", "out.mp4"] {
      try outer.write([1], to: name)
    }
    for (link, target) in ["leads-out.mp4": "../out.mp4", "leads-in.mp4": "sub/b c.mp4"] {
      try FileManager.default.createSymbolicLink(
        atPath: inner + "/" + link, withDestinationPath: target)
    }
    folder = try SourceFolder(Array(inner.utf8))
  }

  private func found(_ hint: String) throws(PlayedMedia.Failure) -> String {
    let root = RealPath(Array(outer.path(of: "in").utf8))?.bytes ?? []
    return String(decoding: try folder.file(hint).dropFirst(root.count + 1), as: UTF8.self)
  }

  @Test(arguments: [
    ("a.mp4", "a.mp4"), ("./a.mp4", "a.mp4"), ("sub/b c.mp4", "sub/b c.mp4"),
    ("leads-in.mp4", "sub/b c.mp4"), ("/media/disk 7/a.mp4", "a.mp4"),
    ("file:///media/a.mp4", "a.mp4"), ("file:sub/b%20c.mp4", "sub/b c.mp4"),
    ("C:\\video\\a.mp4", "a.mp4"),
  ])
  func `then a file in it is found, and of a path elsewhere the name counts`(
    _ hint: String, _ path: String
  ) throws { #expect(try found(hint) == path) }

  @Test(arguments: [
    ("../out.mp4", "'..'"), ("sub/../a.mp4", "'..'"), ("..\\out.mp4", "'..'"),
    ("file:///x/%2e%2e/out.mp4", "'..'"), ("leads-out.mp4", "a link that leads out"),
    ("/x/leads-out.mp4", "a link that leads out"), ("missing.mp4", "there is no 'missing.mp4'"),
    ("out.mp4", "there is no"), ("", "names no file"), (".", "there is no"),
    ("a\0.mp4", "names no file"),
  ])
  func `then nothing else is opened, with a sentence`(_ hint: String, _ words: String) {
    do throws(PlayedMedia.Failure) {
      Issue.record("\(hint) is \(try found(hint))")
    } catch {
      #expect(error.message.contains(words), "\(hint): \(error.message)")
      #expect(error.status == .noInput)
    }
  }

  @Test func `when an absolute path is below it, then it is that file`() throws {
    #expect(try found(outer.path(of: "in/sub/b c.mp4")) == "sub/b c.mp4")
    #expect(throws: PlayedMedia.Failure.self) { try found(outer.path(of: "out.mp4")) }
  }

  @Test func `then a list below which a file is names it from there`() {
    #expect(folder.hint(of: Array(outer.path(of: "in/sub/b c.mp4").utf8)) == "sub/b c.mp4")
    #expect(folder.hint(of: Array(outer.path(of: "out.mp4").utf8)) == "out.mp4")
  }
}

@Suite(.enabled(if: BuiltTool.path != nil, BuiltTool.absence), .timeLimit(.minutes(1)))
struct `Given a list that names its files` {
  private let room: TemporaryFolder

  /// `a.mp4` and `b.mp4` of 4 s.
  init() throws {
    room = try TemporaryFolder()
    for name in ["a.mp4", "b.mp4"] {
      try room.write(try SampleClips.bytes("b-frames.mp4"), to: name)
    }
  }

  /// The path of an EDL of mpv.
  private func list(_ text: String) throws -> String {
    try room.write(Array("# mpv EDL v0\n\(text)".utf8), to: "list.edl")
    return room.path(of: "list.edl")
  }

  @Test func `when it is given alone then what lies beside it is cut, if it is one file`()
    async throws
  {
    let one = try await BuiltTool.run(
      "cut", "-n", "--json", "--cuts", try list("a.mp4,1,1\n%5%a.mp4,2.5,0.5\n"))
    expectHarmless(one, statuses: [0])
    let record = try JSONReader.read(one.out)
    #expect(record["input"]?["path"]?.text?.hasSuffix("/a.mp4") == true)
    #expect(record["output"]?["path"]?.text?.hasSuffix("/a-trimmed.mp4") == true)
    let two = try await BuiltTool.run(
      "cut", "-n", "--cuts", try list("b.mp4,1,1\na.mp4,0,2\n"))
    expectHarmless(two, statuses: [65])
    #expect(two.errText.contains("it names 2 files, and one is cut"))
  }

  @Test func `when two of its paths would be one file then it is refused`() async throws {
    let run = try await BuiltTool.run(
      "join", "-n", "--cuts", try list("/card1/a.mp4,0,1\n/card2/a.mp4,1,1\n"), "-o",
      room.path(of: "all.mp4"))
    expectHarmless(run, statuses: [65])
    #expect(run.errText.contains("sources 1 and 2 have different paths"))
  }

  @Test func `when its files have timecodes of their own then each is counted from its own`()
    async throws
  {
    var clip = try SampleClips.bytes("ntsc.mp4")
    try room.write(clip, to: "c.mp4")
    // Its only frame number is 00:00:59;20; the other file begins at 00:00:00;00.
    let start = try #require(clip.firstRange(of: [0, 0, 0x06, 0xFE]))
    clip.replaceSubrange(start, with: [0, 0, 0, 0])
    try room.write(clip, to: "d.mp4")
    let edl = """
      TITLE: T
      FCM: DROP FRAME

      001  AX       V     C        00:01:00;02 00:01:00;12 00:00:00;00 00:00:00;10
      * FROM CLIP NAME: c.mp4
      002  AX       V     C        00:00:00;05 00:00:00;15 00:00:00;10 00:00:00;20
      * FROM CLIP NAME: d.mp4

      """
    try room.write(Array(edl.utf8), to: "list.edl")
    let run = try await BuiltTool.run(
      "join", "-n", "--json", "--cuts", room.path(of: "list.edl"), "-o", room.path(of: "all.mp4"))
    expectHarmless(run, statuses: [0])
    guard case .array(let parts)? = try JSONReader.read(run.out)["parts"] else {
      Issue.record("there are no parts")
      return
    }
    // 10 and 5 frames after each one's first.
    #expect(parts.map { $0["from"]?["value"]?.text } == ["1001/3000", "1001/6000"])
  }

  @Test(arguments: [("NON-DROP FRAME", ":28", ":02"), ("DROP FRAME", ";45", ";15")])
  func `when it counts frames then its files are found at any rate`(
    _ mode: String, _ frames: String, _ end: String
  ) throws {
    let separator = frames.prefix(1)
    let edl = """
      TITLE: T
      FCM: \(mode)

      001  AX       V     C        00:00:00\(frames) 00:00:02\(separator)00 00:00:00\(separator)00 00:00:01\(end)
      * FROM CLIP NAME: a.mp4

      """
    try room.write(Array(edl.utf8), to: "list.edl")
    let path = room.path(of: "list.edl")
    let files = try ListedFiles(
      namedIn: ArgumentText(path), in: SourceFolder(Array(room.path(of: ".").utf8)))
    #expect(files.paths.values.map { String(decoding: $0.suffix(6), as: UTF8.self) } == ["/a.mp4"])
  }

  @Test func `when it is joined then its parts follow each other in its order`() async throws {
    let output = room.path(of: "all.mp4")
    let list = try list("b.mp4,1,1\na.mp4,0,2\nb.mp4,3,0.5\n")
    let run = try await BuiltTool.run("join", "--json", "--cuts", list, "-o", output)
    expectHarmless(run, statuses: [0])
    let record = try JSONReader.read(run.out)
    guard case .array(let parts)? = record["parts"] else {
      Issue.record("\(run.outText)")
      return
    }
    #expect(parts.count == 3)
    let probe = try await BuiltTool.run("probe", "--json", output)
    let length = try JSONReader.read(probe.out)["durations"]?["presented"]?["value"]
    #expect(length?.text == "7/2", "\(probe.outText)")
  }

  @Test func `when a file is not below the folder then it is refused, and nothing is written`()
    async throws
  {
    let outside = try list("../a.mp4,1,1\n")
    for words in [["cut"], ["join"], ["list", "show"]] {
      let more =
        words[0] == "list"
        ? ["--sources", room.root, outside] : ["--cuts", outside, "-o", room.path(of: "x.mp4")]
      let run = try await BuiltTool.run((words + more).map { Array($0.utf8) })
      expectHarmless(run, statuses: [66])
      #expect(run.errText.contains("'..'"), "\(run.errText)")
    }
    let elsewhere = try TemporaryFolder()
    let run = try await BuiltTool.run(
      "join", "--cuts", try list("a.mp4,1,1\n"), "--sources", elsewhere.root, "-o",
      room.path(of: "x.mp4"))
    expectHarmless(run, statuses: [66])
    #expect(run.errText.contains("there is no 'a.mp4' below"))
    #expect(!FileManager.default.fileExists(atPath: room.path(of: "x.mp4")))
  }

  @Test func `when it is shown with a folder then it is checked against the files there`()
    async throws
  {
    let late = try list("a.mp4,1,1\nb.mp4,3,2\n")
    let run = try await BuiltTool.run("list", "show", "--sources", room.root, late)
    expectHarmless(run, statuses: [1])
    #expect(run.outText.contains("does not fit: parts[1]: it ends at 5 s, and b.mp4 ends at 4 s"))
  }

  @Test func `when a folder has no list to serve then that is said`() async throws {
    let clip = room.path(of: "a.mp4")
    for words in [
      ["cut", clip, "--sources", room.root], ["join", clip, "--sources", room.root, "-o", "x.mp4"],
      ["join", clip, "--cuts", "list.edl", "-o", "x.mp4"],
    ] {
      let run = try await BuiltTool.run(words.map { Array($0.utf8) }, folder: room.root)
      expectHarmless(run, statuses: [64])
    }
  }
}
