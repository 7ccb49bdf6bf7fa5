import Foundation
import Support
import Testing

/// A range after a file name, and times in the file's own timecode, on the command line.
@Suite(.enabled(if: BuiltTool.path != nil, BuiltTool.absence), .timeLimit(.minutes(1)))
struct `Given a file and a part of it` {
  private static let clip = SampleClips.path("b-frames.mp4")
  /// 29.97 frames a second from 00:00:59;20 on.
  private static let ntsc = SampleClips.path("ntsc.mp4")

  private func run(_ words: [String]) async throws -> ProgramRun {
    try await BuiltTool.run(words.map { Array($0.utf8) })
  }

  private func plan(
    _ file: String, _ words: String...
  ) async throws -> (from: String, to: String) {
    let ended = try await run(["cut", file] + words + ["-n", "--json", "-o", "a.mp4"])
    try #require(ended.status == 0, "\(ended.errText)")
    let object = try JSONSerialization.jsonObject(with: Data(ended.out)) as? [String: Any]
    let range = object?["range"] as? [String: Any]
    func value(_ key: String) -> String {
      (range?[key] as? [String: Any])?["value"] as? String ?? ""
    }
    return (value("from"), value("to"))
  }

  @Test(
    arguments: [
      ("#t=1,3", "1", "3"), ("#t=npt:1,3", "1", "3"), ("#t=,2.5", "0", "5/2"), ("#t=1", "1", "4"),
      ("#t=0:01,0:00:03.5", "1", "7/2"),
    ])
  func `then the range after the name is cut`(
    _ fragment: String, _ from: String, _ to: String
  ) async throws {
    let range = try await plan(Self.clip + fragment)
    #expect(range.from == from)
    #expect(range.to == to)
  }

  @Test func `then a part that is given twice, or is invalid, is a usage error`() async throws {
    for (file, words) in [
      (Self.clip + "#t=1,3", ["--from", "1"]), (Self.clip + "#t=1,3", ["--keep", "1..2"]),
      (Self.clip + "#t=3,1", []), (Self.clip + "#t=x", []),
    ] {
      let ended = try await run(["cut", file] + words + ["-n", "-o", "a.mp4"])
      #expect(ended.status == 64, "\(file) \(words): \(ended.errText)")
    }
  }

  @Test func `then a file with that whole name takes precedence`() async throws {
    let folder = try ScratchFolder()
    let path = try folder.write(SampleClips.bytes("b-frames.mp4"), to: "clip.mp4#t=1,3")
    let range = try await plan(path)
    #expect(range.from == "0")
    #expect(range.to == "4")
  }

  @Test func `then probe describes the whole file, and reports which part was named`() async throws
  {
    let ended = try await run(["probe", Self.clip + "#t=1,3", "--json"])
    #expect(ended.status == 0)
    let object = try JSONSerialization.jsonObject(with: Data(ended.out)) as? [String: Any]
    func value(_ member: Any?, _ key: String) -> String? {
      ((member as? [String: Any])?[key] as? [String: Any])?["value"] as? String
    }
    #expect(value(object?["part"], "start") == "1")
    #expect(value(object?["part"], "end") == "3")
    #expect(value(object?["part"], "length") == "2")
    #expect(value(object?["durations"], "presented") == "4")
    let screen = try await run(["probe", Self.clip + "#t=1,3"])
    #expect(screen.outText.contains("named part: 0:00:01.000 to 0:00:03.000, 2.000 s"))
    let whole = try await run(["probe", Self.clip, "--json"])
    #expect(!whole.outText.contains("\"part\""))
  }

  @Test func `then a batch task refers to that part, too`() async throws {
    let folder = try ScratchFolder()
    let name = try folder.write(SampleClips.bytes("b-frames.mp4"), to: "clip.mp4")
    _ = try folder.write(SampleClips.bytes("b-frames.mp4"), to: "whole.mp4#t=1,3")
    let whole = folder.path(of: "whole.mp4#t=1,3")
    let tasks = """
      {"op": "check", "path": "\(name)#t=1,3"}
      {"op": "probe", "path": "\(name)#t=1,3"}
      {"op": "plan", "path": "\(name)#t=1,3", "output": "cut.mp4"}
      {"op": "check", "path": "\(whole)"}
      """
    let list = try folder.write(Array(tasks.utf8), to: "tasks")
    let ended = try await run(["batch", list])
    let rows = try ended.outText.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    func length(_ row: [String: Any], _ keys: String...) -> String? {
      keys.reduce(row["result"]) { ($0 as? [String: Any])?[$1] } as? String
    }
    try #require(rows.count == 4)
    #expect(length(rows[0], "presented", "value") == "2")
    #expect(length(rows[1], "part", "length", "value") == "2")
    #expect(length(rows[2], "range", "to", "value") == "3")
    #expect(length(rows[3], "presented", "value") == "4")
  }

  @Test func `then check judges only the part`() async throws {
    let long = SampleClips.path("over-limit.mp4")
    #expect(try await run(["check", long]).status == 1)
    #expect(try await run(["check", long + "#t=10"]).status == 0)
    #expect(try await run(["check", long + "#t=100", "--min-length", "1"]).status == 1)
  }

  @Test func `then a timecode is the file's own, if it has one`() async throws {
    let own = try await plan(Self.ntsc, "--from", "00:00:59;25", "--to", "00:01:00;12")
    let frames = try await plan(Self.ntsc, "--from", "5f", "--to", "20f")
    #expect(own.from == frames.from)
    #expect(own.to == frames.to)
    let insisted = try await plan(Self.ntsc, "--from", "tc:00:00:59;25", "--to", "20f")
    #expect(insisted.from == frames.from)
  }

  @Test(
    arguments: [
      (
        ntsc, ["--from", "00:00:59;25", "--to", "00:01:00;12"], "source", "00:00:59;25",
        "00:01:00;12"
      ), (ntsc, ["--from", "5f", "--to", "20f"], "source", "00:00:59;25", "00:01:00;12"),
      (clip, ["--from", "00:00:01:00", "--to", "2"], "zero", "00:00:01:00", "00:00:02:00"),
    ])
  func `then plan and screen say which timecode was meant`(
    _ file: String, _ words: [String], _ origin: String, _ from: String, _ to: String
  ) async throws {
    let ended = try await run(["cut", file] + words + ["-n", "--json", "-o", "a.mp4"])
    let object = try JSONSerialization.jsonObject(with: Data(ended.out)) as? [String: Any]
    let part = (object?["parts"] as? [[String: Any]])?.first
    let timecode = part?["timecode"] as? [String: String]
    #expect(timecode == ["origin": origin, "from": from, "to": to])
    let screen = try await run(["cut", file] + words + ["-n", "-o", "a.mp4"])
    let whose = origin == "source" ? "the source's own" : "counted from 0: the source has none"
    #expect(screen.outText.contains("timecode \(from) up to \(to), \(whose)"))
  }

  @Test func `when there is none and none was typed then none is reported`() async throws {
    let ended = try await run(["cut", Self.clip, "--to", "2", "-n", "-o", "a.mp4"])
    #expect(!ended.outText.contains("timecode"))
  }

  @Test func `then a label past the last one means the end, with a note`() async throws {
    let ended = try await run([
      "cut", Self.ntsc, "--to", "00:09:00;02", "-n", "--json", "-o", "a.mp4",
    ])
    #expect(ended.status == 0, "\(ended.errText)")
    let screen = try await run(["cut", Self.ntsc, "--to", "00:09:00;02", "-n", "-o", "a.mp4"])
    #expect(screen.outText.contains("nothing is shown after"))
    let before = try await run(["cut", Self.ntsc, "--to", "00:00:59;10", "-n", "-o", "a.mp4"])
    #expect(before.status != 0)
  }

  @Test(
    arguments: [("no-such.mp4", "Check the name."), ("", "Check that it is a video")])
  func `when a file cannot be read then cut gives the same hint as probe`(
    _ name: String, _ hint: String
  ) async throws {
    let folder = try ScratchFolder()
    let path = name.isEmpty ? try folder.write([], to: "empty.mp4") : folder.path(of: name)
    for words in [["probe", path], ["cut", path, "--to", "1", "-n", "-o", "a.mp4"]] {
      #expect(try await run(words).errText.contains(hint), "\(words[0])")
    }
  }

  @Test func `then without one it counts from 0, and 'tc:' is a usage error`() async throws {
    let counted = try await plan(Self.clip, "--from", "00:00:01:00", "--to", "2")
    #expect(counted.from == "1")
    let ended = try await run([
      "cut", Self.clip, "--from", "tc:00:00:01:00", "-n", "-o", "a.mp4",
    ])
    #expect(ended.status == 64)
    #expect(ended.errText.contains("timecode"))
  }

  @Test func `then the error for a timecode before the file's own states where that begins`()
    async throws
  {
    let ended = try await run([
      "cut", Self.ntsc, "--from", "00:00:01;00", "-n", "-o", "a.mp4",
    ])
    #expect(ended.status == 64)
    #expect(ended.errText.contains("00:00:59;20"))
  }
}
