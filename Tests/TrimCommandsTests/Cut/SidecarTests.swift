import CommandLineKit
import Glibc
import Support
import Testing

@testable import TrimCommands

@Suite(.enabled(if: BuiltTool.path != nil, BuiltTool.absence), .timeLimit(.minutes(1)))
struct `Given subtitles beside a file that is cut` {
  /// A folder with `clip.mp4`, of 4 s, and what is beside it.
  private func room(_ files: [(String, String)]) throws -> ScratchFolder {
    let folder = try ScratchFolder()
    _ = try folder.write(fileBytes(SampleClips.path("b-frames.mp4")), to: "clip.mp4")
    for (name, text) in files { _ = try folder.write(Array(text.utf8), to: name) }
    return folder
  }

  private static let subtitles =
    "1\n00:00:00,500 --> 00:00:01,250\na\n\n2\n00:00:01,100 --> 00:00:01,400\nb\n\n"
    + "3\n00:00:02,000 --> 00:00:03,001\nc\n"
  private static let moved =
    "1\n00:00:00,500 --> 00:00:01,000\na\n\n2\n00:00:01,500 --> 00:00:02,501\nc\n"

  private func run(_ words: [String], in folder: ScratchFolder) async throws -> ProgramRun {
    try await BuiltTool.run(words.map { Array($0.utf8) }, folder: folder.path)
  }

  private func text(_ name: String, in folder: ScratchFolder) -> String? {
    (try? fileBytes(folder.path(of: name))).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test
  func `when they are to move with it then they do, and are listed, and a dry run is the same`()
    async throws
  {
    let folder = try room([
      ("clip.en.srt", Self.subtitles), ("clip.json", "{\"a\": 1}"), ("clip.2.srt", "?"),
      ("clipper.srt", "?"),
    ])
    #expect(mkfifo(folder.path(of: "clip.de.srt"), 0o600) == 0)
    let cut = ["cut", "clip.mp4", "--remove", "1..1.5", "--sidecars", "--json", "-o", "out.mkv"]
    let dry = try await run(cut + ["-n"], in: folder)
    expectHarmless(dry, statuses: [0])
    #expect(text("out.en.srt", in: folder) == nil)
    let done = try await run(cut, in: folder)
    expectHarmless(done, statuses: [0])
    #expect(text("out.en.srt", in: folder) == Self.moved)
    #expect(text("clip.en.srt", in: folder) == Self.subtitles)
    let records = try [dry, done].map { try JSONReader.read($0.out) }
    #expect(records[0]["sidecars"] == records[1]["sidecars"])
    guard case .array(let sidecars)? = records[1]["sidecars"],
      case .array(let parts)? = records[1]["parts"]
    else {
      Issue.record("\(done.outText)")
      return
    }
    #expect(sidecars.count == 1 && sidecars[0]["path"]?.text == "clip.en.srt")
    #expect(sidecars[0]["output"]?["path"]?.text == "out.en.srt")
    #expect(
      ["written", "dropped", "clipped"].map { sidecars[0][$0]?.exactInteger } == [2, 1, 1])
    let map = ["written_from", "written_to", "output_from", "output_to"]
    #expect(
      parts.map { part in map.map { part[$0]?["value"]?.text ?? "?" } }
        == [["0", "1", "0", "1"], ["3/2", "4", "1", "7/2"]])
  }

  @Test func `when one of their names is taken then nothing is written, unless it may be replaced`()
    async throws
  {
    let folder = try room([("clip.srt", Self.subtitles), ("out.srt", "mine")])
    let cut = ["cut", "clip.mp4", "--remove", "1..1.5", "--sidecars", "-o", "out.mkv"]
    let refused = try await run(cut, in: folder)
    expectHarmless(refused, statuses: [73])
    #expect(text("out.srt", in: folder) == "mine" && text("out.mkv", in: folder) == nil)
    expectHarmless(try await run(cut + ["-f"], in: folder), statuses: [0])
    #expect(text("out.srt", in: folder) == Self.moved)
  }

  @Test func `when one is damaged then nothing is written, and its line is named`() async throws {
    let folder = try room([("clip.srt", "1\n00:00:02,000 --> 00:00:01,000\n")])
    let run = try await BuiltTool.run(
      "cut", "clip.mp4", "--to", "1", "--sidecars", "-o", "out.mp4", folder: folder.path)
    expectHarmless(run, statuses: [65])
    #expect(run.errText.contains("clip.srt") && run.errText.contains("line 2"))
    #expect(text("out.mp4", in: folder) == nil)
  }

  @Test func `when parts become separate files then each has its own`() async throws {
    let folder = try room([("clip.srt", Self.subtitles)])
    let run = try await BuiltTool.run(
      "cut", "clip.mp4", "--keep", "0..1", "--keep", "2..3", "--sidecars", "-o", "out.mp4",
      folder: folder.path)
    expectHarmless(run, statuses: [0])
    #expect(text("out-1.srt", in: folder) == "1\n00:00:00,500 --> 00:00:01,000\na\n\n")
    #expect(text("out-2.srt", in: folder) == "1\n00:00:00,000 --> 00:00:01,000\nc\n")
  }

  @Test func `when the file has several pieces then texts go on across them`() async throws {
    let folder = try room([("edited.srt", Self.subtitles)])
    let movie = EditedMovie(
      try fileBytes(SampleClips.path("open-gop.mp4")),
      [.init(from: 0, lasting: 1), .init(from: 1.5, lasting: 2)])
    _ = try folder.write(movie.bytes, to: "edited.mp4")
    let run = try await BuiltTool.run(
      "cut", "edited.mp4", "--from", "0.5", "--to", "2.5", "--sidecars", "-o", "out.mp4",
      folder: folder.path)
    expectHarmless(run, statuses: [0])
    #expect(
      text("out.srt", in: folder)
        == "1\n00:00:00,000 --> 00:00:00,750\na\n\n2\n00:00:00,600 --> 00:00:00,900\nb\n\n"
        + "3\n00:00:01,500 --> 00:00:02,000\nc\n")
  }

  @Test(arguments: [
    (["cut", "-", "--sidecars", "-o", "a.mp4"], "with names"),
    (["cut", "clip.mp4", "--plan", "p", "--sidecars", "-o", "a.mp4"], "--plan"),
  ])
  func `when there is nothing they could be beside then that is a usage error`(
    _ words: [String], _ reason: String
  ) {
    let run = ToolRun(words.map { ArgumentText($0) })
    #expect(run.status == 64 && run.err.contains(reason))
  }

  @Test(
    arguments: [
      (".srt", "srt"), (".en.srt", "srt"), (".pt-BR.forced.VTT", "vtt"), (".chapters.xml", "xml"),
      (".en-orig.ass", "ass"), (".part2.srt", nil), (".2.srt", nil), (".mp4", nil), ("x.srt", nil),
      (".info.json", nil), (".", nil), ("..srt", nil),
    ] as [(String, String?)])
  func `when a name has this after the stem then it is a sidecar or not`(
    _ ending: String, _ kind: String?
  ) {
    #expect(Sidecars.kind(of: Array(ending.utf8)) == kind)
  }
}

@Suite struct `Given trim retime` {
  private let folder: ScratchFolder
  private let text: String

  init() throws {
    folder = try ScratchFolder()
    text = try folder.write(
      Array("1\n00:00:00,000 --> 00:00:09,000\na\n".utf8), to: "a.srt")
  }

  private func plan(_ json: String) throws -> String {
    try folder.write(Array(json.utf8), to: "plan.json")
  }

  private func part(_ from: String, _ to: String, source: Int? = nil) -> String {
    let source = source.map { "\"source\": \($0), " } ?? ""
    return
      "{\(source)\"written_from\": {\"value\": \"\(from)\"}, \"written_to\": {\"value\": \"\(to)\"}}"
  }

  @Test func `when a plan is given then the times are its output's, and what is written is told`()
    throws
  {
    let plan = try plan("{\"parts\": [\(part("1/3", "1")), \(part("2", "3"))]}")
    let out = folder.path(of: "b.srt")
    let run = ToolRun("retime", text, "--by", plan, "-o", out, "--json")
    #expect(run.status == 0, "\(run.err)")
    #expect(
      String(decoding: try fileBytes(out), as: UTF8.self)
        == "1\n00:00:00,000 --> 00:00:01,667\na\n")
    let record = try JSONReader.read(Array(run.out.utf8))
    #expect(record["kind"]?.text == "retime" && record["clipped"]?.exactInteger == 1)
    #expect(ToolRun("retime", text, "--by", plan, "-o", out).status == 73)
    #expect(ToolRun("retime", text, "--by", plan, "-o", text, "-f").status == 73)
    #expect(ToolRun("retime", text, "--by", plan, "-o", "-").out.hasSuffix("--> 00:00:01,667\na\n"))
  }

  @Test func `when the plan is of several files then one is chosen, and times follow the others`()
    throws
  {
    let parts = [part("0", "5", source: 0), part("1", "2", source: 1)].joined(separator: ", ")
    let plan = try plan("{\"result\": {\"parts\": [\(parts)]}}")
    #expect(ToolRun("retime", text, "--by", plan, "-o", "-").status == 64)
    #expect(ToolRun("retime", text, "--by", plan, "--source", "3", "-o", "-").status == 64)
    #expect(
      ToolRun("retime", text, "--by", plan, "--source", "2", "-o", "-").out
        == "1\n00:00:05,000 --> 00:00:06,000\na\n")
  }

  @Test(arguments: [
    ("{", "not a JSON document"), ("{\"parts\": []}", "no parts"),
    ("{\"parts\": [{\"from\": 1}]}", "$.parts[0]"),
    (
      "{\"parts\": [{\"written_from\": {\"value\": \"2\"}, \"written_to\": {\"value\": \"1\"}}]}",
      "$.parts[0]"
    ),
    (
      "{\"parts\": [{\"written_from\": {\"value\": \"-9223372036854775807\"}, \"written_to\": {\"value\": \"9223372036854775807\"}}]}",
      "out of range"
    ),
  ])
  func `when there are no times in the plan then it is refused by name`(
    _ json: String, _ reason: String
  ) throws {
    let plan = try plan(json)
    let run = ToolRun("retime", text, "--by", plan, "-o", "-")
    #expect(
      run.status == 65 && run.err.contains(reason) && run.err.contains("plan.json"), "\(run.err)")
  }

  @Test func `when nothing of the text is left then nothing is written`() throws {
    let plan = try plan("{\"parts\": [\(part("20", "30"))]}")
    let labels = try folder.write(Array("1.000000\t2.000000\tx\n".utf8), to: "a.txt")
    #expect(ToolRun("retime", labels, "--by", plan, "-o", "-").status == 65)
    #expect(ToolRun("retime", text, "--by", plan, "-o", "-").out.isEmpty)
  }
}
