import CommandLineKit
import Foundation
import Support
import Testing

@testable import TrimCommands

@Suite(.enabled(if: BatchRun.harness != nil, BatchRun.absence), .timeLimit(.minutes(5)))
struct `Given a batch whose tasks are commands` {
  private let clip = SampleClips.path("b-frames.mp4")
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func rows(_ tasks: String...) async throws -> [JSONValue] {
    let batch = try await BatchRun(tasks, "--unordered", "-j", "1")
    #expect(batch.rows.count == tasks.count)
    return batch.rows
  }

  private func row(_ members: String) async throws -> JSONValue {
    try #require(try await rows("{\(members)}").first)
  }

  /// What a command prints as JSON.
  private func document(_ words: String...) async throws -> JSONValue {
    let harness = try #require(BatchRun.harness)
    let run = try await ProgramRun(([harness] + words).map { Array($0.utf8) }, limit: .seconds(60))
    return try JSONReader.read(run.out)
  }

  /// The members that both objects have.
  private func expectSame(
    _ result: JSONValue?, _ document: JSONValue, _ keys: [String]
  ) throws {
    let result = try #require(result)
    for key in keys { #expect(result[key] == document[key], "\(key)") }
  }

  @Test(arguments: [
    ("under-limit.mp4", "", 0), ("at-limit.mp4", "", 1), ("at-limit.mp4", #","max_length":61"#, 0),
    ("under-limit.mp4", #","min_length":"1:01","max_length":90"#, 1), ("truncated.mp4", "", 65),
  ])
  func `then a check gives the verdict and the status of 'trim check'`(
    _ name: String, _ member: String, _ status: Int
  ) async throws {
    let path = SampleClips.path(name)
    let result = try await row(#""op":"check","path":"\#(path)"\#(member)"#)["result"]
    #expect(result?["status"] == .integer(status))
    if member.isEmpty {
      try expectSame(
        result, await document("check", "--json", path),
        ["presented", "rule", "verdict", "by", "damage"])
    }
  }

  @Test(arguments: [("truncated.mp4", 65), ("b-frames.mp4", 0)])
  func `then a probe has the status of 'trim probe'`(_ name: String, _ status: Int) async throws {
    let row = try await row(#""op":"probe","path":"\#(SampleClips.path(name))""#)
    #expect(row["result"]?["status"] == .integer(status))
    #expect(row["error"] == .null)
  }

  @Test func `then a plan matches a dry run, and nothing is written`() async throws {
    let output = folder.path(of: "part.mp4")
    let row = try await row(
      #""op":"plan","path":"\#(clip)","output":"\#(output)","from":0.6,"to":2.5"#)
    #expect(row["error"] == .null)
    try expectSame(
      row["result"],
      await document("cut", "-n", "--json", clip, "--from", "0.6", "--to", "2.5", "-o", output),
      ["mode", "parts", "written", "frames", "encoded_frames", "tracks", "plan"])
    #expect(folder.names.isEmpty)
  }

  @Test func `then files are joined, and the row has the map and each file's part in it`()
    async throws
  {
    let output = folder.path(of: "all.mp4")
    let other = try folder.write(fileBytes(clip), to: "other.mp4")
    let row = try await row(
      #""op":"join","paths":["\#(clip)#t=0,1","\#(other)#t=2,3","\#(clip)#t=3,3.5"],"output":"\#(output)""#
    )
    #expect(row["error"] == .null)
    let result = try #require(row["result"])
    #expect(result["bytes"] == .integer(try fileBytes(output).count))
    #expect(result["inputs"] == .array([.string(clip), .string(other)]))
    guard case .array(let parts)? = result["parts"] else {
      Issue.record("no parts")
      return
    }
    let map = ["written_from", "written_to", "output_from", "output_to"]
    #expect(
      parts.map { part in map.map { part[$0]?["value"]?.text ?? "?" } }
        == [["0", "1", "0", "1"], ["2", "3", "1", "2"], ["3", "7/2", "2", "5/2"]])
    #expect(parts.map { $0["source"]?.exactInteger } == [0, 1, 0])
  }

  @Test func `then a list says what is cut, and only the files of the task are opened`()
    async throws
  {
    let output = folder.path(of: "part.mp4")
    let list = try folder.write(Array("1.0 1.5 0\n3 9 1\n".utf8), to: "a.edl")
    let task = #""op":"cuts","path":"\#(clip)","list":"\#(list)","output":"\#(output)""#
    #expect(try await row(task)["error"]?["message"]?.text?.contains("line 2: it mutes") == true)
    let row = try await row(task + #","ignore_mute":true"#)
    #expect(row["error"] == .null)
    let result = try #require(row["result"])
    #expect(
      result["list"]?["left_out"]
        == .array([.string("line 2: it mutes sound, which a cut does not do")]))
    let document = try await document(
      "cut", "-n", "--json", clip, "--cuts", list, "--ignore-mute", "-o", output)
    try expectSame(result, document, ["parts", "frames", "written"])
    let without = try await self.row(
      #""op":"cut","path":"\#(clip)","cuts":"\#(list)","output":"\#(output)""#)
    #expect(without["error"]?["code"]?.text == "badTask")
  }

  @Test(arguments: [
    (#""op":"join","path":"a","output":"b""#, "'paths' is missing"),
    (#""op":"join","paths":[],"output":"b""#, "'paths' is missing"),
    (#""op":"join","paths":["a",1],"output":"b""#, "something else than names"),
    (#""op":"join","paths_b64":["YQ==","?"],"output":"b""#, "something else than names"),
    (#""op":"cuts","path":"a","output":"b""#, "'list' is missing"),
    (#""op":"probe","path":"a","list":"b""#, "no member 'list'"),
  ])
  func `then a task without its files is refused`(
    _ members: String, _ reason: String
  ) async throws {
    let row = try await row(members)
    #expect(row["error"]?["message"]?.text?.contains(reason) == true)
  }

  @Test func `then a file of a join that cannot be used is named`() async throws {
    let (output, text) = (
      folder.path(of: "all.mp4"), try folder.write(Array("text".utf8), to: "a.txt")
    )
    for name in [text, "/nowhere"] {
      let row = try await row(
        #""op":"join","paths":["\#(clip)","\#(name)"],"output":"\#(output)""#)
      #expect(row["error"]?["message"]?.text?.contains(name) == true)
    }
    #expect(folder.names == [Array("a.txt".utf8)])
  }

  @Test func `then parts are joined in the order given`() async throws {
    let (one, other) = (folder.path(of: "one.mp4"), folder.path(of: "other.mp4"))
    let rows = try await rows(
      #"{"op":"cut","path":"\#(clip)","output":"\#(one)","keep":["0.5..1","2..2.5"],"join":true}"#,
      #"{"op":"cut","path":"\#(clip)","output":"\#(other)","keep":["2..2.5","0.5..1"],"join":true}"#
    )
    #expect(rows.map { $0["result"]?["written"]?["length"]?["value"]?.text } == ["1", "1"])
    #expect(rows[0]["key"] != rows[1]["key"], "another order is another clip")
    guard case .array(let parts) = rows[1]["result"]?["parts"] else {
      Issue.record("no parts")
      return
    }
    #expect(parts.map { $0["from"]?["value"]?.text } == ["2", "1/2"])
  }

  @Test func `then parts that would become several files are refused with a reason`() async throws {
    let output = folder.path(of: "part.mp4")
    let row = try await row(
      #""op":"cut","path":"\#(clip)","output":"\#(output)","keep":["0..1","2..3"]"#)
    #expect(row["error"]?["code"]?.text == "badTask")
    #expect(row["error"]?["hint"]?.text == "Use one task per part.")
    #expect(folder.names.isEmpty)
  }

  @Test(arguments: [
    #""from":"k2","for":1"#, #""audio":"reencode","to":1"#, #""fragmented":true,"to":1"#,
    #""mode":"copy","verify":"full","to":1"#, #""strict_range":true,"from":0.5,"to":1"#,
    #""reject_damage":true,"to":1"#,
  ])
  func `then a cut takes the options of 'trim cut'`(_ options: String) async throws {
    let output = folder.path(of: "part.mp4")
    let row = try await row(#""op":"cut","path":"\#(clip)","output":"\#(output)",\#(options)"#)
    #expect(row["error"] == .null)
    #expect(folder.names == [Array("part.mp4".utf8)])
  }

  @Test func `then contradictory options are reported as on the command line`()
    async throws
  {
    let output = folder.path(of: "part.mp4")
    let row = try await row(
      #""op":"cut","path":"\#(clip)","output":"\#(output)","to":1,"for":1"#)
    #expect(
      row["error"]?["message"]?.text == "'--to' and '--for' cannot be used together.")
  }

  @Test func `then a strip, a timeline and levels appear as complete files`() async throws {
    func task(_ op: String, _ name: String, _ options: String = "") -> String {
      #"{"op":"\#(op)","path":"\#(clip)","output":"\#(folder.path(of: name))"\#(options)}"#
    }
    let rows = try await rows(
      task("strip", "strip.png", #","count":3,"width":40"#), task("timeline", "timeline.svg"),
      task("wave", "wave.json", #","samples_per_pixel":512"#), task("wave", "wave.png"),
      task("strip", "strip.png"))
    #expect(rows.prefix(4).allSatisfy { $0["error"] == .null })
    #expect(rows[4]["error"]?["code"]?.text == "outputExists")
    #expect(rows[0]["result"]?["width"] == .integer(120))
    for row in rows.prefix(4) {
      let path = try #require(row["output"]?["path"]?.text)
      let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber
      #expect(row["result"]?["bytes"] == size.map { .integer($0.int64Value) })
    }
  }

  @Test func `then levels without a file are in the row, and match 'trim wave'`()
    async throws
  {
    let path = folder.path(of: "wave.json")
    let row = try await row(#""op":"wave","path":"\#(clip)","samples_per_pixel":512"#)
    _ = try await document(
      "wave", "--json", clip, "--samples-per-pixel", "512", "-o", path)
    let written = try JSONReader.read(Array(try Data(contentsOf: URL(filePath: path))))
    #expect(row["result"]?["levels"] == written)
    #expect(row["output"] == .null)
  }

  @Test func `then a strip without a file has its pixels in the row`() async throws {
    let row = try await row(
      #""op":"strip","path":"\#(clip)","count":3,"width":40,"columns":1"#)
    let result = try #require(row["result"])
    #expect(result["width"] == .integer(40))
    let height = try #require(result["height"]?.exactInteger)
    let tile = try #require(result["tile"]?["height"]?.exactInteger)
    #expect(height == 3 * tile)
    #expect(result["pixels"]?["format"]?.text == "rgb24")
    let pixels = try #require((result["pixels"]?["data_b64"]?.text).flatMap(Base64.decode))
    #expect(pixels.count == 40 * Int(height) * 3)
    #expect(Set(pixels).count > 10, "it shows something")
    #expect(row["output"] == .null)
  }

  @Test func `then pictures that are too large for a row are refused with a reason`() async throws {
    let row = try await row(#""op":"strip","path":"\#(clip)","count":9,"width":1920"#)
    #expect(row["error"]?["code"]?.text == "limitExceeded")
    #expect(row["error"]?["hint"]?.text?.hasPrefix("Name a file as 'output'") == true)
  }

  @Test func `then a file whose name looks like it names a part is taken literally`()
    async throws
  {
    let path = try folder.write(SampleClips.bytes("b-frames.mp4"), to: "clip.mp4#t=1,2")
    let output = folder.path(of: "part.mp4")
    let row = try await row(
      #""op":"cut","path":"\#(path)","output":"\#(output)","from":0,"to":3"#)
    #expect(row["result"]?["written"]?["length"]?["value"]?.text == "3")
  }

  @Test func `then a row does not wait for a slower task before it if order is not required`()
    async throws
  {
    let tasks = [BatchRun.task("slow", "__sleep"), BatchRun.task("quick", "__process")]
    let unordered = try await BatchRun(tasks, "--unordered", "-j", "2", "--timeout", "0.5")
    #expect(unordered.ids == ["quick", "slow"])
    let ordered = try await BatchRun(tasks, "-j", "2", "--timeout", "0.5")
    #expect(ordered.ids == ["slow", "quick"])
  }

  @Test func `then a finished task is skipped when it is given again`() async throws {
    let output = folder.path(of: "strip.png")
    let results = folder.path(of: "results.jsonl")
    let task = #"{"op":"strip","path":"\#(clip)","output":"\#(output)","count":2}"#
    let words = ["--results", results, "--skip-done"]
    let first = try await BatchRun(input: Array((task + "\n").utf8), words)
    let again = try await BatchRun(input: Array((task + "\n").utf8), words)
    #expect(first.rows.map { $0["skipped"] } == [.bool(false)])
    #expect(again.rows.map { $0["skipped"] } == [.bool(true)])
  }
}
