import Support
import Testing

@Suite(.enabled(if: BuiltTool.path != nil, BuiltTool.absence), .timeLimit(.minutes(5)))
struct `Given environments of every kind` {
  private static let clips = ["under-limit.mp4", "broadcast.ts", "live.webm", "vbr.mp3"]

  private func probe(
    _ options: [String] = [], environment: [String: String] = [:], folder: String? = nil
  ) async throws -> ProgramRun {
    let words = ["probe", "--jsonl"] + options + Self.clips.map(SampleClips.path)
    return try await BuiltTool.run(
      words.map { Array($0.utf8) }, environment: environment, folder: folder)
  }

  @Test(arguments: [
    ["TZ": "Asia/Kathmandu"], ["LC_ALL": "de_DE.UTF-8"], ["LC_ALL": "C"], ["LANG": ""],
    ["HOME": ""], ["TERM": ""], ["TERM": "dumb"], ["TERM": "nonsense"], ["COLUMNS": "1"],
    ["COLUMNS": "10000"], ["COLUMNS": "-3"], ["TMPDIR": "/nonexistent"],
    ["MALLOC_PERTURB_": "85"],
  ])
  func `then they change no byte of JSON`(_ environment: [String: String]) async throws {
    let usual = try await probe()
    let run = try await probe(environment: environment)
    expectHarmless(run, statuses: [0])
    #expect(run.out == usual.out)
  }

  @Test(arguments: ["1", "2", "16"])
  func `then the number of jobs changes no byte either, in repeated runs`(_ jobs: String)
    async throws
  {
    let usual = try await probe()
    #expect(try await probe(["-j", jobs]).out == usual.out)
    #expect(try await probe(["-j", jobs]).out == usual.out)
  }

  @Test func `then an unwritable folder does not matter`() async throws {
    let run = try await probe(folder: "/proc")
    expectHarmless(run, statuses: [0])
    #expect(run.out == (try await probe()).out)
  }

  @Test(arguments: ["1", "2", "7", "10000", "99999999999999999999", "x"])
  func `then output works for a screen of any width`(_ columns: String) async throws {
    let run = try await BuiltTool.run(
      "probe", "--keyframes", SampleClips.path("chapters.mkv"), environment: ["COLUMNS": columns])
    expectHarmless(run, statuses: [0])
    #expect(!run.out.isEmpty)
  }

  @Test func `then a terminal without UTF-8 gets ASCII`() async throws {
    let folder = try ScratchFolder()
    let path = try folder.write(SampleClips.bytes("under-limit.mp4"), to: "Übung–é.mp4")
    let run = try await BuiltTool.run("probe", path, environment: ["LC_ALL": "C", "LANG": "C"])
    expectHarmless(run, statuses: [0])
    #expect(run.out.allSatisfy { $0 < 0x80 })
  }

  @Test(arguments: ["000", "077", "777"])
  func `then no umask changes the output`(_ mask: String) async throws {
    let tool = try #require(BuiltTool.path)
    let run = try await ProgramRun(
      (["sh", "-c", "umask \(mask); exec \"$0\" \"$@\"", tool, "probe", "--jsonl"]
        + Self.clips.map(SampleClips.path)).map { Array($0.utf8) })
    expectHarmless(run, statuses: [0])
    #expect(run.out == (try await probe()).out)
  }

  @Test(.enabled(if: Self.canHideProc, "a namespace of its own is not allowed here"))
  func `then a command that needs permanent threads says that it needs /proc`() async throws {
    let tool = try #require(BuiltTool.path)
    // Longer than the second after which the threads are checked.
    let words = ["play", SampleClips.path("under-limit.mp4"), "--events", "--stop-after", "3"]
    let run = try await ProgramRun(
      (["unshare", "-rm", "sh", "-c", Self.withoutProc, tool] + words).map { Array($0.utf8) })
    expectHarmless(run, statuses: [69])
    #expect(run.errText.contains("/proc is not mounted"))
  }

  private static let canHideProc = SystemAbility.succeeds(
    "unshare", "-rm", "mount", "-t", "tmpfs", "none", "/proc")
  private static let withoutProc = "mount -t tmpfs none /proc && exec \"$0\" \"$@\""

  @Test(
    .enabled(if: Self.canHideProc, "a namespace of its own is not allowed here"),
    arguments: [[], ["-j", "1"], ["-j", "8"], ["--depth", "frames"], ["--timeout", "50"]])
  func `then a system without /proc changes no byte either, whatever the options`(
    _ options: [String]
  ) async throws {
    let tool = try #require(BuiltTool.path)
    let run = try await ProgramRun(
      (["unshare", "-rm", "sh", "-c", Self.withoutProc, tool, "probe", "--jsonl"] + options
        + Self.clips.map(SampleClips.path)).map { Array($0.utf8) })
    expectHarmless(run, statuses: [0])
    #expect(run.out == (try await probe(options).out))
  }

  @Test func `then many files need few file descriptors`() async throws {
    let tool = try #require(BuiltTool.path)
    let names = (0..<300).map { SampleClips.path(Self.clips[$0 % Self.clips.count]) }
    let run = try await ProgramRun(
      (["sh", "-c", "ulimit -n 40; exec \"$0\" \"$@\"", tool, "probe", "--jsonl"] + names)
        .map { Array($0.utf8) })
    expectHarmless(run, statuses: [0])
    #expect(run.outText.split(separator: "\n").count == 300)
  }

  @Test(
    .enabled(if: SystemTrace.isPossible, Comment(rawValue: SystemTrace.absence)),
    arguments: ["under-limit.mp4", "open-gop.mp4", "sound.m4a"])
  func `then the header of an MP4 is read without FFmpeg's libraries`(_ name: String) async throws {
    let trace = try await SystemTrace(
      ["probe", "--depth", "header", SampleClips.path(name)].map { Array($0.utf8) },
      folder: ScratchFolder())
    #expect(trace.run.status == 0)
    #expect(trace.openings(of: "libav").isEmpty)
    #expect(trace.openings(of: name).count == 1)
  }

  @Test(.enabled(if: SystemTrace.isPossible, Comment(rawValue: SystemTrace.absence)))
  func `then other files are read with them, each library once`() async throws {
    let trace = try await SystemTrace(
      ["probe", SampleClips.path("live.webm")].map { Array($0.utf8) }, folder: ScratchFolder())
    #expect(trace.openings(of: "libavformat.so").contains { !$0.contains("ENOENT") })
    #expect(trace.openings(of: "libavdevice").isEmpty)
    #expect(trace.openings(of: "libavfilter").isEmpty)
    #expect(trace.sockets.isEmpty)
  }
}
