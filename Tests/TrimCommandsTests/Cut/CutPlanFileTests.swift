import Support
import Testing

@Suite(.enabled(if: BuiltTool.path != nil, BuiltTool.absence), .timeLimit(.minutes(5)))
struct `Given a plan that trim cut printed` {
  private static let clip = SampleClips.path("b-frames.mp4")

  private static func run(_ words: [String], in folder: ScratchFolder) async throws -> ProgramRun {
    try await BuiltTool.run((["cut"] + words).map { Array($0.utf8) }, folder: folder.path)
  }

  private static func plan(in folder: ScratchFolder) async throws {
    let run = try await run(
      [clip, "--from", "0.9", "--to", "3.1", "-n", "--json", "-o", "o.mp4"], in: folder)
    try folder.write(run.out, to: "plan.json")
  }

  @Test func `when it is executed then the file is the same as that of a direct cut`() async throws
  {
    let folder = try ScratchFolder()
    try await Self.plan(in: folder)
    let direct = try await Self.run(
      [Self.clip, "--from", "0.9", "--to", "3.1", "-o", "direct.mp4"], in: folder)
    let planned = try await Self.run(["--plan", "plan.json", "-o", "planned.mp4"], in: folder)
    expectHarmless(direct, statuses: [0])
    expectHarmless(planned, statuses: [0])
    let files = try ["direct.mp4", "planned.mp4"].map { try fileBytes(folder.path(of: $0)) }
    #expect(files[0] == files[1])
  }

  @Test(arguments: [
    (["--plan", "plan.json", "--from", "1", "-o", "o.mp4"], Int32(64), "'--plan' and '--from'"),
    (["--plan", "gone.json", "-o", "o.mp4"], 66, "gone.json"),
    (["--plan", "text.json", "-o", "o.mp4"], 65, "not a JSON document"),
    (["--plan", "empty.json", "-o", "o.mp4"], 65, "no plan"),
    (["--plan", "wrong.json", "-o", "o.mp4"], 65, "is missing"),
    (["--plan", "plan.json", "-o", "o.mkv"], 65, ".mp4"),
    (["--plan", "plan.json", SampleClips.path("at-limit.mp4"), "-o", "o.mp4"], 65, "another file"),
    (["--plan", "plan.json", "--max-length", "1", "-o", "o.mp4"], 1, "2.2 s"),
  ])
  func `when it cannot be executed then a message says why, and nothing is written`(
    _ words: [String], _ status: Int32, _ says: String
  ) async throws {
    let folder = try ScratchFolder()
    try await Self.plan(in: folder)
    try folder.write(Array("no".utf8), to: "text.json")
    try folder.write(Array("{}".utf8), to: "empty.json")
    try folder.write(Array("{\"plan\": {}}".utf8), to: "wrong.json")
    let before = folder.names
    let run = try await Self.run(words, in: folder)
    expectHarmless(run, statuses: [status])
    #expect(run.errText.contains(says), "\(run.errText)")
    #expect(folder.names == before)
  }
}
