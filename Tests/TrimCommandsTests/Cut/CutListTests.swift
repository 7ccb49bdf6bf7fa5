import CommandLineKit
import Support
import Testing

@testable import TrimCommands

@Suite(.enabled(if: BuiltTool.path != nil, BuiltTool.absence), .timeLimit(.minutes(1)))
struct `Given a list of what another program found` {
  /// 4 s, 25 frames per second.
  private static let clip = SampleClips.path("b-frames.mp4")

  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var list: String
    var words: [String] = []
    /// The parts in JSON.
    var parts: String
  }

  static let lists = [
    Case(
      testDescription: "an EDL removes", list: "0.00\t1.00\t3\n2.00\t2.50\t0\n3.5\t9.0\t0\n",
      parts: "1..2 5/2..7/2"),
    Case(
      testDescription: "an EDL that is to be kept", list: "0.5 1.00 0\r\n2.00 2.50 0\r\n",
      words: ["--cuts-are", "keep"], parts: "1/2..1 2..5/2"),
    Case(
      testDescription: "LosslessCut's segments are kept, in their order",
      list: "2,,end\n0.5,1.25,begin\n", parts: "2..4 1/2..5/4"),
    Case(
      testDescription: "LosslessCut's segments that are to be removed", list: "1,2.5,advert\n",
      words: ["--cuts-are", "remove"], parts: "0..1 5/2..4"),
    Case(
      testDescription: "frames of comskip, counted from 1",
      list: "FILE PROCESSING COMPLETE    100 FRAMES AT  2500\n-------------------\n26\t51\n",
      parts: "0..1 2..4"),
    Case(
      testDescription: "events of a CMX 3600 list, in the order of the record",
      list: """
        TITLE: A
        FCM: NON-DROP FRAME
        001  AX       V     C        00:00:03:00 00:00:03:10 01:00:00:00 01:00:00:10
        002  AX       V     C        00:00:00:05 00:00:01:00 01:00:00:10 01:00:01:05
        """, parts: "3..17/5 1/5..1"),
    Case(
      testDescription: "a removal within a range, and another on the command line",
      list: "1.0 1.5 0\n", words: ["--from", "0.5", "--to", "3", "--remove", "2+0.5"],
      parts: "1/2..1 3/2..2 5/2..3"),
    Case(
      testDescription: "a list that keeps and removes",
      list: """
        {"version": 1, "sources": [{}], "parts": [
        {"source": 0, "range": {"start": "1", "end": "3"}, "isKept": true},
        {"source": 0, "range": {"start": "3/2", "end": "2"}, "isKept": false}]}
        """, parts: "1..3/2 2..3"),
    Case(
      testDescription: "OpenTimelineIO keeps clips, in frames",
      list: """
        {"OTIO_SCHEMA": "Timeline.1", "tracks": {"OTIO_SCHEMA": "Stack.1", "children": [
        {"OTIO_SCHEMA": "Track.1", "kind": "Video", "children": [
        {"OTIO_SCHEMA": "Clip.2", "source_range": {"OTIO_SCHEMA": "TimeRange.1",
        "start_time": {"OTIO_SCHEMA": "RationalTime.1", "rate": 25, "value": 30},
        "duration": {"OTIO_SCHEMA": "RationalTime.1", "rate": 25.0, "value": 10.0}}}]}]}}
        """, parts: "6/5..8/5"),
    Case(
      testDescription: "SponsorBlock removes",
      list: "[{\"segment\": [0, 1.5], \"category\": \"sponsor\", \"actionType\": \"skip\"}]",
      parts: "3/2..4"),
    Case(
      testDescription: "a part behind the end is ignored", list: "1.0 1.5 0\n30 40 0\n",
      parts: "0..1 3/2..4"),
  ]

  @Test(arguments: ["30,40,late\n", "30 40 0\n"])
  func `when all of its parts are behind the end then it is refused`(_ list: String) async throws {
    let folder = try ScratchFolder()
    let path = try folder.write(Array(list.utf8), to: "list")
    let run = try await BuiltTool.run(
      "cut", Self.clip, "--cuts", path, "-o", "a.mp4", folder: folder.path)
    expectHarmless(run, statuses: [65])
    #expect(run.errText.contains("begin after the end of the file"))
    #expect(folder.names == [Array("list".utf8)])
  }

  @Test func `when its parts are separate then each is a file of its own`() async throws {
    let folder = try ScratchFolder()
    let list = try folder.write(Array("1.00 3.00 0\n".utf8), to: "list")
    let run = try await BuiltTool.run(
      "cut", Self.clip, "--cuts", list, "--separate", "--json", "-o", "a.mp4", folder: folder.path)
    expectHarmless(run, statuses: [0])
    #expect(
      folder.names.map { String(decoding: $0, as: UTF8.self) }.sorted()
        == ["a-1.mp4", "a-2.mp4", "list"])
    let kept = try run.outText.split(separator: "\n").map { line in
      let record = try JSONReader.read(Array(line.utf8))
      return ["from", "to"].map { record["range"]?[$0]?["value"]?.text ?? "?" }
    }
    #expect(kept == [["0", "1"], ["3", "4"]])
  }

  @Test func `when no frame begins in a remainder then the cut lists it and does not hold it`()
    async throws
  {
    let folder = try ScratchFolder()
    // Frames begin at 2 and 2.04.
    let list = try folder.write(Array("1.00 2.01 0\n2.03 3 0\n".utf8), to: "list")
    let run = try await BuiltTool.run(
      "cut", Self.clip, "--cuts", list, "--json", "-o", "a.mp4", folder: folder.path)
    expectHarmless(run, statuses: [0])
    let record = try JSONReader.read(run.out)
    guard case .array(let frameless) = record["frameless"], case .array(let parts) = record["parts"]
    else {
      Issue.record("\(run.outText)")
      return
    }
    func ends(_ rows: [JSONValue]) -> [[String]] {
      rows.map { row in ["from", "to"].map { row[$0]?["value"]?.text ?? "?" } }
    }
    #expect(ends(frameless) == [["201/100", "203/100"]])
    #expect(ends(parts) == [["0", "1"], ["3", "4"]])
    let probe = try await BuiltTool.run("probe", "--json", "a.mp4", folder: folder.path)
    let length = try JSONReader.read(probe.out)["durations"]?["presented"]?["value"]
    #expect(length?.text == "2", "\(probe.outText)")
  }

  @Test(arguments: lists) func `then a cut takes its parts`(_ one: Case) async throws {
    let folder = try ScratchFolder()
    let list = try folder.write(Array(one.list.utf8), to: "list")
    let words = ["cut", Self.clip, "--cuts", list, "-n", "--json", "-o", "a.mp4"] + one.words
    let run = try await BuiltTool.run(words.map { Array($0.utf8) }, folder: folder.path)
    #expect(run.status == 0, "\(run.errText)")
    guard case .array(let parts) = try JSONReader.read(run.out)["parts"] else {
      Issue.record("no parts: \(run.outText)")
      return
    }
    let ends = parts.map { part in
      ["from", "to"].map { part[$0]?["value"]?.text ?? "?" }.joined(separator: "..")
    }
    #expect(ends.joined(separator: " ") == one.parts)
    #expect(run.errText.contains("ignored") == one.testDescription.contains("ignored"))
  }
}
