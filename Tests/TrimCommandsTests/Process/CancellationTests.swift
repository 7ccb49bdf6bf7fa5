import Support
import Testing

@Suite(.enabled(if: BuiltTool.path != nil, BuiltTool.absence), .timeLimit(.minutes(5)))
struct `Given a probe that takes long` {
  @Test(arguments: [("INT", 130, "interrupted"), ("TERM", 143, "terminated")])
  func `then a signal ends it, and nothing is left`(
    _ signal: (name: String, status: Int32, word: String)
  ) async throws {
    let folder = try ScratchFolder()
    let tool = try #require(BuiltTool.path)
    // Its input is a pipe that stays open. More goes into it than it holds, so the tool is reading
    // when the signal is sent.
    let script = """
      mkfifo pipe
      env --default-signal "$0" probe - <pipe & process=$!
      exec 4>pipe
      head -c 300000 /dev/zero >&4
      kill -\(signal.name) $process
      wait $process; status=$?
      rm pipe
      exit $status
      """
    let run = try await ProgramRun(
      ["bash", "-c", script, tool].map { Array($0.utf8) }, folder: folder.path,
      limit: .seconds(60))
    expectHarmless(run, statuses: [signal.status])
    #expect(run.errText.contains(signal.word))
    #expect(run.out.isEmpty)
    #expect(folder.names.isEmpty)
  }

  /// What takes FFmpeg time that grows with the square of its number, in one step; in this kind of
  /// file nobody counts it before.
  @Test(arguments: ["1", "2"])
  func `then its time-out ends it inside a step without an end`(_ seconds: String) async throws {
    let folder = try ScratchFolder()
    let entries = (0..<200_000).map { (name: "K\($0)", value: "x") }
    let path = try folder.write(CAFBuilder.sound(entries: entries), to: "sound.caf")
    let run = try await BuiltTool.run(
      "probe", "--timeout", seconds, path)
    expectHarmless(run, statuses: [75], peakBytes: 450 << 20)
    #expect(run.errText.contains("--timeout"))
  }

  @Test(arguments: ["packets", "frames"])
  func `then its time-out ends it`(_ depth: String) async throws {
    let run = try await BuiltTool.run(
      "probe", "--depth", depth, "--timeout", "0.001", SampleFilms.path("broadcast.ts"))
    expectHarmless(run, statuses: [75], peakBytes: 450 << 20)
    #expect(run.errText.contains("--timeout"))
  }
}
