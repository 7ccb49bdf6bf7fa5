import CommandLineKit
import FoundationEssentials
import Testing

@testable import TrimCommands

@Suite(
  .enabled(if: Binary.path != nil, "trim is not built beside the tests"), .timeLimit(.minutes(5)))
struct `Given real files and the installed trim` {
  private func shell(_ command: String, _ arguments: [String] = []) throws -> Program {
    let tool = try #require(Binary.path)
    return try Program.shell(
      command, arguments.map { Array($0.utf8) },
      environment: ["T": tool, "LANG": "C.UTF-8", "COLUMNS": "80"])
  }

  @Suite struct `When they are checked` {
    @Test(
      arguments: [
        ("under-limit.mp4", 0, "OK: under 60.5 s, 0.100 s left"),
        ("at-limit.mp4", 1, "TOO LONG: exactly the limit (must be under 60.5 s)"),
        ("over-limit.mp4", 1, "TOO LONG by 0.100 s (must be under 60.5 s)"),
        ("sound-over-limit.mp4", 1, "TOO LONG by 0.010 s (must be under 60.5 s)"),
        ("truncated.mp4", 65, "DAMAGED: "), ("not-media.mp4", 65, ""), ("missing.mp4", 66, ""),
      ] as [(String, Int32, String)])
    func `then the status and the sentence are right for the file`(
      _ clip: String, _ status: Int32, _ sentence: String
    ) throws {
      let run = try `Given real files and the installed trim`()
        .shell("exec \"$T\" check \"$1\"", [Repository.sample(clip)])
      #expect(run.status == status)
      #expect(sentence.isEmpty || run.outText.contains(sentence))
      #expect(run.err.isEmpty == (status < 65 || clip == "truncated.mp4"))
    }
  }

  @Test(arguments: [
    "-x.mp4", "a\nb.mp4", " lead.mp4", "\u{1B}]52;c;eA==\u{07}.mp4", "👩\u{200D}🚀.mp4",
    "concat:a.mp4", "http:b.mp4", "p%03d.mp4", "*.mp4", "pipe:0", "a:b.mp4", "\u{202E}4pm.mp4",
    String(repeating: "n", count: 251) + ".mp4",
  ])
  func `then a file with any name is found and shown safely`(_ name: String) throws {
    let folder = try TemporaryFolder()
    let clip = try Data(contentsOf: URL(filePath: Repository.sample("b-frames.mp4")))
    try folder.write(Array(clip), to: name)
    let run = try shell(
      "cd \"$1\" && \"$T\" probe -- \"$2\" && \"$T\" probe --jsonl -- \"$2\"", [folder.root, name])
    #expect(run.status == 0, "\(run.errText)")
    #expect(run.outText.contains("exactly 4 s"))
    #expect(run.outText.contains(#""presented":{"value":"4","seconds":4"#))
    for scalar in run.outText.unicodeScalars where scalar != "\n" {
      #expect(!ForeignText.deceives(scalar))
    }
  }

  @Test func `then a file with a name that is not valid text is found`() throws {
    let folder = try TemporaryFolder()
    let run = try shell(
      #"name=$(printf 'f\374r.mp4'); cp "$2" "$1/$name"; cd "$1"; "$T" probe --jsonl "$name""#,
      [folder.root, Repository.sample("b-frames.mp4")])
    #expect(run.status == 0)
    #expect(run.outText.contains(#""path_b64":"ZvxyLm1wNA==""#))
  }

  @Test func `then a file on standard input has the same lengths`() throws {
    let lengths = #"| grep -o '"presented":{"value":"[^"]*"' | head -1"#
    let run = try shell(
      "\"$T\" probe --jsonl \"$1\" \(lengths); \"$T\" probe --jsonl - <\"$1\" \(lengths); "
        + "cat \"$1\" | \"$T\" probe --jsonl - \(lengths)", [Repository.sample("ntsc.mp4")])
    let lines = run.outText.split(separator: "\n")
    #expect(lines.count == 3 && Set(lines).count == 1, "\(run.outText)\(run.errText)")
  }

  @Test func `then one thread and two give the same bytes`() throws {
    let folder = try TemporaryFolder()
    let run = try shell(
      "cd \"$1\"; \"$T\" probe --jsonl -j1 -- * >\"$2/a\"; \"$T\" probe --jsonl -j2 -- * >\"$2/b\"; "
        + "cmp \"$2/a\" \"$2/b\" && wc -l <\"$2/a\"",
      [Repository.root.appending(path: "samples").path(), folder.root])
    #expect(run.status == 0, "\(run.outText)\(run.errText)")
  }
}
