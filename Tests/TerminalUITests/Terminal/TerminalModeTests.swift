import Glibc
import Support
import TerminalUI
import Testing

private let enterScreen = "\u{1B}[?1049h"
private let leaveScreen = "\u{1B}[?1049l"

@Suite(.timeLimit(.minutes(1))) struct `Given a program that has taken over its terminal` {
  private func start(
    _ arguments: [String] = [], ownsTerminal: Bool = true
  ) async throws -> (PseudoTerminal, ChildProcess) {
    let terminal = try PseudoTerminal()
    let child = try ChildProcess(
      "TerminalHarness", arguments: arguments, on: terminal, ownsTerminal: ownsTerminal)
    try await terminal.output(until: "<ready>")
    return (terminal, child)
  }

  @Test func `its input is raw`() async throws {
    let (terminal, child) = try await start()
    #expect(!terminal.isCooked)
    child.send(SIGKILL)
    _ = try await child.nextChange()
  }

  @Test func `Ctrl-C arrives as a key`() async throws {
    let (terminal, child) = try await start()
    try terminal.type("\u{3}")
    try await terminal.output(
      until: "<\(TerminalEvent.key(.control("c")))>")
    child.send(SIGKILL)
    _ = try await child.nextChange()
  }

  @Test func `a lone escape byte becomes the Escape key`() async throws {
    let (terminal, child) = try await start()
    try terminal.type("\u{1B}")
    try await terminal.output(until: "<\(TerminalEvent.key(Key(.escape)))>")
    child.send(SIGKILL)
    _ = try await child.nextChange()
  }

  @Test func `a new window size is reported`() async throws {
    let (terminal, child) = try await start()
    try terminal.resize(columns: 40, rows: 12)
    try await terminal.output(
      until: "<\(TerminalEvent.resized(Size(columns: 40, rows: 12)))>")
    child.send(SIGKILL)
    _ = try await child.nextChange()
  }

  @Test func `a second owner is refused`() async throws {
    let (terminal, child) = try await start()
    try terminal.type("t")
    try await terminal.output(until: "<\(TerminalError.alreadyTaken)>")
    child.send(SIGKILL)
    _ = try await child.nextChange()
  }

  @Test func `a terminal that nobody reads does not block it`() async throws {
    let (terminal, child) = try await start()
    try terminal.type("f")
    #expect(try await child.nextChange() == .exited(4))
    #expect(terminal.isCooked)
  }

  @Test func `when it gives the terminal back, the terminal can be taken again`() async throws {
    let (terminal, child) = try await start()
    try terminal.type("d")
    try await terminal.output(until: leaveScreen)
    try await terminal.output(until: "<again>")
    #expect(try await child.nextChange() == .exited(0))
    #expect(terminal.isCooked)
  }

  /// A way for a program to end, and the change its parent sees.
  struct Ending: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let key: String
    let change: ChildProcess.Change
  }

  static let endings = [
    Ending(testDescription: "exit() in the middle", key: "q", change: .exited(3)),
    Ending(testDescription: "a trap of the language", key: "i", change: .killed(SIGILL)),
    Ending(testDescription: "abort()", key: "a", change: .killed(SIGABRT)),
    Ending(testDescription: "a bad address", key: "s", change: .killed(SIGSEGV)),
  ]

  @Test(arguments: endings)
  func `whatever ends it, the terminal is as it was`(_ ending: Ending) async throws {
    let (terminal, child) = try await start()
    try terminal.type(ending.key)
    #expect(try await child.nextChange() == ending.change)
    #expect(terminal.isCooked)
    let output = try await terminal.remainingOutput()
    #expect(output.contains(leaveScreen))
    #expect(output.contains("\u{1B}[?25h"), "the cursor is shown")
    #expect(output.contains("\u{1B}[?1006l"), "the mouse is quiet")
  }

  /// Ctrl-\\ is a key here, but another program may send the signal.
  @Test func `SIGQUIT ends it at once, and the terminal is as it was`() async throws {
    let (terminal, child) = try await start()
    child.send(SIGQUIT)
    #expect(try await child.nextChange() == .killed(SIGQUIT))
    #expect(terminal.isCooked)
    #expect(try await terminal.remainingOutput().contains(leaveScreen))
  }

  @Test func `a terminal's late answer does not end up in the shell's input`()
    async throws
  {
    let (terminal, child) = try await start()
    child.send(SIGSTOP)
    #expect(try await child.nextChange() == .stopped)
    try terminal.type("\u{1B}_Gi=31;OK\u{1B}\\")
    child.send(SIGQUIT)
    child.send(SIGCONT)
    #expect(try await child.nextChange() == .killed(SIGQUIT))
    var count: Int32 = -1
    #expect(ioctl(terminal.descriptor, UInt(FIONREAD), &count) == 0)
    #expect(count == 0)
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func `a signal to end is reported, and the second ends it at once`(_ signal: Int32) async throws {
    let (terminal, child) = try await start()
    child.send(signal)
    let reported = try #require(EndSignal(rawValue: signal))
    try await terminal.output(until: "<\(TerminalEvent.asked(reported))>")
    child.send(signal)
    #expect(try await child.nextChange() == .killed(signal))
    #expect(terminal.isCooked)
    #expect(try await terminal.remainingOutput().contains(leaveScreen))
  }

  @Test func `an obedient program dies of the first signal, and its parent sees which`()
    async throws
  {
    let (terminal, child) = try await start(["obedient"])
    child.send(SIGTERM)
    #expect(try await child.nextChange() == .killed(SIGTERM))
    #expect(terminal.isCooked)
  }

  @Test func `stopped, it gives the terminal back; continued, it takes it again`() async throws {
    let (terminal, child) = try await start(ownsTerminal: false)
    child.send(SIGTSTP)
    #expect(try await child.nextChange() == .stopped)
    #expect(terminal.isCooked)
    #expect(try await terminal.remainingOutput().contains(leaveScreen))

    child.send(SIGCONT)
    try await terminal.output(until: enterScreen)
    try await terminal.output(until: "<\(TerminalEvent.continued)>")
    #expect(!terminal.isCooked)
    child.send(SIGKILL)
    _ = try await child.nextChange()
  }

  @Test func `time while it is stopped is not counted`() async throws {
    let (terminal, child) = try await start(ownsTerminal: false)
    child.send(SIGTSTP)
    #expect(try await child.nextChange() == .stopped)
    let began = ContinuousClock.now
    _ = try await ProgramRun([Array("sleep".utf8), Array("0.3".utf8)])
    let atLeast = (ContinuousClock.now - began) / .milliseconds(1)
    child.send(SIGCONT)
    try await terminal.output(until: "<\(TerminalEvent.continued)>")
    try terminal.type("c")
    try await terminal.output(until: "<stopped for ")
    let reported = try await terminal.output(until: " ms>")
    #expect(try #require(Double(reported.dropLast(4))) >= atLeast)
    child.send(SIGKILL)
    _ = try await child.nextChange()
  }

  @Test func `Ctrl-Z stops it as in a shell`() async throws {
    let (terminal, child) = try await start(ownsTerminal: false)
    try terminal.type("\u{1A}")
    #expect(try await child.nextChange() == .stopped)
    #expect(terminal.isCooked)
    child.send(SIGKILL)
    child.send(SIGCONT)
    #expect(try await child.nextChange() == .killed(SIGKILL))
  }
}

@Suite struct `Given a descriptor that is not a terminal` {
  @Test func `it is refused`() throws {
    let descriptor = open("/dev/null", O_RDWR)
    defer { close(descriptor) }
    #expect(throws: TerminalError.notATerminal) {
      _ = try TerminalMode(descriptor, options: .screen)
    }
  }
}
