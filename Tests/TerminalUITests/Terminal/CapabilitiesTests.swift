import Support
import TerminalUI
import Testing

@Suite struct `Given the environment of a terminal` {
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let environment: [String: String]
    let expected: Capabilities
  }

  static let cases = [
    Case(
      testDescription: "a modern terminal",
      environment: ["TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "en_GB.UTF-8"],
      expected: Capabilities(depth: .trueColor, isUTF8: true, isAddressable: true)),
    Case(
      testDescription: "tmux",
      environment: ["TERM": "tmux-256color", "LANG": "C.utf8"],
      expected: Capabilities(depth: .twoHundredFiftySix, isUTF8: true, isAddressable: true)),
    Case(
      testDescription: "the Linux console in the C locale",
      environment: ["TERM": "linux", "LC_ALL": "C", "LANG": "en_GB.UTF-8"],
      expected: Capabilities(depth: .sixteen, isUTF8: false, isAddressable: true)),
    Case(
      testDescription: "no colour wanted",
      environment: ["TERM": "xterm-256color", "NO_COLOR": "1", "LC_CTYPE": "de_DE.UTF-8@euro"],
      expected: Capabilities(depth: .none, isUTF8: true, isAddressable: true)),
    Case(
      testDescription: "NO_COLOR that is empty",
      environment: ["TERM": "xterm", "NO_COLOR": "", "LC_ALL": "", "LANG": "C.UTF-8"],
      expected: Capabilities(depth: .sixteen, isUTF8: true, isAddressable: true)),
    Case(
      testDescription: "a dumb terminal",
      environment: ["TERM": "dumb", "COLORTERM": "truecolor"],
      expected: Capabilities(depth: .none, isUTF8: false, isAddressable: false)),
    Case(
      testDescription: "colour forced on an unknown terminal",
      environment: ["TERM": "unknown", "FORCE_COLOR": "1"],
      expected: Capabilities(depth: .sixteen, isUTF8: false, isAddressable: false)),
    Case(
      testDescription: "nothing set at all", environment: [:],
      expected: Capabilities(depth: .none, isUTF8: false, isAddressable: false)),
    Case(
      testDescription: "an old terminal without colour",
      environment: ["TERM": "vt100", "LANG": "POSIX"],
      expected: Capabilities(depth: .none, isUTF8: false, isAddressable: true)),
  ]

  @Test(arguments: cases)
  func `its capabilities follow from its variables`(_ given: Case) {
    #expect(Capabilities(environment: given.environment) == given.expected)
  }

  @Test func `the terminal's own size takes precedence`() throws {
    let terminal = try PseudoTerminal(columns: 40, rows: 12)
    let environment = ["COLUMNS": "132", "LINES": "50"]
    let size = Size(ofTerminal: terminal.descriptor, environment: environment)
    #expect(size == Size(columns: 40, rows: 12))
  }

  struct Stated: CustomTestStringConvertible, Sendable {
    let columns: String
    let lines: String
    let expected: Size

    var testDescription: String { "COLUMNS=\(columns) LINES=\(lines)" }
  }

  @Test(arguments: [
    Stated(columns: "132", lines: "50", expected: Size(columns: 132, rows: 50)),
    Stated(columns: "1", lines: "1", expected: Size(columns: 1, rows: 1)),
    Stated(columns: "0", lines: "-3", expected: .standard),
    Stated(columns: "wide", lines: "", expected: .standard),
    Stated(
      columns: "99999999999999999999", lines: "10000", expected: Size(columns: 80, rows: 512)),
    Stated(columns: "10000", lines: "24", expected: Size(columns: 4096, rows: 24)),
  ])
  func `a size known only from the environment is read with care`(_ stated: Stated) {
    let environment = ["COLUMNS": stated.columns, "LINES": stated.lines]
    #expect(Size(ofTerminal: -1, environment: environment) == stated.expected)
  }
}
