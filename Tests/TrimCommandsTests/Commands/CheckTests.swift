import CommandLineKit
import ExactTime
import MediaEngine
import MediaFacts
import Testing

@testable import TrimCommands

@Suite struct `Given trim check` {
  static let clips: [String: Result<MediaFacts, MediaError>] = [
    "under": .success(Clips.lasting(MediaDuration(30197, 500))),
    "just-under": .success(Clips.lasting(MediaDuration(60_499_999, 1_000_000))),
    "at": .success(Clips.lasting(MediaDuration(121, 2))),
    "just-over": .success(Clips.lasting(MediaDuration(60_500_001, 1_000_000))),
    "over": .success(Clips.lasting(MediaDuration(606, 10))),
    "empty": .success(Clips.lasting(.zero)),
    "huge": .success(Clips.lasting(MediaDuration(.max, 1))),
    "damaged": .success(Clips.truncated),
    "unknown": .success(
      MediaFacts(container: ContainerFacts(format: "webm", longName: "WebM"), depth: .header)),
    "text": .failure(MediaError(.notMedia, "the content is not recognized as media")),
  ]

  @Test(
    arguments: [
      ("under", 0, "under: OK: under 60.5 s, 0.106 s left; presented 60.394 s\n"),
      (
        "just-under", 0,
        "just-under: OK: under 60.5 s, less than 0.001 s left; presented 60.500 s\n"
      ),
      ("at", 1, "at: TOO LONG: exactly the limit (must be under 60.5 s); presented 60.500 s\n"),
      (
        "just-over", 1,
        "just-over: TOO LONG by less than 0.001 s (must be under 60.5 s); presented 60.500 s\n"
      ),
      ("over", 1, "over: TOO LONG by 0.100 s (must be under 60.5 s); presented 60.600 s\n"),
      ("empty", 1, "empty: EMPTY: nothing is presented; presented 0.000 s\n"),
    ] as [(String, Int32, String)])
  func `then the printed verdict and the status agree`(
    _ name: String, _ status: Int32, _ text: String
  ) {
    let run = ToolRun(
      ["check", ArgumentText(name)], clips: Self.clips,
      environment: ["COLUMNS": "200", "LANG": "C.UTF-8"])
    #expect(run.status == status)
    #expect(run.out == text)
  }

  @Test(
    arguments: [
      (["under", "under"], 0), (["under", "over"], 1), (["over", "damaged"], 65),
      (["text", "over"], 65), (["gone", "text", "over"], 66), (["unknown"], 65), (["huge"], 1),
    ] as [([String], Int32)])
  func `then a file that could not be checked outweighs one that failed`(
    _ names: [String], _ status: Int32
  ) {
    #expect(ToolRun(["check"] + names.map { ArgumentText($0) }, clips: Self.clips).status == status)
  }

  @Test(
    arguments: [
      (["--max-length", "61", "over"], 0), (["--max-length", "60.6", "over"], 1),
      (["--min-length", "60.6", "--max-length", "70", "over"], 0),
      (["--min-length", "60.601", "--max-length", "70", "over"], 1),
      (["--min-length", "0", "under"], 0),
    ] as [([String], Int32)])
  func `then the maximum is exclusive and the minimum inclusive`(
    _ words: [String], _ status: Int32
  ) {
    let run = ToolRun(["check"] + words.map { ArgumentText($0) }, clips: Self.clips)
    #expect(run.status == status, "\(run.out)\(run.err)")
  }

  @Test(
    arguments: [
      (["check", "--max-length", "none", "over"], nil, 0),
      (["check", "--max-length", "inf", "over"], nil, 0), (["check", "over"], "none", 0),
      (["check", "over"], "61", 0), (["check", "over"], "", 1),
      (["check", "--max-length", "60", "over"], "61", 1), (["check", "over"], "soon", 64),
    ] as [([String], String?, Int32)])
  func `then an option or a variable changes or removes the limit`(
    _ words: [String], _ variable: String?, _ status: Int32
  ) {
    var environment = ["COLUMNS": "80", "LANG": "C.UTF-8"]
    environment["TRIM_MAX_LENGTH"] = variable
    let run = ToolRun(
      words.map { ArgumentText($0) }, clips: Self.clips, environment: environment)
    #expect(run.status == status, "\(run.out)\(run.err)")
  }

  @Test func `then its JSON matches the agreed document`() throws {
    let names: [ArgumentText] = ["under", "at", "over", "damaged", "unknown", "text", "gone"]
    try expectGolden(ToolRun(["check", "--jsonl"] + names, clips: Self.clips).out, "check.jsonl")
  }
}
