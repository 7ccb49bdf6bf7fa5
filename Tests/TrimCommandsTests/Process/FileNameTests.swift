import Support
import Testing

@Suite(.enabled(if: BuiltTool.path != nil, BuiltTool.absence), .timeLimit(.minutes(5)))
struct `Given a file name that means something elsewhere` {
  /// The document without the names.
  private func facts(_ run: ProgramRun) -> [Substring] {
    run.outText.split(separator: "\n").filter { !$0.contains("\"path") && !$0.contains("\"input") }
  }

  @Suite struct `When a file has it` {
    @Test(arguments: [
      "concat:a.mp4", "http:b.mp4", "subfile,,start,0,end,9,,:c.mp4", "data:x", "pipe:0",
      "p%03d.mp4", "*.mp4", "a:b.mp4", "file:x.mp4", "crypto:y.mp4", "clip.mp4#t=1,2", " lead.mp4",
      "~", "$HOME", "a\\b.mp4", "é\u{301}.mp4", "👩‍👩‍👧.mp4", "NUL", "con.mp4",
      String(repeating: "x", count: 255),
    ])
    func `then it is that file and no other`(_ name: String) async throws {
      let folder = try ScratchFolder()
      let clip = try SampleClips.bytes("under-limit.mp4")
      let real = try await BuiltTool.run("check", "--json", SampleClips.path("under-limit.mp4"))
      try folder.write(clip, to: name)
      let run = try await BuiltTool.run("check", "--json", name, folder: folder.path)
      expectHarmless(run, statuses: [0])
      #expect(real.status == 0)
      let outer = `Given a file name that means something elsewhere`()
      #expect(outer.facts(run) == outer.facts(real))
    }

    @Test func `then one that looks like an option works after two dashes`() async throws {
      let folder = try ScratchFolder()
      try folder.write(SampleClips.bytes("under-limit.mp4"), to: "-x.mp4")
      let run = try await BuiltTool.run("probe", "--", "-x.mp4", folder: folder.path)
      expectHarmless(run, statuses: [0])
      let bare = try await BuiltTool.run("probe", "-x.mp4", folder: folder.path)
      expectHarmless(bare, statuses: [64])
    }
  }

  @Suite struct `When no file has it` {
    @Test(arguments: ["http", "https"])
    func `then an address of this machine is refused as such, without any connection`(
      _ scheme: String
    ) async throws {
      let listener = try LoopbackListener()
      let run = try await BuiltTool.run("probe", "\(scheme)://127.0.0.1:\(listener.port)/clip.mp4")
      expectHarmless(run, statuses: [77])
      #expect(run.errText.contains("a loopback address"))
      #expect(!listener.wasCalled)
    }

    @Test(arguments: ["rtsp", "rtmp", "ftp", "srt", "udp"])
    func `then an address is refused as such, without any connection`(_ scheme: String) async throws
    {
      let listener = try LoopbackListener()
      let run = try await BuiltTool.run("probe", "\(scheme)://127.0.0.1:\(listener.port)/clip.mp4")
      expectHarmless(run, statuses: [66])
      #expect(run.errText.contains("only local paths"))
      #expect(!listener.wasCalled)
    }

    @Test func `then a file URL is refused, too`() async throws {
      let run = try await BuiltTool.run("probe", "file://" + SampleClips.path("under-limit.mp4"))
      expectHarmless(run, statuses: [66])
      #expect(run.errText.contains("only local paths"))
    }

    @Test(
      .enabled(if: SystemTrace.isPossible, Comment(rawValue: SystemTrace.absence)),
      arguments: ["rtsp://127.0.0.1:9/a.mp4", "concat:a.mp4|b.mp4", "tcp://127.0.0.1:9"])
    func `then no socket is created`(_ name: String) async throws {
      let trace = try await SystemTrace(
        ["probe", name].map { Array($0.utf8) }, folder: ScratchFolder())
      #expect(trace.run.status == 66)
      #expect(trace.sockets.isEmpty)
    }
  }
}
