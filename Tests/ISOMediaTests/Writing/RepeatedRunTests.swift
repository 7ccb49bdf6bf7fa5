import Support
import Testing

/// What FFmpeg's commands write depends on their words and on the files that they read.
@Suite(.enabled(if: FFmpegTool.isInstalled, "ffmpeg is not installed"), .timeLimit(.minutes(1)))
struct `Given runs of FFmpeg with the same words` {
  private static func run(_ words: [String]) async throws -> ProgramRun {
    let options = ["ffmpeg", "-nostdin", "-v", "error", "-y"]
    return try await ProgramRun((options + words).map { Array($0.utf8) })
  }

  private static func decoded(_ path: String) async throws -> ProgramRun {
    try await run(["-i", path, "-f", "s16le", "-"])
  }

  private static func tone(in folder: ScratchFolder) async throws -> String {
    let path = folder.path(of: "tone.wav")
    let run = try await run(["-f", "lavfi", "-i", "sine=d=0.1", path])
    try #require(run.status == 0)
    return path
  }

  @Test func `then each has its own file, which others do not change`() async throws {
    let (first, second) = (try ScratchFolder(), try ScratchFolder())
    let bytes = try fileBytes(try await Self.tone(in: first))
    try first.write([1, 2, 3], to: "tone.wav")
    #expect(try fileBytes(try await Self.tone(in: second)) == bytes)
    #expect(bytes.count > 44)
    #expect(try fileBytes(first.path(of: "tone.wav")) == [1, 2, 3])
  }

  @Test func `then each reads the file as it is`() async throws {
    let folder = try ScratchFolder()
    let path = try await Self.tone(in: folder)
    let before = try await Self.decoded(path)
    var bytes = try fileBytes(path)
    bytes[bytes.count - 1] ^= 1
    try folder.write(bytes, to: "tone.wav")
    let after = try await Self.decoded(path)
    #expect(before.out.count == after.out.count)
    #expect(before.out != after.out)
  }

  @Test func `then one that fails is made again`() async throws {
    let folder = try ScratchFolder()
    let path = folder.path(of: "late.wav")
    let before = try await Self.decoded(path)
    #expect(before.status != 0)
    try folder.write(try fileBytes(try await Self.tone(in: folder)), to: "late.wav")
    let after = try await Self.decoded(path)
    #expect(after.status == 0)
    #expect(!after.out.isEmpty)
  }
}
