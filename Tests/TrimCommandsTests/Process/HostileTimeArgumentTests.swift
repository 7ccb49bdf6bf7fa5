import Support
import Testing

@Suite(.enabled(if: BuiltTool.path != nil, BuiltTool.absence), .timeLimit(.minutes(5)))
struct `Given an invalid time on the command line` {
  @Test(arguments: [
    "-9223372036854775809", "1e400", "nan", "inf", "0x10", "1/0", "", "1:2:3:4:5", "\u{221E}",
    String(repeating: "9", count: 100_000),
  ])
  func `then it is refused with a caret under what is wrong`(_ text: String) async throws {
    let run = try await BuiltTool.run(
      "play", SampleClips.path("under-limit.mp4"), "--from", text, "--to", "5", "--events",
      "--clock", "virtual")
    expectHarmless(run, statuses: [64])
    #expect(run.out.isEmpty)
    #expect(run.errText.contains("--from"))
    #expect(run.errText.split(separator: "\n").contains { $0.allSatisfy { " ^".contains($0) } })
    #expect(run.err.count < 1 << 20)
  }
}
