import TerminalUI
import Testing

@Suite struct `Given the bytes of a terminal` {
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let bytes: [UInt8]
    let events: [TerminalEvent]

    init(_ description: String, _ bytes: String, _ events: TerminalEvent...) {
      testDescription = description
      self.bytes = Array(bytes.utf8)
      self.events = events
    }

    init(_ description: String, _ bytes: [UInt8], _ events: TerminalEvent...) {
      testDescription = description
      self.bytes = bytes
      self.events = events
    }

    init(_ description: String, _ bytes: String, key code: Key.Code, _ modifiers: Modifiers = []) {
      self.init(description, bytes, .key(Key(code, modifiers)))
    }
  }

  static let keys = [
    Case("a letter", "a", key: .character("a")),
    Case("a letter of two bytes", "é", key: .character("é")),
    Case("a letter of three bytes", "映", key: .character("映")),
    Case("a letter of four bytes", "🎬", key: .character("🎬")),
    Case("Space", " ", key: .character(" ")),
    Case("Enter", "\r", key: .enter),
    Case("Tab", "\t", key: .tab),
    Case("Shift-Tab", "\u{1B}[Z", key: .tab, .shift),
    Case("Backspace", "\u{7F}", key: .backspace),
    Case("Ctrl-A", "\u{1}", key: .character("a"), .control),
    Case("Ctrl-Z", "\u{1A}", key: .character("z"), .control),
    Case("Ctrl-Space", "\0", key: .character(" "), .control),
    Case("Ctrl-underscore", "\u{1F}", key: .character("_"), .control),
    Case("Alt with a letter", "\u{1B}b", key: .character("b"), .alt),
    Case("Alt with a letter of two bytes", "\u{1B}é", key: .character("é"), .alt),
    Case("Alt with Enter", "\u{1B}\r", key: .enter, .alt),
    Case("Alt with Ctrl-A", "\u{1B}\u{1}", key: .character("a"), [.alt, .control]),
    Case("Up", "\u{1B}[A", key: .up),
    Case("Down, application mode", "\u{1B}OB", key: .down),
    Case("Shift-Right", "\u{1B}[1;2C", key: .right, .shift),
    Case("Ctrl-Left", "\u{1B}[1;5D", key: .left, .control),
    Case("all modifiers", "\u{1B}[1;8A", key: .up, [.shift, .alt, .control]),
    Case("Meta counts as Alt", "\u{1B}[1;9A", key: .up, .alt),
    Case("Shift-Left of rxvt", "\u{1B}[d", key: .left, .shift),
    Case("Alt-Up of rxvt", "\u{1B}\u{1B}[A", key: .up, .alt),
    Case("Home", "\u{1B}[H", key: .home),
    Case("Home, application mode", "\u{1B}OH", key: .home),
    Case("Home of the console", "\u{1B}[1~", key: .home),
    Case("Home of rxvt", "\u{1B}[7~", key: .home),
    Case("End", "\u{1B}[F", key: .end),
    Case("End of the console", "\u{1B}[4~", key: .end),
    Case("Ctrl-End of rxvt", "\u{1B}[8^", key: .end, .control),
    Case("Insert", "\u{1B}[2~", key: .insert),
    Case("Shift-Delete", "\u{1B}[3;2~", key: .delete, .shift),
    Case("Page Up", "\u{1B}[5~", key: .pageUp),
    Case("Page Down", "\u{1B}[6~", key: .pageDown),
    Case("F1", "\u{1B}OP", key: .function(1)),
    Case("F1 of rxvt", "\u{1B}[11~", key: .function(1)),
    Case("F1 of the console", "\u{1B}[[A", key: .function(1)),
    Case("Shift-F1", "\u{1B}[1;2P", key: .function(1), .shift),
    Case("F12", "\u{1B}[24~", key: .function(12)),
    Case("Ctrl-a as kitty tells it", "\u{1B}[97;5u", key: .character("a"), .control),
    Case("Ctrl-Enter as xterm tells it", "\u{1B}[27;5;13~", key: .enter, .control),
  ]

  static let others = [
    Case("two keys at once", "ab", .key(.character("a")), .key(.character("b"))),
    Case(
      "the mouse's left button", "\u{1B}[<0;10;5M",
      .mouse(Mouse(.press, .left, at: Position(column: 9, row: 4)))),
    Case(
      "a drag with the right button and Ctrl", "\u{1B}[<50;1;1M",
      .mouse(Mouse(.drag, .right, at: Position(column: 0, row: 0), modifiers: .control))),
    Case(
      "a release", "\u{1B}[<0;3;4m",
      .mouse(Mouse(.release, .left, at: Position(column: 2, row: 3)))),
    Case(
      "the wheel", "\u{1B}[<65;3;4M",
      .mouse(Mouse(.wheelDown, .none, at: Position(column: 2, row: 3)))),
    Case(
      "a place before the first", "\u{1B}[<0;0;0M",
      .mouse(Mouse(.press, .left, at: Position(column: 0, row: 0)))),
    Case("a paste", "\u{1B}[200~q\u{1B}[A\r\n1:00\u{1B}[201~", .pasted("q[A\n1:00")),
    Case(
      "the focus", "\u{1B}[O\u{1B}[I", .focusDidChange(isFocused: false),
      .focusDidChange(isFocused: true)),
  ]

  @Test(arguments: keys + others)
  func `a sequence becomes its event`(_ given: Case) {
    var decoder = KeyDecoder()
    #expect(decoder.decode(given.bytes) == given.events)
    #expect(!decoder.isWaiting)
  }

  @Test(arguments: keys + others)
  func `it does so when it arrives byte by byte`(_ given: Case) {
    var decoder = KeyDecoder()
    let events = given.bytes.flatMap { decoder.decode([$0]) }
    #expect(events == given.events)
  }

  static let silences = [
    Case("Escape", "\u{1B}", key: .escape),
    Case("Escape twice", "\u{1B}\u{1B}", .key(Key(.escape)), .key(Key(.escape))),
    Case("Alt-[", "\u{1B}[", key: .character("["), .alt),
    Case("Alt-O", "\u{1B}O", key: .character("O"), .alt),
    Case("Alt-]", "\u{1B}]", key: .character("]"), .alt),
    Case("half a sequence", "\u{1B}[1;5"),
    Case("half a string", "\u{1B}]0;title"),
    Case("half a paste", "\u{1B}[200~abc", .pasted("abc")),
    Case("half a letter", [0xE6, 0x98], .key(.character("\u{FFFD}"))),
  ]

  @Test(arguments: silences)
  func `an unfinished sequence waits, and a pause decides what it was`(_ given: Case) {
    var decoder = KeyDecoder()
    #expect(decoder.decode(given.bytes).isEmpty)
    #expect(decoder.isWaiting)
    #expect(decoder.flush() == given.events)
    #expect(!decoder.isWaiting)
    #expect(decoder.decode([0x61]) == [.key(.character("a"))])
  }

  static let ignored = [
    Case("the answer to a question about the terminal", "\u{1B}[?62;22c"),
    Case("the place of the cursor", "\u{1B}[24;80R"),
    Case("a title", "\u{1B}]0;q\u{7}"),
    Case("a string ended by ST", "\u{1B}P1$rq\u{1B}\\"),
    Case("a string broken off", "\u{1B}]52;c;\u{18}"),
    Case("an old mouse report", "\u{1B}[M qq"),
    Case("a media key of kitty", "\u{1B}[57428u"),
    Case("a code point that is none", "\u{1B}[55296;1u"),
    Case(
      "a sequence without end of parameters", "\u{1B}[" + String(repeating: "1;", count: 5000) + "y"
    ),
    Case("huge numbers", "\u{1B}[99999999999999999999999999;99999999999999999999~"),
    Case("a mouse button of the future", "\u{1B}[<9999;1;1M"),
    Case("CSI of C1 in UTF-8", "\u{9B}"),
  ]

  @Test(arguments: ignored)
  func `a sequence that is not a key is swallowed whole`(_ given: Case) {
    var decoder = KeyDecoder()
    #expect(decoder.decode(given.bytes).isEmpty)
    #expect(decoder.decode([0x61]) == [.key(.character("a"))])
  }

  static let broken = [
    Case("a lone continuation", [0x80], .key(.character("\u{FFFD}"))),
    Case("an overlong slash", [0xE0, 0x80, 0xAF], .key(.character("\u{FFFD}"))),
    Case("a surrogate", [0xED, 0xA0, 0x80], .key(.character("\u{FFFD}"))),
    Case("beyond Unicode", [0xF4, 0x90, 0x80, 0x80], .key(.character("\u{FFFD}"))),
    Case(
      "a letter cut short by another", [0xE6, 0x61], .key(.character("\u{FFFD}")),
      .key(.character("a"))),
    Case(
      "a letter cut short by an arrow", [0xE6, 0x1B, 0x5B, 0x41], .key(.character("\u{FFFD}")),
      .key(Key(.up))),
    Case(
      "a sequence cut short by another", "\u{1B}[1;\u{1B}[B", .key(Key(.down))),
    Case("a sequence cut short by Enter", "\u{1B}[1\r", .key(Key(.enter))),
  ]

  @Test(arguments: broken)
  func `a broken sequence is reported and skipped`(_ given: Case) {
    var decoder = KeyDecoder()
    #expect(decoder.decode(given.bytes) == given.events)
  }
}
