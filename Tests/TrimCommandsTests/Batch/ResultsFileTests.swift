import CommandLineKit
import Glibc
import Support
import Testing

@testable import TrimCommands

@Suite(.enabled(if: BatchRun.harness != nil, BatchRun.absence), .timeLimit(.minutes(5)))
struct `Given a batch that keeps its results` {
  private let folder: ScratchFolder
  private let clips: [String]
  private let tasks: [String]

  init() throws {
    let folder = try ScratchFolder()
    let bytes = try SampleClips.bytes("b-frames.mp4")
    clips = try ["a.mp4", "b.mp4", "c.mp4"].map { try folder.write(bytes, to: $0) }
    tasks = clips.map { BatchRun.task($0, "probe", path: $0) }
    self.folder = folder
  }

  private func run(_ tasks: [String]) async throws -> [Bool] {
    let batch = try await BatchRun(
      tasks, "--results", folder.path(of: "results"), "--skip-done")
    #expect(batch.run.status == 0)
    #expect(batch.rows.count == tasks.count)
    return batch.rows.map { $0["skipped"] == .bool(true) }
  }

  @Test func `then finished tasks are not repeated until their source changes`() async throws {
    #expect(try await run(tasks) == [false, false, false])
    #expect(try await run(tasks) == [true, true, true])
    let times = [timespec(tv_sec: 1, tv_nsec: 5), timespec(tv_sec: 1, tv_nsec: 5)]
    #expect(utimensat(AT_FDCWD, clips[1], times, 0) == 0)
    #expect(try await run(tasks) == [true, false, true])
    #expect(try await run(tasks.reversed()) == [true, true, true])
  }

  @Test func `then a line that a killed run left unfinished hides no row`() async throws {
    try folder.write(Array(#"{"schema":1,"ke"#.utf8), to: "results")
    #expect(try await run(tasks) == [false, false, false])
    #expect(try await run(tasks) == [true, true, true])
  }

  @Test func `then a finished task with a new ID has the recorded result, and its own row`()
    async throws
  {
    let results = folder.path(of: "results")
    func rows(_ id: String) async throws -> [JSONValue] {
      try await BatchRun(
        [BatchRun.task(id, "probe", path: clips[0])], "--results", results, "--skip-done"
      ).rows
    }
    let (first, other) = (try await rows("one"), try await rows("two"))
    #expect(other.map { $0["skipped"] } == [.bool(true)])
    #expect(other[0]["result"]?["container"] != nil)
    #expect(other[0]["result"] == first[0]["result"])
    #expect(try await rows("two") == other)
    let recorded = try fileBytes(results).split(separator: UInt8(ascii: "\n")).map {
      try JSONReader.read($0)["id"]?.text
    }
    #expect(recorded == ["one", "two"], "each once")
  }

  @Test func `then half a row that a full disk left is gone when the run is resumed`() async throws
  {
    let results = folder.path(of: "results")
    #expect(try await run(Array(tasks.prefix(1))) == [false])
    let whole = try fileBytes(results)
    try folder.write(whole + whole.prefix(40), to: "results")
    #expect(try await run(tasks) == [true, false, false])
    let lines = try fileBytes(results).split(separator: UInt8(ascii: "\n"))
    #expect(lines.count == 3)
    for line in lines { _ = try JSONReader.read(line) }
  }

  @Test func `then a row that only lacks its newline stays`() async throws {
    #expect(try await run(Array(tasks.prefix(1))) == [false])
    try folder.write(fileBytes(folder.path(of: "results")).dropLast(), to: "results")
    #expect(try await run(tasks) == [true, false, false])
  }

  @Test func `then a cut is repeated when its output is gone`() async throws {
    let output = folder.path(of: "out.mp4")
    let cut = #"{"op":"cut","path":"\#(clips[0])","output":"\#(output)","from":1,"to":2}"#
    #expect(try await run([cut]) == [false])
    #expect(try await run([cut]) == [true])
    #expect(unlink(output) == 0)
    #expect(try await run([cut]) == [false])
    let other = cut.replacing("\"to\":2", with: "\"to\":3,\"force\":true")
    #expect(try await run([other]) == [false], "another range is another task")
  }

  @Test func `then a failed task does not count as finished`() async throws {
    let results = folder.path(of: "results")
    for _ in 0..<2 {
      let batch = try await BatchRun(["/nowhere"], "--results", results, "--skip-done")
      #expect(batch.codes == ["inputMissing"])
    }
  }

  @Test func `then a path that cannot be a results file is refused at once`() async throws {
    let batch = try await BatchRun(tasks, "--results", folder.path)
    expectHarmless(batch.run, statuses: [73])
    #expect(batch.rows.isEmpty)
    #expect(try await BatchRun(tasks, "--skip-done").run.status == 64)
  }

  @Test func `then a media file is refused as a results file and not changed`() async throws {
    let before = try fileBytes(clips[0])
    let batch = try await BatchRun(tasks, "--results", clips[0])
    expectHarmless(batch.run, statuses: [73])
    #expect(batch.rows.isEmpty)
    #expect(try fileBytes(clips[0]) == before)
  }

  @Test(arguments: ["a note\n", "{\"schema\":1}\n", "{\"schema\":1,\"tool\":\"other\"}\nmore\n"])
  func `then any other text file is refused, too`(_ text: String) async throws {
    let path = try folder.write(Array(text.utf8), to: "notes")
    let batch = try await BatchRun(tasks, "--results", path)
    expectHarmless(batch.run, statuses: [73])
    #expect(try fileBytes(path) == Array(text.utf8))
  }

  @Test func `then its own task list is refused as a results file`() async throws {
    let list = try folder.write([], to: "list")
    let harness = try #require(BatchRun.harness)
    let run = try await ProgramRun(
      [harness, "batch", list, "--results", list].map { Array($0.utf8) })
    expectHarmless(run, statuses: [73])
    #expect(try fileBytes(list).isEmpty)
  }

  @Test func `then no task may read or replace it, nor the list`() async throws {
    let results = folder.path(of: "results")
    func cut(to output: String) -> String {
      #"{"op":"cut","path":"\#(clips[0])","output":"\#(output)","from":1,"to":2,"force":true}"#
    }
    let tasks = [
      cut(to: results), BatchRun.task("b", "probe", path: results),
      cut(to: folder.path(of: "list")),
    ]
    let list = try folder.write(Array(tasks.joined(separator: "\n").utf8), to: "list")
    let harness = try #require(BatchRun.harness)
    let run = try await ProgramRun(
      [harness, "batch", list, "--results", results].map { Array($0.utf8) })
    expectHarmless(run, statuses: [1])
    let rows = try run.out.split(separator: UInt8(ascii: "\n")).map { try JSONReader.read($0) }
    #expect(rows.map { $0["error"]?["code"]?.text } == ["sameFile", "sameFile", "sameFile"])
    #expect(try fileBytes(list) == Array(tasks.joined(separator: "\n").utf8))
  }
}
