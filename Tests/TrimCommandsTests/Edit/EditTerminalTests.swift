import Glibc
import Support
import Testing

private let leaveScreen = "\u{1B}[?1049l"

/// `trim edit` itself on a terminal, with a film of the repository.
private struct Editor {
  let terminal: PseudoTerminal
  let child: ChildProcess

  init(
    _ film: String, _ arguments: [String] = [], home: TemporaryFolder,
    environment: [String: String] = [:], ownsTerminal: Bool = true, columns: Int32 = 100
  ) throws {
    var variables = [
      "XDG_STATE_HOME": home.root, "TERM": "xterm-256color", "LANG": "C.UTF-8",
    ]
    variables.merge(environment) { $1 }
    terminal = try PseudoTerminal(columns: columns, rows: 30)
    child = try ChildProcess(
      "trim", arguments: ["edit", SampleFilms.path(film)] + arguments, environment: variables,
      on: terminal, ownsTerminal: ownsTerminal)
  }

  static func visited(
    _ film: String, _ arguments: [String] = [], ownsTerminal: Bool = true
  ) throws -> Editor {
    try Editor(
      film, arguments, home: TemporaryFolder(), environment: ["TRIM_NO_TUTORIAL": "1"],
      ownsTerminal: ownsTerminal)
  }
}

@Suite(
  .enabled(if: Binary.path != nil, "trim is not built beside the tests"), .timeLimit(.minutes(5)))
struct `Given trim edit on a terminal` {
  @Test func `a film that is too long cannot be cut; its valid part can, and is right`()
    async throws
  {
    let home = try TemporaryFolder()
    let output = home.path(of: "out.mp4")
    let editor = try Editor(
      "over-limit.mp4", ["-o", output], home: home, environment: ["TRIM_NO_TUTORIAL": "1"])
    try await editor.terminal.output(until: "TOO LONG by 0.100 s")
    // Ctrl-L paints all anew: what is left of a line as it was is not painted again.
    try editor.terminal.type("\r\u{C}")
    try await editor.terminal.output(until: "Not cut: TOO LONG by 0.100 s")
    try editor.terminal.type("g2\rig1:00\ro\u{C}")
    try await editor.terminal.output(until: "OK: under 60.5 s, 2.500 s left")
    try editor.terminal.type("\r")
    try await editor.terminal.output(until: "Done: wrote ")
    try editor.terminal.type("q")
    #expect(try await editor.child.nextChange() == .exited(0))
    #expect(try await editor.terminal.remainingOutput().contains(", 58.000 s"))
    let tool = try #require(Binary.path)
    let check = try Program.shell(
      #"exec "$1" check --json "$2""#, [Array(tool.utf8), Array(output.utf8)])
    #expect(check.status == 0)
    #expect(check.outText.contains("58"))
  }

  @Test func `the first run ever shows the tutorial, the second does not`() async throws {
    let home = try TemporaryFolder()
    let first = try Editor("under-limit.mp4", home: home)
    try await first.terminal.output(until: "In to out is what the cut keeps.")
    try first.terminal.type("q")
    #expect(try await first.child.nextChange() == .exited(0))
    let second = try Editor("under-limit.mp4", home: home)
    try await second.terminal.output(until: "OK: under")
    try second.terminal.type("q")
    #expect(try await second.child.nextChange() == .exited(0))
    #expect(!(try await second.terminal.remainingOutput()).contains("In to out is"))
  }

  @Test func `frames are painted in colours`() async throws {
    let editor = try Editor.visited("under-limit.mp4")
    try await editor.terminal.output(until: "48;5;")
    try editor.terminal.type("q")
    #expect(try await editor.child.nextChange() == .exited(0))
  }

  @Test func `what is chosen for a script is on standard output, once the screen is gone`()
    async throws
  {
    let editor = try Editor.visited("over-limit.mp4", ["--print", "range", "--to", "30"])
    try await editor.terminal.output(until: "Enter choose")
    try editor.terminal.type("\r")
    #expect(try await editor.child.nextChange() == .exited(0))
    #expect(try await editor.terminal.remainingOutput().hasSuffix("0..30\r\n"))
  }

  @Test func `a script learns that nothing was chosen`() async throws {
    let editor = try Editor.visited("under-limit.mp4", ["--print", "json"])
    try await editor.terminal.output(until: "Enter choose")
    try editor.terminal.type("q")
    #expect(try await editor.child.nextChange() == .exited(1))
  }

  @Test func `a new size is painted at once`() async throws {
    let editor = try Editor.visited("under-limit.mp4")
    try await editor.terminal.output(until: "OK: under")
    try editor.terminal.resize(columns: 30, rows: 6)
    try await editor.terminal.output(until: "too small: 40x8")
    editor.child.send(SIGKILL)
    _ = try await editor.child.nextChange()
  }

  /// A way for the editor to end, and what its parent sees.
  struct Ending: CustomTestStringConvertible, Sendable {
    let testDescription: String
    var keys = ""
    var signal: Int32?
    let change: ChildProcess.Change
  }

  static let endings = [
    Ending(testDescription: "Ctrl-C", keys: "\u{3}", change: .exited(130)),
    Ending(testDescription: "q", keys: "q", change: .exited(0)),
    Ending(testDescription: "SIGTERM", signal: SIGTERM, change: .exited(143)),
    Ending(testDescription: "SIGHUP", signal: SIGHUP, change: .exited(129)),
    Ending(testDescription: "a crash", signal: SIGSEGV, change: .killed(SIGSEGV)),
  ]

  @Test(arguments: endings)
  func `however it ends, the terminal is as it was`(_ ending: Ending) async throws {
    let editor = try Editor.visited("under-limit.mp4")
    try await editor.terminal.output(until: "OK: under")
    if !ending.keys.isEmpty { try editor.terminal.type(ending.keys) }
    if let signal = ending.signal { editor.child.send(signal) }
    #expect(try await editor.child.nextChange() == ending.change)
    #expect(editor.terminal.isCooked)
    let output = try await editor.terminal.remainingOutput()
    #expect(output.contains(leaveScreen))
    #expect(output.contains("\u{1B}[?1006l"), "the mouse is quiet")
  }

  @Test func `stopped and continued, it paints its screen anew`() async throws {
    let editor = try Editor.visited("under-limit.mp4", ownsTerminal: false)
    try await editor.terminal.output(until: "OK: under")
    try editor.terminal.type("\u{1A}")
    #expect(try await editor.child.nextChange() == .stopped)
    #expect(editor.terminal.isCooked)
    editor.child.send(SIGCONT)
    try await editor.terminal.output(until: "OK: under")
    editor.child.send(SIGKILL)
    _ = try await editor.child.nextChange()
  }
}
