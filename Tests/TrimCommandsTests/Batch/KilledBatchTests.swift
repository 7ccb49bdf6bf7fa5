import CommandLineKit
import Support
import Testing

@testable import TrimCommands

/// A batch that ends without warning between any two of its steps, as in a power failure.
@Suite(.enabled(if: BatchRun.harness != nil, BatchRun.absence), .timeLimit(Sample.limit))
struct `Given a batch that is killed` {
  private func cut(_ clip: String, to output: String, force: Bool) -> String {
    #"{"id":"\#(output)","op":"cut","path":"\#(clip)","output":"\#(output)","from":1,"to":2"#
      + (force ? #","force":true}"# : "}")
  }

  @Test(arguments: [false, true])
  func `then the next run accounts for every output, whatever step it was`(
    _ force: Bool
  ) async throws {
    let clip = SampleClips.path("b-frames.mp4")
    var wasKilled = true
    // A sampled run takes every fourth step, with a random start.
    let stride = Sample.count(4, ofAll: 1)
    var generator = Sample.generator(force ? 1 : 0)
    var step = Int.random(in: 1 - stride...0, using: &generator)
    while wasKilled, step < 60 {
      step += stride
      let folder = try ScratchFolder()
      let results = folder.path(of: "results")
      let outputs = ["one.mp4", "two.mp4"].map { folder.path(of: $0) }
      if force { try folder.write(Array("older".utf8), to: "one.mp4") }
      let tasks = outputs.map { cut(clip, to: $0, force: force) }
      let words = ["--results", results, "--skip-done", "-j", "1"]
      let input = Array(tasks.map { $0 + "\n" }.joined().utf8)
      let killed = try await BatchRun(
        input: input, words, environment: ["TRIM_KILL_AT": "\(step)"])
      wasKilled = killed.run.status == nil
      let resumed = try await BatchRun(input: input, words)
      #expect(resumed.run.status == 0, "step \(step): \(resumed.codes)")
      #expect(resumed.codes == [nil, nil], "step \(step)")
      let rows = try fileBytes(results).split(separator: UInt8(ascii: "\n"))
        .compactMap { try? JSONReader.read(Array($0)) }
        .filter { $0["kind"]?.text == "cut" }
      #expect(
        Set(rows.compactMap { $0["output"]?["path"]?.text }) == Set(outputs), "step \(step)")
      #expect(rows.count == 2, "step \(step): one row for each output")
      #expect(
        folder.names == Set(["results", "one.mp4", "two.mp4"].map { Array($0.utf8) }),
        "step \(step): nothing else is left")
      let sizes = try outputs.map { Int64(try fileBytes($0).count) }
      #expect(
        Set(sizes) == Set(rows.compactMap { $0["result"]?["bytes"]?.exactInteger }),
        "step \(step)")
    }
    #expect(!wasKilled && step > 12, "it was killed up to step \(step - stride)")
  }

  @Test func `then an output that was changed since is not taken for its own`() async throws {
    let clip = SampleClips.path("b-frames.mp4")
    let folder = try ScratchFolder()
    let (results, output) = (folder.path(of: "results"), folder.path(of: "one.mp4"))
    let input = Array((cut(clip, to: output, force: false) + "\n").utf8)
    let words = ["--results", results, "--skip-done"]
    for step in 1...40 {
      let run = try await BatchRun(
        input: input, words, environment: ["TRIM_KILL_AT": "\(step)"])
      if run.run.status != nil { break }
      if folder.names.contains(Array("one.mp4".utf8)) { break }
    }
    try folder.write(Array("a note".utf8), to: "one.mp4")
    let resumed = try await BatchRun(input: input, words)
    #expect(resumed.codes == ["outputExists"])
    #expect(try fileBytes(output) == Array("a note".utf8))
  }
}
