import Glibc
import Support
import Testing

@Suite(.enabled(if: BuiltTool.path != nil, BuiltTool.absence), .timeLimit(.minutes(5)))
struct `Given a file that ends in four gigabytes of nothing` {
  private func run(_ name: String) async throws -> ProgramRun {
    let folder = try ScratchFolder()
    let path = try folder.write(
      SampleFilms.bytes(name), to: "film", sparselyUpTo: 4 << 30)
    // It needs two seconds of a processor; the tool's own time-out would end it with 75.
    return try await BuiltTool.run(
      "probe", "--json", "--timeout", "60", path, limit: .seconds(120))
  }

  @Test(arguments: ["live.webm", "broadcast.ts", "vbr.mp3", "adts.aac"])
  func `then the nothing is damage, and is not read to its end`(_ name: String) async throws {
    let run = try await run(name)
    expectHarmless(run, statuses: [65], peakBytes: 100 << 20)
    #expect(run.outText.contains("\"garbage\""))
    #expect(run.busy < .seconds(10))
  }

  /// FFmpeg's parsers gather what lies between two pictures of a bare stream.
  @Test(arguments: [("libx264", "h264"), ("mpeg2video", "m2v")])
  func `then a stream without a container takes no more memory`(
    _ encoder: String, _ kind: String
  ) async throws {
    let folder = try ScratchFolder()
    let path = folder.path(of: "film.\(kind)")
    let making = try await ProgramRun(
      [
        "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=s=320x240:d=2",
        "-pix_fmt", "yuv420p", "-c:v", encoder, path,
      ].map { Array($0.utf8) })
    #expect(making.status == 0, "\(making.errText)")
    #expect(truncate(path, 4 << 30) == 0)
    let run = try await BuiltTool.run(
      "probe", "--json", "--timeout", "60", path, limit: .seconds(120))
    expectHarmless(run, statuses: [65], peakBytes: 100 << 20)
    #expect(run.outText.contains("\"garbage\""))
  }

  @Test(arguments: ["live.webm", "broadcast.ts", "vbr.mp3"])
  func `then no more is said of it than a person reads`(_ name: String) async throws {
    let folder = try ScratchFolder()
    let path = try folder.write(
      SampleFilms.bytes(name), to: "film", sparselyUpTo: 4 << 30)
    let run = try await BuiltTool.run("probe", "-vv", "--timeout", "60", path, limit: .seconds(120))
    expectHarmless(run, statuses: [65], peakBytes: 100 << 20)
    #expect((run.out + run.err).count { $0 == 0x0A } <= 200)
  }

  @Test func `then an MP4 has all its samples before it, and says what follows`() async throws {
    let run = try await run("under-limit.mp4")
    expectHarmless(run, statuses: [0])
    #expect(run.outText.contains("trailing-bytes"))
  }

  @Test(arguments: [("vbr.mp3", "6176/1225"), ("broadcast.ts", "1136/375")])
  func `then what is presented is what the packets present`(
    _ name: String, _ length: String
  ) async throws {
    #expect(try await run(name).outText.contains("\"\(length)\""))
  }
}
