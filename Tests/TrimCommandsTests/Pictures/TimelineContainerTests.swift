import Support
import Testing

@Suite(.enabled(if: BuiltTool.path != nil, BuiltTool.absence), .timeLimit(.minutes(1)))
struct `Given a timeline of a file that cannot be cut into its own container` {
  /// ALAC is not written into CAF: a cut goes into MP4, as `trim cut` without a name does.
  @Test func `then it shows what a cut into the next best container does`() async throws {
    let folder = try ScratchFolder()
    _ = try Program.shell(
      "ffmpeg -v error -f lavfi -i sine=d=1 -c:a alac \"$1\"",
      [Array(folder.path(of: "a.caf").utf8)])
    let run = try await BuiltTool.run(
      "timeline", "a.caf", "--from", "0.2", "--to", "0.8", "-o", "a.svg", folder: folder.path)
    expectHarmless(run, statuses: [0])
    let drawing = String(decoding: try fileBytes(folder.path(of: "a.svg")), as: UTF8.self)
    #expect(drawing.contains("cut: 0 copied, 7 new"), "\(drawing)")
  }
}
