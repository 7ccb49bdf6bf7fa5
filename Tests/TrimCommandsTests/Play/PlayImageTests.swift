import Glibc
import Support
import Testing

/// `trim play` on a terminal that may show images, with a file of uniform grey.
private struct Screen {
  static let question = "\u{1B}_Gi=1953655149,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\"
  static let yes = "\u{1B}_Gi=1953655149;OK\u{1B}\\"
  static let image = "\u{1B}_Ga=T,"
  static let removal = "\u{1B}_Ga=d,d=I,i=1953655149,q=2;\u{1B}\\"

  let terminal: PseudoTerminal
  let child: ChildProcess
  private let home: TemporaryFolder

  init(_ arguments: [String] = [], ownsTerminal: Bool = true, term: String = "xterm-256color")
    throws
  {
    home = try TemporaryFolder()
    terminal = try PseudoTerminal()
    child = try ChildProcess(
      "PlayHarness", arguments: ["play", "walk.mp4"] + arguments,
      environment: [
        "TRIM_HARNESS": #"{"probe": {"presented": "120", "rate": "25", "draws": true}}"#,
        "XDG_STATE_HOME": home.root, "TERM": term, "LANG": "C.UTF-8", "TRIM_NO_TUTORIAL": "1",
      ], on: terminal, ownsTerminal: ownsTerminal)
  }

  /// A terminal that has answered yes and shows an image.
  static func showing(ownsTerminal: Bool = true) async throws -> Screen {
    let screen = try Screen(ownsTerminal: ownsTerminal)
    try await screen.terminal.output(until: Screen.question)
    try screen.terminal.type(Screen.yes)
    try await screen.terminal.output(until: Screen.image)
    return screen
  }

  func end() async throws -> String {
    try terminal.type("q")
    #expect(try await child.nextChange() == .exited(0))
    return try await terminal.remainingOutput()
  }
}

@Suite(.timeLimit(.minutes(1))) struct `Given trim play and a terminal that may show images` {
  @Test func `a yes enables images, however late it arrives`() async throws {
    let screen = try Screen()
    try await screen.terminal.output(until: Screen.question)
    // Meanwhile the picture is there in half blocks.
    let before = try await screen.terminal.output(until: "48;5;244m")
    #expect(!before.contains(Screen.image))
    try screen.terminal.type(Screen.yes)
    try await screen.terminal.output(until: Screen.image)
    _ = try await screen.end()
  }

  @Test func `keys typed around the answer are kept`() async throws {
    let screen = try Screen()
    try await screen.terminal.output(until: "playing")
    try screen.terminal.type(" \(Screen.yes)s\u{C}")
    try await screen.terminal.output(until: "snap frame")
    try screen.terminal.type("\u{C}")
    try await screen.terminal.output(until: "paused")
    _ = try await screen.end()
  }

  @Test(arguments: ["", "\u{1B}_Gi=1953655149;ENOTSUPPORTED\u{1B}\\", "\u{1B}[?62;4c"])
  func `without a yes, half blocks are used`(_ answer: String) async throws {
    let screen = try Screen()
    try await screen.terminal.output(until: Screen.question)
    try screen.terminal.type(answer)
    var output = try await screen.terminal.output(until: "48;5;244m")
    output += try await screen.end()
    #expect(!output.contains(Screen.image))
  }

  @Test func `after a resize, the image is shown again`() async throws {
    let screen = try await Screen.showing()
    try screen.terminal.resize(columns: 100, rows: 30)
    try await screen.terminal.output(until: "\u{1B}[2J")
    try await screen.terminal.output(until: Screen.removal)
    try await screen.terminal.output(until: Screen.image)
    _ = try await screen.end()
  }

  @Test func `text over the screen leaves the image where it is`() async throws {
    let screen = try await Screen.showing()
    try screen.terminal.type(" ?")
    let painted = try await screen.terminal.output(until: "play, pause")
    #expect(!painted.contains(Screen.removal))
    try screen.terminal.type("?")
    _ = try await screen.end()
  }

  /// What makes it end or stop, and what its parent sees.
  struct Ending: CustomTestStringConvertible, Sendable {
    let testDescription: String
    var keys = ""
    var signal: Int32?
    var ownsTerminal = true
    let change: ChildProcess.Change
  }

  @Test(arguments: [
    Ending(testDescription: "q", keys: "q", change: .exited(0)),
    Ending(testDescription: "SIGTERM", signal: SIGTERM, change: .exited(143)),
    Ending(testDescription: "a crash", signal: SIGSEGV, change: .killed(SIGSEGV)),
    Ending(testDescription: "Ctrl-Z", keys: "\u{1A}", ownsTerminal: false, change: .stopped),
  ])
  func `however it ends or stops, no image is left`(_ ending: Ending) async throws {
    let screen = try await Screen.showing(ownsTerminal: ending.ownsTerminal)
    if !ending.keys.isEmpty { try screen.terminal.type(ending.keys) }
    if let signal = ending.signal { screen.child.send(signal) }
    #expect(try await screen.child.nextChange() == ending.change)
    let output = try await screen.terminal.remainingOutput()
    let parts = output.components(separatedBy: Screen.removal)
    let last = try #require(parts.count > 1 ? parts.last : nil)
    #expect(!last.contains("\u{1B}_G"))
    if ending.change == .stopped {
      screen.child.send(SIGCONT)
      // It may be a different terminal by now.
      try await screen.terminal.output(until: Screen.question)
      screen.child.send(SIGKILL)
      _ = try await screen.child.nextChange()
    }
  }

  @Test func `explicitly enabled images are shown without a query`() async throws {
    let screen = try Screen(["--picture", "image"])
    let output = try await screen.terminal.output(until: Screen.image)
    #expect(!output.contains(Screen.question))
    #expect(try await screen.end().contains(Screen.removal))
  }

  @Test(arguments: [["--picture", "blocks"], ["--picture", "none"], ["--simulate"], ["--plain"]])
  func `with images disabled, no query is sent`(_ arguments: [String]) async throws {
    let screen = try Screen(arguments)
    let sign = arguments == ["--plain"] ? "Playing" : "q quit"
    var output = try await screen.terminal.output(until: sign)
    output += try await screen.end()
    #expect(!output.contains("\u{1B}_G"))
  }
}

extension String {
  fileprivate func components(separatedBy separator: String) -> [String] {
    split(separator: separator, omittingEmptySubsequences: false).map { String($0) }
  }
}
