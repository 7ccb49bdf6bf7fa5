import CommandLineKit
import Support
import Testing

@Suite(.enabled(if: BuiltTool.path != nil, BuiltTool.absence), .timeLimit(.minutes(5)))
struct `Given trim cut` {
  private static let clip = SampleClips.path("b-frames.mp4")

  struct Refusal: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var words: [String]
    var status: Int32
    /// Words of the error.
    var says: String

    init(_ description: String, _ words: [String], _ status: Int32, says: String) {
      testDescription = description
      self.words = words
      self.status = status
      self.says = says
    }
  }

  static let refusals = [
    Refusal("an unknown ending", [clip, "-o", "a.xyz"], 64, says: "a.xyz"),
    Refusal(
      "an end before the start", [clip, "--from", "2", "--to", "1", "-o", "a.mp4"], 64,
      says: "2"),
    Refusal(
      "a part behind the end", [clip, "--from", "50", "--to", "60", "-o", "a.mp4"], 64,
      says: "outside"),
    Refusal(
      "a part twice", [clip, "--keep", "0..1", "--to", "3", "-o", "a.mp4"], 64,
      says: "'--keep' and '--to'"),
    Refusal(
      "a size that is none", [clip, "--max-bytes", "2.5.1M", "-o", "a.mp4"], 64, says: "24MiB"),
    Refusal(
      "more bytes than are allowed", [clip, "--max-bytes", "0.02MB", "-o", "a.mp4"], 1,
      says: "20000 bytes"),
    Refusal(
      "a track of no kind", [clip, "--tracks", "video,sound", "-o", "a.mp4"], 64,
      says: "'sound' is not a track"),
    Refusal(
      "a track that is not there", [clip, "--tracks", "video,9", "-o", "a.mp4"], 64,
      says: "no track 9"),
    Refusal("joining nothing", [clip, "--join", "-o", "a.mp4"], 64, says: "--keep"),
    Refusal("no range", [clip, "--keep", "5", "-o", "a.mp4"], 64, says: "--keep"),
    Refusal("removing all", [clip, "--remove", "..", "-o", "a.mp4"], 64, says: "nothing is left"),
    Refusal(
      "separate parts that are numbered anyway", [clip, "--separate", "-o", "a.mp4"], 64,
      says: "'--separate' needs '--remove'"),
    Refusal(
      "a list of nothing", [clip, "--cuts-are", "keep", "-o", "a.mp4"], 64,
      says: "'--cuts-are' needs '--cuts'"),
    Refusal("a missing list", [clip, "--cuts", "gone.edl", "-o", "a.mp4"], 66, says: "gone.edl"),
    Refusal(
      "a list that is no text", [clip, "--cuts", clip, "-o", "a.mp4"], 65, says: "UTF-8"),
    Refusal("a clip that is too long", [clip, "--max-length", "2", "-o", "a.mp4"], 1, says: "4 s"),
    Refusal(
      "exactly the limit", [clip, "--from", "1", "--to", "3", "--max-length", "2", "-o", "a.mp4"],
      1, says: "exactly the limit"),
    Refusal("a missing file", ["gone.mp4", "-o", "a.mp4"], 66, says: "gone.mp4"),
    Refusal(
      "no media", [SampleClips.path("not-media.mp4"), "-o", "a.mp4"], 65, says: "not-media.mp4"),
    Refusal("a codec that does not fit", [clip, "-o", "a.webm"], 65, says: ".mkv"),
    Refusal("a folder that is not there", [clip, "-o", "nowhere/a.mp4"], 73, says: "nowhere"),
    Refusal("an output that exists", [clip, "-o", "here.mp4"], 73, says: "here.mp4"),
    Refusal(
      "one of several outputs that exists",
      [clip, "--keep", "0..1", "--keep", "1..2", "-o", "several.mp4"], 73, says: "several-2.mp4"),
    Refusal(
      "an edit list in Matroska",
      [clip, "--from", "1", "--mode", "edit-list", "-o", "a.mkv"], 65, says: ".mp4"),
  ]

  @Test(arguments: refusals)
  func `when it cannot be done then the status and a message say so, and nothing is written`(
    _ refusal: Refusal
  ) async throws {
    let folder = try ScratchFolder()
    let mine = Array("mine".utf8)
    try folder.write(mine, to: "here.mp4")
    try folder.write(mine, to: "several-2.mp4")
    let run = try await BuiltTool.run(
      (["cut"] + refusal.words).map { Array($0.utf8) }, folder: folder.path)
    expectHarmless(run, statuses: [refusal.status])
    #expect(run.errText.contains(refusal.says), "\(run.errText)")
    #expect(run.out.isEmpty)
    #expect(folder.names == [Array("here.mp4".utf8), Array("several-2.mp4".utf8)])
    #expect(try fileBytes(folder.path(of: "here.mp4")) == mine)
    #expect(try fileBytes(folder.path(of: "several-2.mp4")) == mine)
  }

  @Test(arguments: [("video", ["video"]), ("2", ["audio"]), ("video,2", ["video", "audio"])])
  func `when tracks are chosen then the file has no others`(
    _ choice: String, _ kinds: [String]
  ) async throws {
    let folder = try ScratchFolder()
    let run = try await BuiltTool.run(
      "cut", Self.clip, "--from", "1.01", "--to", "3", "--tracks", choice, "-o", "a.mp4",
      folder: folder.path)
    expectHarmless(run, statuses: [0])
    let probe = try await BuiltTool.run("probe", "--json", "a.mp4", folder: folder.path)
    let facts = try JSONReader.read(probe.out)
    guard case .array(let tracks) = facts["tracks"] else {
      Issue.record("no tracks: \(probe.outText)")
      return
    }
    #expect(tracks.map { $0["type"]?.text } == kinds)
  }

  @Test func `when only the plan is requested then nothing is written`() async throws {
    let folder = try ScratchFolder()
    let run = try await BuiltTool.run(
      "cut", Self.clip, "--from", "1", "--to", "3", "-n", "-o", "a.mp4", folder: folder.path)
    expectHarmless(run, statuses: [0])
    #expect(run.outText.hasPrefix("a.mp4: would be 2 s\n  from 1 up to 3\n"))
    #expect(folder.names.isEmpty)
  }

  @Test func `when several parts are kept then each goes into its own numbered file`() async throws
  {
    let folder = try ScratchFolder()
    let run = try await BuiltTool.run(
      "cut", Self.clip, "--keep", "0..1", "--keep", "2+0.5", "--keep", "3..", "--json", "-o",
      "a.mp4", folder: folder.path)
    expectHarmless(run, statuses: [0])
    let names = (1...3).map { Array("a-\($0).mp4".utf8) }
    #expect(folder.names == Set(names))
    let lines = run.outText.split(separator: "\n")
    #expect(lines.count == 3)
    for (line, name) in zip(lines, names) {
      #expect(line.contains("\"path\":\"\(String(decoding: name, as: UTF8.self))\""))
    }
    let check = try await BuiltTool.run(
      "check", "--min-length", "0.5", "--max-length", "1.000001", "a-1.mp4", "a-2.mp4", "a-3.mp4",
      folder: folder.path)
    #expect(check.status == 0, "\(check.outText)")
  }

  @Test func `when ten parts are kept then their numbers sort in order`() async throws {
    let folder = try ScratchFolder()
    let parts = (0..<10).flatMap { ["--keep", "0.\($0)+0.2"] }
    let run = try await BuiltTool.run(
      (["cut", Self.clip] + parts + ["-o", "a.mp4"]).map { Array($0.utf8) }, folder: folder.path)
    expectHarmless(run, statuses: [0])
    #expect(folder.names.contains(Array("a-01.mp4".utf8)))
    #expect(folder.names.contains(Array("a-10.mp4".utf8)))
  }

  @Test func `when parts are joined then one file is as long as all of them`() async throws {
    let folder = try ScratchFolder()
    let run = try await BuiltTool.run(
      "cut", Self.clip, "--keep", "0..1", "--keep", "2+0.5", "--join", "-o", "a.mp4",
      folder: folder.path)
    expectHarmless(run, statuses: [0])
    #expect(folder.names == [Array("a.mp4".utf8)])
    let probe = try await BuiltTool.run("check", "--max-length", "1.5", folder.path(of: "a.mp4"))
    #expect(probe.outText.contains("exactly the limit"), "\(probe.outText)")
  }
}
