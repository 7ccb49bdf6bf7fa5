import ExactTime
import TerminalUI
import Testing
import Trimming

@testable import TrimCommands

@MainActor @Suite struct `Given the keys of trim play` {
  private func stage(
    from: String = "10", to: String = "50", isFirstVisit: Bool = false
  ) throws -> PlayController {
    try PlayStage.controller(from: from, to: to, isFirstVisit: isFirstVisit)
  }

  private func press(_ keys: String, _ controller: PlayController) {
    for character in keys { _ = controller.take(key(character)) }
  }

  private func key(_ character: Character) -> Key {
    character == "\t" ? Key(.tab) : character == "\r" ? Key(.enter) : .character(character)
  }

  struct Move: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let keys: String
    let position: MediaTime
  }

  nonisolated static let moves = [
    Move(testDescription: ". is a frame on", keys: " .", position: MediaTime(1001 * 300, 30000)),
    Move(testDescription: "> is ten seconds", keys: " >", position: MediaTime(20)),
    Move(testDescription: "< stops at the clip's start", keys: " <<<", position: .zero),
    Move(testDescription: "n is the next keyframe", keys: " n", position: MediaTime(1001, 100)),
    Move(testDescription: "b is the keyframe before", keys: " b", position: .zero),
    Move(testDescription: "[ is the in-point", keys: " 5[", position: MediaTime(10)),
    Move(testDescription: "] is the out-point", keys: " ]", position: MediaTime(50)),
    Move(testDescription: "5 is half the clip", keys: " 5", position: MediaTime(150)),
    Move(
      testDescription: "g goes to what is typed", keys: " g1:01.5\r", position: MediaTime(123, 2)),
    Move(testDescription: "g knows keyframes", keys: " gk3\r", position: MediaTime(1001, 50)),
  ]

  @Test(arguments: moves)
  func `a paused playhead moves`(_ move: Move) throws {
    let controller = try stage()
    press(move.keys, controller)
    #expect(!controller.presenter.isPlaying)
    #expect(controller.presenter.playbackTime == move.position)
  }

  @Test func `i and o set the ends at the playhead`() throws {
    let controller = try stage()
    press(" >i>o", controller)
    #expect(
      controller.presenter.timeRange == MediaTimeRange(from: MediaTime(20), to: MediaTime(30)))
    press("uu", controller)
    #expect(
      controller.presenter.timeRange == MediaTimeRange(from: MediaTime(10), to: MediaTime(50)))
    press("U", controller)
    #expect(controller.presenter.timeRange.start == MediaTime(20))
  }

  @Test func `Tab chooses the handle that moves`() throws {
    let controller = try stage()
    press("\t>", controller)
    #expect(controller.presenter.timeRange.start == MediaTime(20))
    press("\t<", controller)
    #expect(controller.presenter.timeRange.end == MediaTime(40))
    _ = controller.take(Key(.tab, .shift))
    press("<", controller)
    #expect(controller.presenter.timeRange.start == MediaTime(10))
  }

  @Test func `an arrow is a second, with Shift ten, with Alt a keyframe`() throws {
    let controller = try stage()
    press(" ", controller)
    _ = controller.take(Key(.right))
    #expect(controller.presenter.playbackTime == MediaTime(11))
    _ = controller.take(Key(.right, .shift))
    #expect(controller.presenter.playbackTime == MediaTime(21))
    _ = controller.take(Key(.left, .alt))
    #expect(controller.presenter.playbackTime == MediaTime(1001, 50))
  }

  @Test func `l doubles the speed, j halves it, k stops`() throws {
    let controller = try stage()
    press("lll", controller)
    #expect(controller.speed == Rational(8))
    press("jk", controller)
    #expect(controller.speed == Rational(4))
    #expect(!controller.presenter.isPlaying)
    press(String(repeating: "l", count: 100), controller)
    #expect(controller.speed == Rational(512))
  }

  @Test func `increasing the speed starts a paused file`() throws {
    let controller = try stage()
    press(" l", controller)
    #expect(controller.presenter.isPlaying)
  }

  @Test func `an arrow with Alt goes to the keyframe, not back a second`() throws {
    let controller = try stage(from: "15")
    press(" ", controller)
    _ = controller.take(Key(.left, .alt))
    #expect(controller.presenter.playbackTime == MediaTime(1001, 100))
  }

  @Test func `a typed in point goes there, and never beyond the out point`() throws {
    let controller = try stage()
    press("\tg20\r", controller)
    #expect(
      controller.presenter.timeRange == MediaTimeRange(from: MediaTime(20), to: MediaTime(50)))
    press("g60\r", controller)
    #expect(controller.presenter.timeRange.start < MediaTime(50))
    #expect(controller.presenter.timeRange.end == MediaTime(50))
  }

  @Test func `s cycles through the snap modes`() throws {
    let controller = try stage()
    let round = (0..<3).map { _ in
      press("s", controller)
      return controller.presenter.snap
    }
    #expect(round == [.frame, .keyframe, .off])
  }

  @Test func `z zooms the timeline to the part and back`() throws {
    let controller = try stage()
    press("z", controller)
    #expect(controller.model.window?.shown == MediaTimeRange(from: MediaTime(6), to: MediaTime(54)))
    press("z", controller)
    #expect(controller.model.window?.isWhole == true)
  }

  @Test(arguments: [
    Key.character(" "), .character("q"), Key(.escape), Key(.enter), .character("?"),
    .character("g"), Key(.right), .character("i"),
  ])
  func `any key closes the tutorial or the list of keys, and does nothing else`(_ key: Key) throws {
    for asks in [false, true] {
      let controller = try stage(isFirstVisit: !asks)
      if asks { press("?", controller) }
      #expect(controller.model.overlay == (asks ? .keys : .tutorial))
      let before = controller.presenter.session
      #expect(controller.take(key) == .none)
      #expect(controller.model.overlay == .none)
      #expect(controller.presenter.isPlaying)
      #expect(controller.presenter.timeRange == before.timeRange)
      #expect(controller.model.prompt == nil)
    }
  }

  @Test func `Ctrl-C and Ctrl-Z act through the tutorial`() throws {
    let controller = try stage(isFirstVisit: true)
    #expect(controller.take(.control("z")) == .suspend)
    #expect(controller.model.overlay == .tutorial)
    #expect(controller.take(.control("c")) == .interrupt)
  }

  @Test func `a handle that cannot be moved as requested says why`() throws {
    let controller = try stage()
    func notice(_ keys: String) -> String? {
      press(keys, controller)
      return controller.model.notice
    }
    #expect(notice(" [g5\ro") == "Out must be after In (0:00:10.000). Press i to move In first.")
    #expect(controller.presenter.timeRange.start == MediaTime(10), "In is kept")
    #expect(notice("i")?.hasPrefix("Out") != true)
    #expect(notice("u") == nil)
    #expect(notice("\t9") == "In must be before Out (0:00:50.000). Move Out first.")
    #expect(notice("\t0") == "Out must be after In (0:00:10.000). Press i to move In first.")
    #expect(notice("\t0<") == "This is the start of the video.")
    #expect(notice("b") == "No keyframe before this.")
    #expect(notice("g4:00\ri") == "Out was before In, so it moved to the end. u undoes it.")
  }

  @Test func `M changes the length limit`() throws {
    let controller = try stage(from: "0", to: "120")
    #expect(!controller.presenter.isVideoLengthValid)
    press("M121\r", controller)
    #expect(controller.presenter.isVideoLengthValid)
    press("M60\r", controller)
    #expect(!controller.presenter.isVideoLengthValid)
    press("Mnone\r", controller)
    #expect(controller.presenter.isVideoLengthValid)
    #expect(controller.presenter.limit.maximum == nil)
    press("Mabc\r", controller)
    #expect(
      controller.model.prompt?.reading == .problem("'abc' is not a length. Try 60.5, 1:30, none."))
  }

  @Test func `text that is not a time gets valid examples`() throws {
    let controller = try stage()
    press(" gabc\r", controller)
    #expect(
      controller.model.prompt?.reading
        == .problem("'abc' is not a time. Try 1:05.5, start, end."))
  }

  @Test func `the question mark shows and hides the keys`() throws {
    let controller = try stage()
    press("?", controller)
    #expect(controller.model.overlay == .keys)
    press("?", controller)
    #expect(controller.model.overlay == .none)
  }

  @Test func `keys that end or stop the program are reported to its owner`() throws {
    let controller = try stage()
    #expect(controller.take(.character("q")) == .quit)
    #expect(controller.take(Key(.escape)) == .quit)
    #expect(controller.take(.control("c")) == .interrupt)
    #expect(controller.take(.control("z")) == .suspend)
    #expect(controller.take(.control("l")) == .redraw)
  }

  @Test func `while a time is typed, letters are text, and Escape only cancels it`() throws {
    let controller = try stage()
    press("gq", controller)
    #expect(controller.model.prompt?.text == "q")
    #expect(controller.take(.control("c")) == .interrupt)
    #expect(controller.take(Key(.backspace)) == .none)
    #expect(controller.model.prompt?.reading == .nothing)
    #expect(controller.take(Key(.escape)) == .none)
    #expect(controller.model.prompt == nil)
  }

  @Test func `an invalid time stays in the prompt, with an error`() throws {
    let controller = try stage()
    press(" g99:99\r", controller)
    guard case .problem = controller.model.prompt?.reading else {
      Issue.record("no problem is shown")
      return
    }
    #expect(controller.presenter.playbackTime == MediaTime(10))
  }

  @Test func `pasted text is text, never keys`() throws {
    let controller = try stage()
    controller.paste(" ")
    #expect(controller.presenter.isPlaying)
    press("g", controller)
    controller.paste("1:00\n")
    #expect(controller.model.prompt?.text == "1:00")
  }
}
