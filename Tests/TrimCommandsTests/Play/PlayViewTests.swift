import CommandLineKit
import ExactTime
import TerminalUI
import Testing
import Trimming

@testable import TrimCommands

@MainActor @Suite struct `Given the screen of trim play` {
  private func expect(_ model: PlayModel, _ name: String, _ size: ScreenSize) throws {
    let canvas = PlayView(model: model).canvas(size: size.size)
    try expectGolden(canvas.text + "\n", "play-\(name)-\(size.rawValue).txt")
  }

  @Test(arguments: ScreenSize.allCases)
  func `while the file is being read it says so`(_ size: ScreenSize) throws {
    let model = PlayModel(opening: "walk.mp4", failure: nil, limit: .standard)
    try expect(model, "loading", size)
  }

  @Test(arguments: ScreenSize.allCases)
  func `a ready file shows its timeline, its ends and its length`(_ size: ScreenSize) throws {
    let controller = try PlayStage.controller(from: "100", to: "160")
    controller.presenter.playbackTimeDidChange(currentTime: MediaTime(361, 3))
    try expect(controller.model, "ready", size)
  }

  @Test(arguments: ScreenSize.allCases)
  func `a file that cannot be played says why, and the way out`(_ size: ScreenSize) throws {
    let failure = PlayedMedia.Failure(
      message: "the content is not recognized as media",
      hint: "Check that the download is complete; 'trim probe -v' says more.", status: .badData)
    try expect(
      PlayModel(opening: "walk.mp4", failure: failure, limit: .standard), "failed", size)
  }

  @Test(arguments: ScreenSize.allCases)
  func `the tutorial covers the file on the first visit`(_ size: ScreenSize) throws {
    let controller = try PlayStage.controller(isFirstVisit: true)
    try expect(controller.model, "tutorial", size)
  }

  @Test(arguments: ScreenSize.allCases)
  func `a part that is too long shows the excess`(_ size: ScreenSize) throws {
    let controller = try PlayStage.controller(from: "0", to: "60.6")
    try expect(controller.model, "too-long", size)
  }

  @Test func `a part of exactly the limit says that, and not an excess of zero`() throws {
    let controller = try PlayStage.controller(from: "0", to: "60.5")
    let text = PlayView(model: controller.model).canvas(size: ScreenSize.usual.size).text
    #expect(text.contains("TOO LONG: exactly the limit"))
  }

  nonisolated static let verdicts = [
    (80, "60.6", "TOO LONG by 0.100 s (must be under 60.5 s)"),
    (41, "60.6", "TOO LONG by 0.100 s"), (18, "60.6", "TOO LONG"), (1, "60.6", "TOO LONG"),
    (30, "60.5", "TOO LONG: exactly the limit"), (20, "60.5", "TOO LONG"),
    (40, "20.5", "OK: under 60.5 s, 40.000 s left"), (30, "20.5", "OK: under 60.5 s"),
    (9, "20.5", "OK"),
  ]

  @Test(arguments: verdicts)
  func `a narrow screen shortens the verdict, but never a number`(
    _ cells: Int, _ seconds: String, _ sentence: String
  ) throws {
    let length = try MediaDuration(parsing: seconds)
    #expect(LengthLimit.standard.sentence(on: length, cells: cells) == sentence)
  }

  @Test func `the displayed size is the one after rotation`() throws {
    var facts = PlayStage.facts
    facts.tracks[0].video?.rotation = 270
    let clip = try PlayedMedia(facts, location: "walk.mp4", part: PartExpression())
    #expect(clip.summary.first == "1080x1920")
  }

  @Test func `the keys are listed on request`() throws {
    let controller = try PlayStage.controller()
    _ = controller.take(.character("?"))
    try expect(controller.model, "keys", .usual)
    try expect(controller.model, "keys", .small)
  }

  @Test func `a time being typed shows what it means`() throws {
    let controller = try PlayStage.controller()
    for character in "g1:00.5" { _ = controller.take(.character(character)) }
    let canvas = PlayView(model: controller.model).canvas(size: ScreenSize.usual.size)
    #expect(canvas.text.contains("go to: 1:00.5   = 0:01:00.500"))
    #expect(canvas.cursor == Position(column: 14, row: 16))
  }

  @Test func `a hostile name takes no more than its row`() throws {
    let name = ForeignText.shown("\u{1B}]0;x\u{7}\u{202E}" + String(repeating: "映", count: 300))
    let model = PlayModel(opening: name, failure: nil, limit: .standard)
    let canvas = PlayView(model: model).canvas(size: ScreenSize.small.size)
    #expect(canvas.line(0).contains("…"))
    #expect(canvas.line(0).hasSuffix("? keys"))
    #expect(canvas.line(0).columns <= 40)
  }

  /// Sizes at the limits of every layout, and absurd ones.
  nonisolated static let sizes = [
    (1, 1), (1, 24), (80, 1), (2, 2), (39, 24), (40, 7), (40, 8), (40, 9), (59, 12), (60, 17),
    (60, 18), (4096, 2), (3, 512),
  ]

  @Test(arguments: sizes)
  func `any size gets a screen`(_ columns: Int, _ rows: Int) throws {
    let size = Size(columns: columns, rows: rows)
    let controller = try PlayStage.controller(isFirstVisit: true)
    for keys in ["", "?", "?g1", "\r+z"] {
      for character in keys { _ = controller.take(.character(character)) }
      let canvas = PlayView(model: controller.model).canvas(size: size)
      #expect(canvas.size == size)
      #expect(canvas.text.contains { $0 != " " && $0 != "\n" })
    }
  }
}
