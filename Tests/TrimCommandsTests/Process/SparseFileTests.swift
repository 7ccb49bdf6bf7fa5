import Foundation
import Support
import Testing

@Suite(.enabled(if: BuiltTool.path != nil, BuiltTool.absence), .timeLimit(.minutes(5)))
struct `Given a file that ends with four gigabytes of zeros` {
  private func run(_ name: String) async throws -> ProgramRun {
    let folder = try ScratchFolder()
    let path = try folder.write(
      SampleClips.bytes(name), to: "clip", sparselyUpTo: 4 << 30)
    // It needs two seconds of CPU time; the tool's own timeout would end it with 75.
    return try await BuiltTool.run(
      "probe", "--json", "--timeout", "60", path, limit: .seconds(120))
  }

  @Test(arguments: ["live.webm", "broadcast.ts", "vbr.mp3", "adts.aac"])
  func `then the zeros are damage, and are not read to their end`(_ name: String) async throws {
    let run = try await run(name)
    expectHarmless(run, statuses: [65], peakBytes: 100 << 20)
    #expect(run.outText.contains("\"garbage\""))
    #expect(run.busy < .seconds(10))
  }

  /// FFmpeg's parsers accumulate everything between two pictures of a raw stream.
  @Test(arguments: [("libx264", "h264"), ("libx265", "hevc"), ("mpeg2video", "m2v")])
  func `then a raw stream takes no extra memory`(
    _ encoder: String, _ kind: String
  ) async throws {
    let folder = try ScratchFolder()
    let path = folder.path(of: "clip.\(kind)")
    try await make(
      path,
      [
        "-f", "lavfi", "-i", "testsrc=s=320x240:d=2", "-pix_fmt", "yuv420p", "-c:v", encoder,
      ])
    let run = try await BuiltTool.run(
      "probe", "--json", "--timeout", "60", path, limit: .seconds(120))
    expectHarmless(run, statuses: [65], peakBytes: 100 << 20)
    #expect(run.outText.contains("\"garbage\""))
  }

  private func make(_ path: String, _ options: [String]) async throws {
    let making = try await ProgramRun(
      (["ffmpeg", "-v", "error"] + options + [path]).map { Array($0.utf8) })
    #expect(making.status == 0, "\(making.errText)")
    #expect(truncate(path, 4 << 30) == 0)
  }

  /// The encoder's memory is added.
  @Test(arguments: [("libx264", "h264"), ("libx265", "hevc"), ("libsvtav1", "obu")])
  func `then a cut of a raw stream takes no extra memory`(_ encoder: String, _ kind: String)
    async throws
  {
    let folder = try ScratchFolder()
    let path = folder.path(of: "clip.\(kind)")
    try await make(
      path,
      [
        "-f", "lavfi", "-i", "testsrc=s=320x240:r=25:d=2", "-pix_fmt", "yuv420p", "-g", "25",
        "-c:v", encoder,
      ])
    let made = folder.path(of: "made.mkv")
    let cut = try await BuiltTool.run(
      "cut", path, "--from", "0.5", "--to", "1.7", "-o", made, limit: .seconds(120))
    expectHarmless(cut, statuses: [0], peakBytes: 100 << 20)
    let probe = try await BuiltTool.run("probe", "--json", made)
    #expect(probe.outText.contains("\"value\": \"6/5\""), "\(probe.outText)")
  }

  /// FFmpeg takes any bytes for DV frames.
  @Test func `then what follows raw DV does not count as a frame`() async throws {
    let folder = try ScratchFolder()
    let path = folder.path(of: "clip.dv")
    try await make(
      path,
      [
        "-f", "lavfi", "-i", "testsrc=s=720x576:r=25:d=1", "-pix_fmt", "yuv420p", "-c:v", "dvvideo",
      ])
    let run = try await BuiltTool.run("probe", "--json", path, limit: .seconds(120))
    expectHarmless(run, statuses: [65], peakBytes: 100 << 20)
    #expect(run.outText.contains("\"garbage\""))
    #expect(run.outText.contains("\"value\": \"1\""), "\(run.outText)")
  }

  @Test func `then frames after a shorter run of zeros are found`() async throws {
    let folder = try ScratchFolder()
    let clip = folder.path(of: "clip.h264")
    let making = try await ProgramRun(
      [
        "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=s=320x240:r=25:d=1", "-pix_fmt",
        "yuv420p", "-c:v", "libx264", clip,
      ].map { Array($0.utf8) })
    try #require(making.status == 0)
    let bytes = Array(try Data(contentsOf: URL(filePath: clip)))
    let path = try folder.write(
      bytes + [UInt8](repeating: 0, count: 3 << 20) + bytes, to: "both.h264")
    let run = try await BuiltTool.run("probe", "--json", path)
    #expect(run.outText.contains("\"value\": \"2\""), "\(run.outText)")
  }

  @Test(
    arguments: Sample.of(["ac3", "aiff", "avi", "flac", "flv", "mpg", "mxf", "ogg", "wav"], 3))
  func `then no container takes extra memory`(_ kind: String) async throws {
    let folder = try ScratchFolder()
    let path = folder.path(of: "clip.\(kind)")
    let isSound = ["ac3", "aiff", "flac", "ogg", "wav"].contains(kind)
    try await make(
      path, ["-f", "lavfi", "-i", isSound ? "sine=d=2" : "testsrc=s=320x240:r=25:d=2"])
    let run = try await BuiltTool.run(
      "probe", "--json", "--timeout", "60", path, limit: .seconds(120))
    expectHarmless(run, statuses: [0, 65], peakBytes: 100 << 20)
    // On a slow machine, FFmpeg's search through the zeros of a WAV exceeds the limit of one step.
    #expect(
      run.outText.contains("\"durations\"")
        || kind == "wav" && run.outText.contains("did not finish a step"))
  }

  /// FFmpeg takes all of it for sound.
  @Test func `then audio whose header states its length ends there, in a cut, too`() async throws {
    let folder = try ScratchFolder()
    let path = folder.path(of: "clip.au")
    try await make(path, ["-f", "lavfi", "-i", "sine=d=2"])
    let probe = try await BuiltTool.run("probe", "--json", path)
    expectHarmless(probe, statuses: [0], peakBytes: 100 << 20)
    #expect(probe.outText.contains("\"value\": \"2\""), "\(probe.outText)")
    #expect(probe.outText.contains("trailing-bytes"))
    let cut = try await BuiltTool.run(
      "cut", path, "--from", "0.5", "--to", "end", "-o", folder.path(of: "made.mov"))
    expectHarmless(cut, statuses: [0], peakBytes: 100 << 20)
    let made = try await BuiltTool.run("probe", "--json", folder.path(of: "made.mov"))
    #expect(made.outText.contains("\"value\": \"3/2\""), "\(made.outText)")
  }

  @Test(arguments: ["live.webm", "broadcast.ts", "vbr.mp3"])
  func `then the output about it stays short enough to read`(_ name: String) async throws {
    let folder = try ScratchFolder()
    let path = try folder.write(
      SampleClips.bytes(name), to: "clip", sparselyUpTo: 4 << 30)
    let run = try await BuiltTool.run("probe", "-vv", "--timeout", "60", path, limit: .seconds(120))
    expectHarmless(run, statuses: [65], peakBytes: 100 << 20)
    #expect((run.out + run.err).count { $0 == 0x0A } <= 200)
  }

  @Test func `then an MP4 has all its samples before it, and the trailing bytes are reported`()
    async throws
  {
    let run = try await run("under-limit.mp4")
    expectHarmless(run, statuses: [0])
    #expect(run.outText.contains("trailing-bytes"))
  }

  @Test(arguments: [("vbr.mp3", "6176/1225"), ("broadcast.ts", "1136/375")])
  func `then the presented duration is that of the packets`(
    _ name: String, _ length: String
  ) async throws {
    #expect(try await run(name).outText.contains("\"\(length)\""))
  }
}
