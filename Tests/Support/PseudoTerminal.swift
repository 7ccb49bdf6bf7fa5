import CSystem
import Glibc
import Synchronization
import TerminalUI
import Threads

/// A terminal whose screen is the test: it types, reads what is painted, and changes the size.
///
/// A dedicated thread reads at all times, as a real terminal does, so that no program ever waits
/// for a test; nothing sleeps.
package final class PseudoTerminal: Sendable {
  package struct SystemFailure: Error {
    package let code: Int32
  }

  package struct Missing: Error, CustomStringConvertible {
    fileprivate let wanted: String
    fileprivate let output: String

    package var description: String { "\(wanted) did not come; this did:\n\(output)" }
  }

  /// The path of the terminal, for a program to open.
  package let name: String
  private let controller: Int32
  private let terminal: Int32
  private let output: TerminalOutput

  package init(columns: Int32 = 80, rows: Int32 = 24) throws {
    var controller: Int32 = -1
    var terminal: Int32 = -1
    var name = [CChar](repeating: 0, count: 64)
    let failure = trim_pty_open(&controller, &terminal, &name, name.count)
    guard failure == 0 else { throw SystemFailure(code: failure) }
    self.controller = controller
    self.terminal = terminal
    self.name = String(
      decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    output = TerminalOutput()
    try resize(columns: columns, rows: rows)
    WaitingThread.run { [output, controller] in
      var bytes = [UInt8](repeating: 0, count: 4096)
      while true {
        // Ends when the test has closed the other end.
        let count = trim_terminal_read(controller, &bytes, bytes.count)
        guard count > 0 else { break }
        output.append(bytes[..<count])
      }
      trim_terminal_close(controller)
    }
  }

  deinit { close(terminal) }

  /// The descriptor that a program would have as its standard input.
  package var descriptor: Int32 { terminal }

  /// Whether echo, line mode and signals from keys are on, as a shell leaves them.
  package var isCooked: Bool { trim_pty_is_cooked(terminal) != 0 }

  /// All of its modes, for comparison.
  package var settings: [UInt8] {
    get throws {
      var modes = termios()
      guard tcgetattr(terminal, &modes) == 0 else { throw SystemFailure(code: errno) }
      return withUnsafeBytes(of: modes) { Array($0) }
    }
  }

  package func resize(columns: Int32, rows: Int32) throws {
    let failure = trim_pty_resize(controller, columns, rows)
    guard failure == 0 else { throw SystemFailure(code: failure) }
  }

  package func type(_ text: String) throws {
    let failure = trim_terminal_write(controller, Array(text.utf8), text.utf8.count)
    guard failure == 0 else { throw SystemFailure(code: failure) }
  }

  /// Output since the last call, up to and including `wanted`.
  ///
  /// - Parameter limit: by default enough for a program to start on a busy machine.
  /// - Throws: ``Missing`` when it does not arrive in time, or the test is cancelled first.
  @discardableResult
  package func output(until wanted: String, within limit: Duration = .seconds(30)) async throws
    -> String
  {
    let deadline = Deadline(after: limit) { [weak output] in output?.giveUp() }
    defer { deadline.cancel() }
    return try await output.next(until: Array(wanted.utf8))
  }

  /// Output since the last call.
  package func remainingOutput() async throws -> String {
    // Output before this mark is read before it.
    let mark = "\u{1}painted\u{2}"
    let failure = trim_terminal_write(terminal, Array(mark.utf8), mark.utf8.count)
    guard failure == 0 else { throw SystemFailure(code: failure) }
    return String(try await output(until: mark).dropLast(mark.count))
  }
}

/// The output received by a terminal, for one reader at a time.
private final class TerminalOutput: Sendable {
  private typealias Waiter = CheckedContinuation<String, any Error>

  private struct State {
    var bytes: [UInt8] = []
    var wanted: [UInt8] = []
    var waiter: Waiter?

    /// Removes and returns everything up to the wanted bytes.
    mutating func take() -> String? {
      guard let end = bytes.firstRange(of: wanted)?.upperBound else { return nil }
      let text = String(decoding: bytes[..<end], as: UTF8.self)
      bytes.removeSubrange(..<end)
      return text
    }
  }

  private let state = Mutex(State())

  func append(_ bytes: ArraySlice<UInt8>) {
    let answer = state.withLock { state -> (Waiter, String)? in
      state.bytes += bytes
      guard let waiter = state.waiter, let text = state.take() else { return nil }
      state.waiter = nil
      return (waiter, text)
    }
    if let (waiter, text) = answer { waiter.resume(returning: text) }
  }

  func next(until wanted: [UInt8]) async throws -> String {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { waiter in
        let text = state.withLock { state -> String? in
          state.wanted = wanted
          let text = state.take()
          if text == nil { state.waiter = waiter }
          return text
        }
        if let text { waiter.resume(returning: text) }
        if Task.isCancelled { giveUp() }
      }
    } onCancel: {
      giveUp()
    }
  }

  func giveUp() {
    let answer = state.withLock { state -> (Waiter, PseudoTerminal.Missing)? in
      guard let waiter = state.waiter else { return nil }
      state.waiter = nil
      let (wanted, output) = (state.wanted, state.bytes)
      return (
        waiter,
        PseudoTerminal.Missing(
          wanted: String(decoding: wanted, as: UTF8.self),
          output: String(decoding: output, as: UTF8.self))
      )
    }
    if let (waiter, missing) = answer { waiter.resume(throwing: missing) }
  }
}
