import Support
import Testing

@Suite(.enabled(if: BuiltTool.path != nil, BuiltTool.absence), .timeLimit(.minutes(3)))
struct `Given a system with little memory` {
  private static let clip = SampleClips.path("b-frames.mp4")

  @Test(arguments: [300_000, 200_000, 150_000, 100_000])
  func `then work is done as usual or refused with a message, without partial files`(
    _ kibibytes: Int
  ) async throws {
    let tool = try #require(BuiltTool.path)
    for words in [
      ["probe", SampleClips.path("chapters.mkv"), "--json"],
      ["cut", Self.clip, "--from", "1.1", "--to", "2.3", "-o", "made.mp4"],
      ["wave", Self.clip, "-o", "made.png"],
    ] {
      let (narrow, wide) = (try ScratchFolder(), try ScratchFolder())
      let run = try await ProgramRun(
        (["sh", "-c", "ulimit -v \(kibibytes); exec \"$0\" \"$@\"", tool] + words)
          .map { Array($0.utf8) }, folder: narrow.path)
      expectHarmless(run, statuses: [0, 65, 69, 75])
      guard run.status == 0 else {
        #expect(run.errText.hasPrefix("trim: "), "\(run.errText)")
        #expect(narrow.names.isEmpty)
        continue
      }
      let whole = try await ProgramRun(
        ([tool] + words).map { Array($0.utf8) }, folder: wide.path)
      #expect(run.out == whole.out)
      for name in wide.names {
        let name = String(decoding: name, as: UTF8.self)
        #expect(try fileBytes(narrow.path(of: name)) == fileBytes(wide.path(of: name)))
      }
    }
  }
}
