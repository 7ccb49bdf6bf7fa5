import Support
import TerminalUI
import Testing

@testable import TrimCommands

/// A user who has read nothing: every key that is pressed was shown on screen before.
private final class Newcomer {
  let terminal: PseudoTerminal
  let child: ChildProcess
  private var emulator: TerminalEmulator

  init(_ arguments: [String], home: TemporaryFolder) throws {
    let size = Size(columns: 100, rows: 30)
    terminal = try PseudoTerminal(columns: Int32(size.columns), rows: Int32(size.rows))
    emulator = TerminalEmulator(size: size)
    child = try ChildProcess(
      "trim", arguments: ["edit"] + arguments,
      environment: [
        "XDG_STATE_HOME": home.root, "TERM": "xterm-256color", "LANG": "C.UTF-8",
      ], on: terminal)
  }

  var screen: String { emulator.canvas.text }

  /// Reads the screen, frame by frame, until it shows the text.
  func sees(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
    do {
      while !screen.contains(text) {
        emulator.take(Array(try await terminal.output(until: "\u{1B}[?2026l").utf8))
      }
    } catch {
      Issue.record(
        "\(text) did not come; this is there:\n\(screen)", sourceLocation: sourceLocation)
      throw error
    }
  }

  /// Presses a key that the screen describes in these words.
  func press(
    _ key: String, as words: String, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    try await sees(words, sourceLocation: sourceLocation)
    let named = words.split { " ():".contains($0) }.map(String.init)
    let name = key == "\r" ? "Enter" : key == "\u{1B}" ? "Esc" : key
    #expect(
      named.contains(name) || words.lowercased().contains("any key"),
      "'\(words)' does not name \(name)", sourceLocation: sourceLocation)
    try terminal.type(key)
  }

  /// Presses a key that is only in the list of keys: looks it up, closes the list, and types it.
  func lookUp(
    _ key: String, as words: String, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    try await press("?", as: "? keys", sourceLocation: sourceLocation)
    try await sees(PlayKeys.line(key, words), sourceLocation: sourceLocation)
    // This would quit if the list were not open.
    try await press("q", as: "Any key closes this", sourceLocation: sourceLocation)
    try await gone("Any key closes this", sourceLocation: sourceLocation)
    try terminal.type(key)
  }

  /// Reads the screen, frame by frame, until it no longer shows the text.
  func gone(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
    do {
      while screen.contains(text) {
        emulator.take(Array(try await terminal.output(until: "\u{1B}[?2026l").utf8))
      }
    } catch {
      Issue.record("\(text) did not go:\n\(screen)", sourceLocation: sourceLocation)
      throw error
    }
  }

  /// Types a time at a prompt for one.
  func type(_ time: String) throws { try terminal.type(time) }
}

@Suite(
  .enabled(if: Binary.path != nil, "trim is not built beside the tests"), .timeLimit(.minutes(1)))
struct `Given somebody who opens trim edit for the first time` {
  /// A video of 2:00, made once.
  private func video(in home: TemporaryFolder) throws -> String {
    let path = home.path(of: "holiday.mp4")
    let made = try Program.shell(
      #"""
      exec ffmpeg -v error -f lavfi -i color=c=gray:s=64x48:r=10:d=120 -c:v libx264 \
        -preset ultrafast -g 20 "$1"
      """#, [Array(path.utf8)])
    #expect(made.status == 0, "\(made.errText)")
    return path
  }

  @Test func `two minutes are cut into parts under the limit with keys named on screen`()
    async throws
  {
    let home = try TemporaryFolder()
    let path = try video(in: home)
    let user = try Newcomer([path], home: home)
    // The topic and the limit.
    try await user.press(" ", as: "Press any key to start. ? shows all keys.")
    try await user.sees("TOO LONG by 59.500 s (must be under 60.5 s)")
    try await user.press("\r", as: "Enter cut")
    try await user.sees("M or --max-length changes that.")
    // Two minutes become fifty seconds.
    try await user.press("g", as: "g time")
    try user.type("0:50")
    try await user.press("\r", as: "Enter goes there")
    try await user.press("o", as: "i o set In, Out")
    try await user.sees("OK: under 60.5 s, 10.500 s left")
    try await user.press("v", as: "v preview")
    try await user.sees("The result")
    try await user.press("v", as: "v ends it")
    try await user.gone("v ends it")
    // A second part, of the last five seconds.
    try await user.press("g", as: "g time")
    try user.type("-5")
    try await user.press("\r", as: "Enter goes there")
    try await user.lookUp("a", as: "add a part here")
    try await user.sees("part 2 of 2")
    try await user.lookUp("N", as: "name the part")
    try user.type("goodbye")
    try await user.press("\r", as: "Enter sets it")
    try await user.lookUp("L", as: "list the parts")
    try await user.sees("1  0:00:00.000 - 0:00:50.000  50.000 s")
    try await user.sees(">2  0:01:55.000 - 0:02:00.000  5.000 s  goodbye")
    try await user.sees("a file for each part")
    try await user.press(" ", as: "Any key closes this")
    try await user.press("J", as: "(J: join)")
    try await user.sees("2 parts joined: OK: under 60.5 s, 5.500 s left")
    try await user.press("\r", as: "Enter cut")
    try await user.sees("Done: wrote")
    try await user.press("q", as: "q quit")
    #expect(try await user.child.nextChange() == .exited(0))
    let tool = try #require(Binary.path)
    let length = try Program.shell(
      #"exec "$1" check --max-length 55.001 --min-length 55 "$2""#,
      [Array(tool.utf8), Array(home.path(of: "holiday-trimmed.mp4").utf8)])
    #expect(length.status == 0, "\(length.outText)")
  }
}
