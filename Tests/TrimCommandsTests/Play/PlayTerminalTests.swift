import Glibc
import Support
import Testing

private let enterScreen = "\u{1B}[?1049h"
private let leaveScreen = "\u{1B}[?1049l"

/// `trim play` as a real process on a terminal, with a simulated file.
private struct Screen {
  static let clip =
    #"{"probe": {"presented": "120", "rate": "25", "keyframes": ["0", "60"]}}"#

  let terminal: PseudoTerminal
  let child: ChildProcess
  let home: TemporaryFolder

  init(
    _ arguments: [String] = [], functions: String = Screen.clip, home: TemporaryFolder,
    environment: [String: String] = [:], ownsTerminal: Bool = true
  ) throws {
    var variables = [
      "TRIM_HARNESS": functions, "XDG_STATE_HOME": home.root, "TERM": "xterm-256color",
      "LANG": "C.UTF-8",
    ]
    variables.merge(environment) { $1 }
    self.home = home
    terminal = try PseudoTerminal()
    child = try ChildProcess(
      "PlayHarness", arguments: ["play", "walk.mp4"] + arguments, environment: variables,
      on: terminal, ownsTerminal: ownsTerminal)
  }

  /// A screen for a returning user.
  static func visited(
    _ arguments: [String] = [], functions: String = Screen.clip, ownsTerminal: Bool = true
  ) throws -> Screen {
    try Screen(
      arguments, functions: functions, home: TemporaryFolder(),
      environment: ["TRIM_NO_TUTORIAL": "1"], ownsTerminal: ownsTerminal)
  }
}

@Suite(.timeLimit(.minutes(1))) struct `Given trim play on a terminal` {
  @Test func `the very first run shows the tutorial, the second does not`() async throws {
    let home = try TemporaryFolder()
    let first = try Screen(home: home)
    try await first.terminal.output(until: "Everything between In and Out plays")
    try first.terminal.type("qq")
    #expect(try await first.child.nextChange() == .exited(0))

    let second = try Screen(home: home)
    try await second.terminal.output(until: "playing")
    try second.terminal.type("q")
    #expect(try await second.child.nextChange() == .exited(0))
    #expect(!(try await second.terminal.remainingOutput()).contains("Everything between"))
  }

  @Test(arguments: ["CI", "TRIM_NO_TUTORIAL"])
  func `CI machines and users who opted out never see the tutorial`(_ variable: String) async throws
  {
    let home = try TemporaryFolder()
    let screen = try Screen(home: home, environment: [variable: "1"])
    try await screen.terminal.output(until: "playing")
    try screen.terminal.type("q")
    #expect(try await screen.child.nextChange() == .exited(0))
    #expect(!(try await screen.terminal.remainingOutput()).contains("Everything between"))
  }

  @Test func `a home that cannot be written shows the tutorial, and a note under -v`() async throws
  {
    let home = try TemporaryFolder()
    let screen = try Screen(
      ["-v"], home: home, environment: ["XDG_STATE_HOME": "/proc/nowhere"])
    try await screen.terminal.output(until: "Everything between In and Out plays")
    try screen.terminal.type("qq")
    #expect(try await screen.child.nextChange() == .exited(0))
    #expect(try await screen.terminal.remainingOutput().contains("trim: "))
  }

  @Test func `a new size is painted at once`() async throws {
    let screen = try Screen.visited()
    try await screen.terminal.output(until: "playing")
    try screen.terminal.resize(columns: 40, rows: 12)
    try await screen.terminal.output(until: "\u{1B}[2J")
    let frame = try await screen.terminal.output(until: "q quit")
    #expect(frame.contains("Space play"))
    screen.child.send(SIGKILL)
    _ = try await screen.child.nextChange()
  }

  @Test func `it ends by itself after the requested loops`() async throws {
    let screen = try Screen.visited(["--loops", "2", "--speed", "1000"])
    #expect(try await screen.child.nextChange() == .exited(0))
    #expect(screen.terminal.isCooked)
  }

  @Test func `no additional loop is started`() async throws {
    let screen = try Screen.visited(["--plain", "--from", "1", "--for", "0.4", "--loops", "2"])
    #expect(try await screen.child.nextChange() == .exited(0))
    #expect(!(try await screen.terminal.remainingOutput()).contains("loop 3"))
  }

  @Test func `r retries a file that failed`() async throws {
    // The second try is slow: a frame that is replaced while the previous one is still being
    // written is never seen.
    let screen = try Screen.visited(
      functions: #"{"probe": {"failure": "it is a cake", "mayPass": true, "waitsOnceMore": true}}"#)
    try await screen.terminal.output(until: "it is a cake")
    try screen.terminal.type("r")
    try await screen.terminal.output(until: "Loading")
    try screen.terminal.type("q")
    _ = try await screen.child.nextChange()
  }

  @Test func `a changed speed applies from then on`() async throws {
    // At its first speed one pass would take two minutes.
    let screen = try Screen.visited(["--loops", "1"])
    try await screen.terminal.output(until: "playing")
    try screen.terminal.type("llllllllll")
    #expect(try await screen.child.nextChange() == .exited(0))
  }

  @Test func `a retryable error is shown on the screen and after it`() async throws {
    let screen = try Screen.visited(
      functions: #"{"probe": {"failure": "it is a cake", "mayPass": true}}"#)
    try await screen.terminal.output(until: "it is a cake")
    try screen.terminal.type("q")
    #expect(try await screen.child.nextChange() == .exited(74))
    let output = try await screen.terminal.remainingOutput()
    #expect(output.contains(" walk.mp4: it is a cake"))
  }

  @Test func `a file that is not media opens no screen`() async throws {
    let screen = try Screen.visited(functions: #"{"probe": {"failure": "it is a cake"}}"#)
    #expect(try await screen.child.nextChange() == .exited(65))
    let output = try await screen.terminal.remainingOutput()
    #expect(output.contains(" walk.mp4: it is a cake"))
    #expect(!output.contains("\u{1B}[?1049h"))
  }

  /// A way for the player to end, and what its parent sees.
  struct Ending: CustomTestStringConvertible, Sendable {
    let testDescription: String
    var functions = Screen.clip
    /// What has been painted when it ends.
    var sign = "q quit"
    var keys = ""
    var signal: Int32?
    let change: ChildProcess.Change
  }

  static let endings = [
    Ending(testDescription: "Ctrl-C", keys: "\u{3}", change: .exited(130)),
    Ending(testDescription: "q", keys: "q", change: .exited(0)),
    Ending(testDescription: "SIGINT", signal: SIGINT, change: .exited(130)),
    Ending(testDescription: "SIGTERM", signal: SIGTERM, change: .exited(143)),
    Ending(testDescription: "SIGHUP", signal: SIGHUP, change: .exited(129)),
    Ending(
      testDescription: "Ctrl-C while the file is read", functions: #"{"probe": {"waits": true}}"#,
      keys: "\u{3}", change: .exited(130)),
    Ending(
      testDescription: "a crash on another thread",
      functions: #"{"probe": {"crashes": true}}"#, sign: enterScreen, change: .killed(SIGILL)),
  ]

  @Test(arguments: endings)
  func `however it ends, the terminal is as it was`(_ ending: Ending) async throws {
    let screen = try Screen.visited(functions: ending.functions)
    try await screen.terminal.output(until: ending.sign)
    if !ending.keys.isEmpty { try screen.terminal.type(ending.keys) }
    if let signal = ending.signal { screen.child.send(signal) }
    #expect(try await screen.child.nextChange() == ending.change)
    #expect(screen.terminal.isCooked)
    #expect(try await screen.terminal.remainingOutput().contains(leaveScreen))
  }

  @Test func `stopped and continued, it paints its screen again`() async throws {
    let screen = try Screen.visited(ownsTerminal: false)
    try await screen.terminal.output(until: "playing")
    try screen.terminal.type("\u{1A}")
    #expect(try await screen.child.nextChange() == .stopped)
    #expect(screen.terminal.isCooked)
    _ = try await screen.terminal.remainingOutput()
    screen.child.send(SIGCONT)
    try await screen.terminal.output(until: enterScreen)
    try await screen.terminal.output(until: "playing")
    #expect(!screen.terminal.isCooked)
    screen.child.send(SIGKILL)
    _ = try await screen.child.nextChange()
  }

  @Test(arguments: [["--plain"], []])
  func `with screen readers nothing is redrawn`(_ arguments: [String]) async throws {
    let home = try TemporaryFolder()
    let screen = try Screen(
      arguments, home: home,
      environment: arguments.isEmpty ? ["TRIM_ACCESSIBLE": "1"] : [:])
    var output = try await screen.terminal.output(until: "? shows all keys.")
    try screen.terminal.type("  ")
    output += try await screen.terminal.output(until: "Paused at ")
    try screen.terminal.type("q")
    #expect(try await screen.child.nextChange() == .exited(0))
    output += try await screen.terminal.remainingOutput()
    #expect(!output.contains("\u{1B}"))
    #expect(output.contains("Length 2 minutes 0 seconds. TOO LONG by 59.500 s"))
  }

  @Test func `a terminal that cannot move its cursor gets lines`() async throws {
    let screen = try Screen(
      home: TemporaryFolder(), environment: ["TERM": "dumb", "TRIM_NO_TUTORIAL": "1"])
    let output = try await screen.terminal.output(until: "Press question mark for the keys.")
    try screen.terminal.type("q")
    #expect(try await screen.child.nextChange() == .exited(0))
    #expect(!output.contains("\u{1B}"))
  }

  private static let colorQuestion = "\u{1B}]4;255;?"

  @Test func `a terminal with more colors than TERM promises is painted in 256`() async throws {
    let screen = try Screen(
      home: TemporaryFolder(), environment: ["TERM": "xterm", "TRIM_NO_TUTORIAL": "1"])
    let before = try await screen.terminal.output(until: "q quit")
    #expect(before.contains(Self.colorQuestion))
    #expect(!before.contains("38;5;"))
    try screen.terminal.type("\u{1B}]4;255;rgb:eeee/eeee/eeee\u{1B}\\")
    try await screen.terminal.output(until: "38;5;")
    try screen.terminal.type("q")
    #expect(try await screen.child.nextChange() == .exited(0))
  }

  @Test(arguments: [
    ["TERM": "xterm", "NO_COLOR": "1"], ["TERM": "xterm", "COLORTERM": "truecolor"],
    ["TERM": "linux"], ["TERM": "vt100"],
  ])
  func `where color is off, known or cannot be asked for, no answer changes it`(
    _ environment: [String: String]
  ) async throws {
    let screen = try Screen(
      home: TemporaryFolder(), environment: environment.merging(["TRIM_NO_TUTORIAL": "1"]) { $1 })
    var output = try await screen.terminal.output(until: "q quit")
    #expect(!output.contains(Self.colorQuestion))
    try screen.terminal.type("\u{1B}]4;255;rgb:eeee/eeee/eeee\u{1B}\\q")
    #expect(try await screen.child.nextChange() == .exited(0))
    output += try await screen.terminal.remainingOutput()
    if environment["NO_COLOR"] != nil { #expect(!output.contains("38;5;")) }
  }

  @Test func `without UTF-8 and color only ASCII is painted`() async throws {
    let screen = try Screen(
      home: TemporaryFolder(),
      environment: ["LC_ALL": "C", "NO_COLOR": "1", "TRIM_NO_TUTORIAL": "1"])
    var output = try await screen.terminal.output(until: "playing")
    try screen.terminal.type("q")
    #expect(try await screen.child.nextChange() == .exited(0))
    output += try await screen.terminal.remainingOutput()
    #expect(output.utf8.allSatisfy { $0 < 0x80 })
    #expect(!output.contains(#/\u{1B}\[[0-9;]*[34][0-9]m/#))
  }
}

@Suite(.timeLimit(.minutes(1))) struct `Given fifty first runs at once` {
  @Test func `exactly one of them shows the tutorial`() async throws {
    let home = try TemporaryFolder()
    let screens = try (0..<50).map { _ in
      try Screen(["--loops", "1", "--speed", "100"], home: home)
    }
    var shown = 0
    for screen in screens {
      #expect(try await screen.child.nextChange() == .exited(0))
      let output = try await screen.terminal.remainingOutput()
      if output.contains("Everything between In and Out plays") { shown += 1 }
    }
    #expect(shown == 1)
  }
}

@Suite(.timeLimit(.minutes(1))) struct `Given a stream of events on a real clock` {
  @Test func `it does not count as a visit, since no tutorial is seen`() async throws {
    let home = try TemporaryFolder()
    let stream = try Screen(["--events", "--loops", "1", "--speed", "1000"], home: home)
    #expect(try await stream.child.nextChange() == .exited(0))
    #expect(!(try await stream.terminal.remainingOutput()).contains("tutorial"))
    let screen = try Screen(home: home)
    try await screen.terminal.output(until: "Everything between In and Out plays")
    try screen.terminal.type("qq")
    #expect(try await screen.child.nextChange() == .exited(0))
  }
}
