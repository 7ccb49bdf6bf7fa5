import Support
import Testing

@testable import TrimCommands

@Suite(
  .enabled(if: Binary.path != nil, "trim is not built beside the tests"), .timeLimit(.minutes(3)))
struct `Given the same command with a seal and without` {
  private static let clips = [
    "chapters.mkv", "broadcast.ts", "vbr.mp3", "live.webm", "b-frames.mp4",
  ]

  private func run(_ words: [String], _ isolation: String, in folder: ScratchFolder) async throws
    -> ProgramRun
  {
    let tool = try #require(Binary.path)
    return try await ProgramRun(
      ([tool] + words + ["--isolation", isolation]).map { Array($0.utf8) }, folder: folder.path)
  }

  @Test(arguments: clips, ["auto", "packets", "frames"])
  func `then a probe reports the same`(_ clip: String, _ depth: String) async throws {
    let folder = try ScratchFolder()
    let words = [
      "probe", SampleClips.path(clip), "--depth", depth, "--keyframes", "--frames", "--json",
    ]
    let sealed = try await run(words, "required", in: folder)
    let open = try await run(words, "off", in: folder)
    #expect(sealed.out == open.out)
    #expect(sealed.err == open.err)
    #expect(sealed.ending == open.ending)
  }

  /// The output about a file is produced where FFmpeg reads it.
  @Test(arguments: ["probe", "check"], [[], ["--json"], ["--jsonl"], ["--color", "always"]])
  func `then many files are reported alike, in every output format`(
    _ name: String, _ form: [String]
  ) async throws {
    let folder = try ScratchFolder()
    let strange = "t\u{1B}[31mé.mkv"
    _ = try folder.write(SampleClips.bytes("chapters.mkv"), to: strange)
    _ = try folder.write(SampleClips.bytes("vbr.mp3"), to: [0x61, 0xFF, 0x2E, 0x6D, 0x70, 0x33])
    let clips = Self.clips.map(SampleClips.path)
    for files in [clips + [strange, "missing.mkv"], ["chapters.mkv"].map(SampleClips.path)] {
      let words = [name] + form + files
      let sealed = try await run(words, "required", in: folder)
      let open = try await run(words, "off", in: folder)
      #expect(sealed.out == open.out)
      #expect(sealed.err == open.err)
      #expect(sealed.ending == open.ending)
      #expect(!sealed.outText.isEmpty)
    }
    let list = try folder.write([0x61, 0xFF, 0x2E, 0x6D, 0x70, 0x33, 0x0A], to: "list")
    let words = [name] + form + ["--files-from", list]
    let sealed = try await run(words, "required", in: folder)
    #expect(sealed.out == (try await run(words, "off", in: folder)).out)
  }

  /// Copied MP4 is cut without FFmpeg, unless everything is to be sealed.
  @Test(arguments: [
    ["cut", "b-frames.mp4", "--from", "1.1", "--to", "2.3", "-o", "made.mp4"],
    ["cut", "b-frames.mp4", "--from", "1", "--to", "2", "--verify", "written", "-o", "made.mp4"],
    ["cut", "b-frames.mp4", "--from", "1", "--to", "2", "--json", "-o", "made.mp4"],
    [
      "cut", "b-frames.mp4", "--mode", "copy", "--from", "1.1", "--to", "2", "-n", "-o", "made.mp4",
    ],
    ["cut", "chapters.mkv", "--from", "1.1", "--to", "2.3", "-o", "made.mkv"],
    ["cut", "vfr.mp4", "--from", "10f", "--to", "40f", "-o", "made.mp4"],
    [
      "cut", "open-gop.mp4", "--keep", "0.5..1", "--keep", "2..2.5", "--join", "-o", "made.mp4",
    ],
    ["cut", "broadcast.ts", "--from", "1.1", "--to", "2.3", "--audio", "encode", "-o", "made.mp4"],
    ["strip", "hevc.mp4", "-o", "made.png"], ["wave", "live.webm", "-o", "made.svg"],
    ["timeline", "chapters.mkv", "--from", "1", "--to", "2", "-o", "made.svg"],
  ])
  func `then the same file is written`(_ words: [String]) async throws {
    let open = try ScratchFolder()
    var words = words
    words[1] = SampleClips.path(words[1])
    let second = try await run(words, "off", in: open)
    for isolation in ["required", "auto"] {
      let sealed = try ScratchFolder()
      let first = try await run(words, isolation, in: sealed)
      #expect(first.status == second.status)
      #expect(first.out == second.out, "\(first.errText)")
      #expect(first.err == second.err)
      #expect(sealed.names == open.names)
      for name in sealed.names {
        let name = String(decoding: name, as: UTF8.self)
        #expect(try fileBytes(sealed.path(of: name)) == fileBytes(open.path(of: name)))
      }
    }
  }

  /// An encoder that finds no CPUs does not code rows in parallel, nor with such a PPS.
  @Test func `then HEVC with rows coded in parallel is encoded as its PPS requires`() async throws {
    let folder = try ScratchFolder()
    _ = try Program.shell(
      "ffmpeg -v error -f lavfi -i testsrc2=s=320x192:r=25:d=2 -c:v libx265 -preset ultrafast "
        + "-tag:v hvc1 -x265-params log-level=none:wpp=1:keyint=25:min-keyint=25:scenecut=0 \"$1\"",
      [Array(folder.path(of: "rows.mp4").utf8)])
    for isolation in ["required", "off"] {
      let done = try await run(
        ["cut", "rows.mp4", "--from", "0.5", "--to", "1.5", "-o", "\(isolation).mp4"], isolation,
        in: folder)
      #expect(done.status == 0, "\(done.errText)")
    }
    #expect(
      try fileBytes(folder.path(of: "required.mp4")) == fileBytes(folder.path(of: "off.mp4")))
  }

  @Test(arguments: [
    ["probe", "missing.mkv"], ["probe", "not-media.mp4"],
    ["probe", "truncated.mp4", "--depth", "frames"],
    ["cut", "not-media.mp4", "--from", "1", "--to", "2", "-o", "made.mp4"],
    ["cut", "b-frames.mp4", "--from", "100", "--to", "200", "-o", "made.mp4"],
    ["cut", "b-frames.mp4", "--from", "1", "--to", "2", "-o", "missing/made.mp4"],
    [
      "cut", "b-frames.mp4", "--from", "1", "--to", "2", "--verify", "written", "-o",
      "missing/made.mp4",
    ],
    ["cut", "b-frames.mp4", "--from", "1", "--to", "3", "--max-length", "1", "-o", "made.mp4"],
    ["strip", "sound.m4a", "-o", "made.png"], ["wave", "silent.mp4", "-o", "made.png"],
    ["wave", "sound.m4a", "-o", "missing/made.png"],
  ])
  func `then errors are the same`(_ words: [String]) async throws {
    let folder = try ScratchFolder()
    var words = words
    words[1] = SampleClips.path(words[1])
    let open = try await run(words, "off", in: folder)
    for isolation in ["required", "auto"] {
      let sealed = try await run(words, isolation, in: folder)
      #expect(sealed.err == open.err)
      #expect(sealed.out == open.out)
      #expect(sealed.ending == open.ending)
    }
  }

  @Test func `then a plan of another file is refused, however little would be encoded`()
    async throws
  {
    let folder = try ScratchFolder()
    let plan = try await run(
      ["cut", SampleClips.path("b-frames.mp4"), "--from", "1", "--to", "2", "-n", "--json"], "auto",
      in: folder)
    try folder.write(plan.out, to: "plan.json")
    let text = String(decoding: plan.out, as: UTF8.self)
    let other = text.replacing(
      SampleClips.path("b-frames.mp4"), with: SampleClips.path("silent.mp4"))
    try folder.write(Array(other.utf8), to: "other.json")
    for isolation in ["required", "auto", "off"] {
      let right = try await run(
        ["cut", "--plan", "plan.json", "-f", "-o", "a.mp4"], isolation, in: folder)
      #expect(right.status == 0, "\(right.errText)")
      let wrong = try await run(
        ["cut", "--plan", "other.json", "-o", "b.mp4"], isolation, in: folder)
      #expect(wrong.status == 65, "\(wrong.errText)")
      #expect(wrong.errText.contains("the plan was made for another file"))
    }
  }

  @Test func `then any other value is refused`() async throws {
    let folder = try ScratchFolder()
    #expect(try await run(["probe", "x"], "never", in: folder).status == 64)
  }
}
