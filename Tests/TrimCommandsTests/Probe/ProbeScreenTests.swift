import CommandLineKit
import ExactTime
import MediaEngine
import MediaFacts
import Testing

@testable import TrimCommands

@Suite struct `Given trim probe on a screen` {
  struct Page: CustomTestStringConvertible, Sendable {
    var golden: String
    var words: [ArgumentText]
    var environment = ["COLUMNS": "80", "LANG": "en_US.UTF-8"]
    var isTerminal = false
    var testDescription: String { golden }
  }

  static let clips: [String: Result<MediaFacts, MediaError>] = [
    "walk.mp4": .success(Clips.good), "cut.mp4": .success(Clips.truncated),
    "bright.mp4": .success(Clips.bright),
    "long.wav": .success(Clips.lasting(MediaDuration(606, 10))),
    "text.mp4": .failure(
      MediaError(.notMedia, "the content is a playlist, not media", hint: "Give the media file.")),
  ]

  @Test(arguments: [
    Page(golden: "probe-good.txt", words: ["probe", "walk.mp4"]),
    Page(golden: "probe-keyframes.txt", words: ["probe", "--keyframes", "walk.mp4"]),
    Page(golden: "probe-frames.txt", words: ["probe", "--frames", "bright.mp4"]),
    Page(golden: "probe-damaged.txt", words: ["probe", "cut.mp4"]),
    Page(golden: "probe-plain.txt", words: ["probe", "--plain", "walk.mp4"]),
    Page(
      golden: "probe-40.txt", words: ["probe", "walk.mp4"],
      environment: ["COLUMNS": "40", "LANG": "en_US.UTF-8"]),
    Page(
      golden: "probe-color.txt", words: ["probe", "walk.mp4"],
      environment: ["COLUMNS": "80", "LANG": "en_US.UTF-8", "TERM": "xterm"], isTerminal: true),
    Page(golden: "probe-several.txt", words: ["probe", "long.wav", "text.mp4", "cut.mp4"]),
  ])
  func `then it shows the agreed page`(_ page: Page) throws {
    let run = ToolRun(
      page.words, clips: Self.clips, environment: page.environment, terminal: page.isTerminal)
    try expectGolden(run.out + (run.err.isEmpty ? "" : "--- stderr\n" + run.err), page.golden)
  }

  @Test(arguments: [1, 2, 3, 10, 17, 26, 39, 79, 200, 10_000])
  func `then no width makes it fail, and no line exceeds the width`(_ columns: Int) {
    let run = ToolRun(
      ["probe", "--keyframes", "walk.mp4"], clips: Self.clips,
      environment: ["COLUMNS": "\(columns)", "LANG": "C.UTF-8"])
    #expect(run.status == 0)
    let widest = run.out.split(separator: "\n").map { String($0).cellWidth }.max() ?? 0
    #expect(widest <= columns)
    let letters = run.out.filter { !$0.isWhitespace }
    #expect(letters.contains("1:00.394presented"), "all words are there")
  }

  @Test(arguments: [true, false])
  func `then nothing from the file acts on a terminal`(_ isTerminal: Bool) {
    let name = ArgumentText("a\u{1B}]52;c;\u{07}\n\u{202E}4pm.mp4")
    let run = ToolRun(
      ["probe", "--color", "never", "--keyframes", name],
      clips: [name.text ?? "": .success(Clips.hostile)], terminal: isTerminal)
    for scalar in (run.out + run.err).unicodeScalars where scalar != "\n" {
      #expect(!ForeignText.deceives(scalar), "U+\(String(scalar.value, radix: 16))")
    }
    #expect(run.out.utf8.count < 8_000, "tags are bounded")
    #expect(run.out.contains("a\\u{1b}]52;c;\\u{7}\\n\\u{202e}4pm.mp4"))
  }

  @Test func `then without UTF-8 everything is ASCII`() {
    let run = ToolRun(
      ["probe", "é.mp4"], clips: ["é.mp4": .success(Clips.hostile)],
      environment: ["LC_ALL": "C", "LANG": "de_DE.UTF-8"])
    #expect(run.out.utf8.allSatisfy { $0 < 0x7f })
    #expect(run.out.hasPrefix("\\u{e9}.mp4:"))
  }
}
