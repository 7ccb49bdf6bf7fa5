import CommandLineKit
import Glibc
import Support
import Testing

@testable import TrimCommands

@Suite(.enabled(if: BatchRun.harness != nil, BatchRun.absence), .timeLimit(.minutes(5)))
struct `Given a batch of tasks` {
  @Test func `then every task has its row, in order, whatever its outcome`() async throws {
    let good = SampleClips.path("under-limit.mp4")
    let folder = try ScratchFolder()
    let bomb = try folder.write(Bombs.compressedHeader(unpackingTo: 1 << 28), to: "bomb.mp4")
    var tasks: [String] = []
    var expected: [String?] = []
    func add(_ task: String, _ code: String?) {
      tasks.append(task)
      expected.append(code)
    }
    for number in 0..<200 {
      let id = "\(number)"
      switch number {
      case 50: add(BatchRun.task(id, "__spin"), "limitExceeded")
      case 150: add(BatchRun.task(id, "__sleep"), "timedOut")
      case 60: add(BatchRun.task(id, "__crash"), "decoderCrashed")
      case 70: add(#"{"id": "\#(id)", "op"#, "badJSON")
      case 80: add(#"{"id":"\#(id)","op":"probe","path":"\udcef"}"#, "badJSON")
      case 90: add("{\"id\":\"" + String(repeating: "9", count: 1 << 20), "lineTooLong")
      case 100: add(BatchRun.task(id, "probe", path: SampleClips.path("not-media.mp4")), "notMedia")
      case 110: add(BatchRun.task(id, "probe", path: bomb), nil)
      case 120: add(BatchRun.task(id, "conquer"), "badTask")
      default:
        let isMissing = number.isMultiple(of: 7)
        add(
          BatchRun.task(id, "probe", path: isMissing ? "/nowhere" : good),
          isMissing ? "inputMissing" : nil)
      }
    }
    tasks.insert("", at: 100)
    let batch = try await BatchRun(tasks, "-j", "2", "--timeout", "4")
    expectHarmless(batch.run, statuses: [1])
    #expect(batch.rows.count == 200)
    let unread: Set<Int> = [70, 80, 90]
    for (number, row) in batch.rows.enumerated() {
      #expect(row["id"]?.text == (unread.contains(number) ? nil : "\(number)"))
      #expect(row["line"] == .integer(number < 100 ? number + 1 : number + 2))
      if ![50, 110].contains(number) {
        #expect(batch.codes[number] == expected[number], "row \(number)")
      }
    }
    // On a busy machine, wall time runs out before CPU time.
    #expect([expected[50], "timedOut"].contains(batch.codes[50]), "the one that never ends")
    #expect(batch.codes[110] != "decoderCrashed", "the bomb")
    let columns = Set(
      batch.rows.map { row -> [String] in
        guard case .object(let members) = row else { return [] }
        return members.map(\.key)
      })
    #expect(columns.count == 1, "all rows have the same columns")
  }

  @Test func `then failed rows count as success if requested`() async throws {
    let tasks = ["/nowhere", SampleClips.path("ntsc.mp4")]
    #expect(try await BatchRun(tasks).run.status == 1)
    #expect(try await BatchRun(tasks, "--failures", "ok").run.status == 0)
    let fatal = try await BatchRun(tasks, "--failures", "fatal", "-j", "1")
    #expect(fatal.run.status == 1)
    #expect(fatal.codes == ["inputMissing"])
  }

  @Test func `then a name that is not valid text is given in Base64`() async throws {
    let folder = try ScratchFolder()
    let name = try folder.write(SampleClips.bytes("ntsc.mp4"), to: [0xEF, 0x2E, 0x6D])
    let encoded = Base64.encode(name)
    let batch = try await BatchRun([#"{"op":"probe","path":"?","path_b64":"\#(encoded)"}"#])
    #expect(batch.run.status == 0)
    #expect(batch.rows.first?["input"]?["path_b64"]?.text == encoded)
  }

  @Test func `then there are no more processes than jobs, however many tasks there are`()
    async throws
  {
    let tasks = (0..<60).map { BatchRun.task("\($0)", "__process") }
    let batch = try await BatchRun(tasks, "-j", "2")
    #expect(batch.run.status == 0)
    #expect((1...2).contains(Set(batch.rows.map { $0["result"]?["pid"]?.text }).count))
  }

  @Test func `then the last line needs no newline`() async throws {
    let task = Array(BatchRun.task("last", "__process").utf8)
    #expect(try await BatchRun(input: task, []).ids == ["last"])
  }

  @Suite struct `When a task crashes its process` {
    @Test func `then it is retried once, on its own, and other tasks are unaffected`() async throws
    {
      let tasks = [
        BatchRun.task("a", "__process"), BatchRun.task("b", "__crash"),
        BatchRun.task("c", "__process"),
      ]
      let batch = try await BatchRun(tasks, "-j", "1")
      expectHarmless(batch.run, statuses: [1])
      #expect(batch.codes == [nil, "decoderCrashed", nil])
      #expect(batch.rows[1]["attempts"] == .integer(2))
      #expect(batch.rows[1]["error"]?["retryable"] == .bool(false))
    }

    @Test func `then the second try counts when it succeeds`() async throws {
      let folder = try ScratchFolder()
      let mark = folder.path(of: "mark")
      let batch = try await BatchRun(
        [BatchRun.task("a", "__crash_once")], environment: ["TRIM_CRASH_MARK": mark])
      #expect(batch.run.status == 1, "the mark is missing: it dies twice")
      try folder.write([], to: "mark")
      let again = try await BatchRun(
        [BatchRun.task("a", "__crash_once")], environment: ["TRIM_CRASH_MARK": mark])
      #expect(again.run.status == 0)
      #expect(again.rows.first?["attempts"] == .integer(1))
    }
  }

  @Suite struct `When a task never ends` {
    @Test func `then its process is killed at twice the timeout, and the next task is done`()
      async throws
    {
      let tasks = [BatchRun.task("a", "__sleep"), BatchRun.task("b", "__process")]
      let batch = try await BatchRun(tasks, "-j", "1", "--timeout", "0.5")
      expectHarmless(batch.run, statuses: [1])
      #expect(batch.codes == ["timedOut", nil])
      #expect(batch.rows[0]["error"]?["retryable"] == .bool(true))
      #expect(batch.run.wall >= .seconds(1))
    }

    @Test func `then one that uses CPU all the time is not retried`() async throws {
      let batch = try await BatchRun([BatchRun.task("a", "__spin")], "--timeout", "0.5")
      expectHarmless(batch.run, statuses: [1])
      #expect(batch.codes == ["limitExceeded"])
      #expect(batch.rows[0]["error"]?["retryable"] == .bool(false))
    }
  }

  @Suite struct `When it is split into shards` {
    @Test func `then each task is in exactly one shard, whatever the order`() async throws {
      let tasks = (0..<40).map { BatchRun.task("\($0)", "__process", path: "clip-\($0).mp4") }
      var seen: [String] = []
      for (number, list) in [tasks, tasks.reversed(), tasks].enumerated() {
        let batch = try await BatchRun(list, "--shard", "\(number)/3")
        #expect(batch.run.status == 0)
        #expect(!batch.rows.isEmpty)
        seen += batch.ids.compactMap { $0 }
      }
      #expect(seen.count == 40)
      #expect(Set(seen).count == 40)
    }

    @Test(arguments: ["3/3", "-1/2", "1", "a/b", "0/0", "1/2/3", "0/99999999999"])
    func `then a shard that does not exist is refused`(_ shard: String) async throws {
      let batch = try await BatchRun([], "--shard=\(shard)")
      expectHarmless(batch.run, statuses: [64])
    }
  }
}
