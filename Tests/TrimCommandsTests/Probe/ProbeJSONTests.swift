import CommandLineKit
import ExactTime
import MediaEngine
import MediaFacts
import Testing

@testable import TrimCommands

@Suite struct `Given trim probe with output for programs` {
  static let clips: [String: Result<MediaFacts, MediaError>] = [
    "walk.mp4": .success(Clips.good), "cut.mp4": .success(Clips.truncated),
    "bright.mp4": .success(Clips.bright),
    "long.wav": .success(Clips.lasting(MediaDuration(606, 10))),
    "text.mp4": .failure(
      MediaError(.notMedia, "the content is a playlist, not media", hint: "Give the media file.")),
    "slow.ts": .failure(MediaError(.timedOut, "the probe took over 5 s")),
  ]

  @Suite struct `When it prints JSON` {
    @Test(
      arguments: [
        (["probe", "--json", "walk.mp4"], "probe-good.json", 0),
        (["probe", "--json", "--keyframes", "walk.mp4"], "probe-keyframes.json", 0),
        (["probe", "--json", "--frames", "bright.mp4"], "probe-frames.json", 0),
        (["probe", "--json", "cut.mp4"], "probe-damaged.json", 65),
        (["probe", "--json", "text.mp4"], "probe-error.json", 65),
        (["probe", "--json", "long.wav", "gone.mp4"], "probe-several.json", 1),
        (["probe", "--jsonl", "text.mp4", "walk.mp4", "slow.ts"], "probe-lines.jsonl", 1),
      ] as [([String], String, Int32)])
    func `then it matches the agreed document`(
      _ words: [String], _ golden: String, _ status: Int32
    ) throws {
      let run = ToolRun(words.map { ArgumentText($0) }, clips: clips)
      #expect(run.status == status)
      try expectGolden(run.out, golden)
    }

    @Test func `then every line has the same columns`() {
      let run = ToolRun("probe", "--jsonl", "text.mp4", "walk.mp4", clips: clips)
      let columns = run.out.split(separator: "\n").map { line in
        // The columns are the keys that follow the head, at the top level.
        [
          "container", "depth", "durations", "rule", "tracks", "chapters", "tags", "notes",
          "damage", "error",
        ].filter { line.contains("\"\($0)\":") }
      }
      #expect(columns.count == 2)
      #expect(columns[0] == columns[1])
    }

    @Test func `then a name that is not valid text is given exactly`() {
      let name = ArgumentText(bytes: [0x66, 0xfc, 0x72, 0x0a])
      let run = ToolRun(["probe", "--jsonl", name])
      #expect(run.out.contains(#""input":{"path":"f�r\n","path_b64":"ZvxyCg==","bytes":null}"#))
    }

    @Test(arguments: ["--json", "--jsonl"])
    func `then nothing from the file acts on a terminal`(_ flag: String) {
      let run = ToolRun(
        "probe", flag, "x.mp4", clips: ["x.mp4": .success(Clips.hostile)], terminal: true)
      for scalar in run.out.unicodeScalars where scalar != "\n" {
        #expect(!ForeignText.deceives(scalar))
      }
      #expect(run.out.contains("\\u202egnp\\u0000\\n\\u200b\\udb40\\udc41"))
    }

    @Test(arguments: [1, 2, 5])
    func `then threads, locale and width do not change a byte`(_ jobs: Int) {
      let words: [ArgumentText] = ["probe", "--jsonl", "walk.mp4", "cut.mp4", "gone", "long.wav"]
      let usual = ToolRun(words, clips: clips)
      let other = ToolRun(
        words + [ArgumentText("-j\(jobs)")], clips: clips,
        environment: ["COLUMNS": "7", "LC_ALL": "C", "TZ": "Asia/Tokyo", "FORCE_COLOR": "1"])
      #expect(other.out == usual.out)
    }
  }

  @Suite struct `When it ends` {
    @Test(
      arguments: [
        (.notMedia, 65), (.damaged, 65), (.limitExceeded, 65), (.encrypted, 65),
        (.needsSeeking, 65), (.inputMissing, 66), (.notRegularFile, 66), (.onlyLocalPaths, 66),
        (.permissionDenied, 77), (.readFailed, 74), (.stalled, 75), (.timedOut, 75),
        (.cancelled, 130), (.outOfMemory, 75), (.engineMissing, 69), (.internalError, 70),
      ] as [(MediaError.Code, Int32)])
    func `then a single file sets the status`(_ code: MediaError.Code, _ status: Int32) {
      let clips: [String: Result<MediaFacts, MediaError>] = ["x": .failure(MediaError(code, "no"))]
      #expect(ToolRun("probe", "x", clips: clips).status == status)
      #expect(ToolRun("probe", "x", "x", clips: clips).status == 1)
      let row = ToolRun("probe", "--jsonl", "x", clips: clips).out
      #expect(row.contains("\"code\":\"\(code.rawValue)\",\"retryable\":\(status == 75)"))
    }

    @Test func `then one broken file among many is a row and does not end the run`() {
      let words: [ArgumentText] =
        ["probe", "--jsonl"]
        + (0..<50).map { number in
          number == 20 ? "text.mp4" : "walk.mp4"
        }
      let run = ToolRun(words, clips: clips)
      let kinds = run.out.split(separator: "\n").map { $0.contains("\"kind\":\"error\"") }
      #expect(kinds == (0..<50).map { $0 == 20 })
      #expect(run.status == 1)
    }

    @Test func `then a row's error is on stderr only in verbose mode`() {
      #expect(ToolRun("probe", "--jsonl", "text.mp4", clips: clips).err.isEmpty)
      let run = ToolRun("-v", "probe", "--jsonl", "text.mp4", clips: clips)
      #expect(
        run.err == "trim: text.mp4: the content is a playlist, not media\n  Give the media file.\n")
    }

    @Test func `then a reader that closed the pipe ends it quietly`() {
      let words: [ArgumentText] = ["probe", "--jsonl"] + Array(repeating: "walk.mp4", count: 50)
      let run = ToolRun(words, clips: clips, closesOutAfter: 3)
      #expect(run.status == 141)
      #expect(run.out.split(separator: "\n").count == 3)
      #expect(run.err.isEmpty)
    }

    @Test func `then the status reports an interruption`() {
      let run = ToolRun(
        ["probe", "--jsonl", "walk.mp4", "walk.mp4"], clips: clips, interruption: 2)
      #expect(run.status == 130)
      #expect(run.out.isEmpty)
    }

    @Test func `then a missing list counts as a missing input`() {
      let run = ToolRun("probe", "--json", "--files-from", "/nonexistent/list", clips: clips)
      #expect(run.status == 66)
      #expect(run.err.contains("the list /nonexistent/list cannot be opened"))
    }
  }
}
