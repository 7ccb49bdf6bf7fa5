import CSystem
import TerminalUI

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A terminal whose screen is the test: it types, reads what is painted, and changes the size.
///
/// Reading waits on a thread of its own until what is expected has come; nothing sleeps.
public final class PseudoTerminal: Sendable {
  public struct SystemFailure: Error {
    public let code: Int32
  }

  public struct Missing: Error, CustomStringConvertible {
    let wanted: String
    let output: String

    public var description: String { "\(wanted) did not come; this did:\n\(output)" }
  }

  /// The path of the terminal, for a program to open.
  public let name: String
  private let controller: Int32
  private let terminal: Int32

  public init(columns: Int32 = 80, rows: Int32 = 24) throws {
    var controller: Int32 = -1
    var terminal: Int32 = -1
    var name = [CChar](repeating: 0, count: 64)
    let failure = trim_pty_open(&controller, &terminal, &name, name.count)
    guard failure == 0 else { throw SystemFailure(code: failure) }
    self.controller = controller
    self.terminal = terminal
    self.name = String(
      decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    try resize(columns: columns, rows: rows)
  }

  deinit {
    close(controller)
    close(terminal)
  }

  /// The descriptor that a program would have as its standard input.
  public var descriptor: Int32 { terminal }

  /// Echo, lines and signals from keys are on, as a shell leaves them.
  public var isCooked: Bool { trim_pty_is_cooked(terminal) != 0 }

  public func resize(columns: Int32, rows: Int32) throws {
    let failure = trim_pty_resize(controller, columns, rows)
    guard failure == 0 else { throw SystemFailure(code: failure) }
  }

  public func type(_ text: String) throws {
    let failure = trim_terminal_write(controller, Array(text.utf8), text.utf8.count)
    guard failure == 0 else { throw SystemFailure(code: failure) }
  }

  /// Reads until `wanted` has been painted, and returns all that came up to then.
  ///
  /// - Throws: ``Missing`` when it has not come after half a minute.
  @discardableResult
  public func output(until wanted: String) async throws -> String {
    let controller = controller
    return try await WaitingThread.value {
      var bytes: [UInt8] = []
      var byte = [UInt8](repeating: 0, count: 1)
      let goal = Array(wanted.utf8)
      while !bytes.ends(with: goal) {
        guard trim_terminal_wait(controller, -1, -1, 30_000) > 0,
          trim_terminal_read(controller, &byte, 1) == 1
        else {
          throw Missing(wanted: wanted, output: String(decoding: bytes, as: UTF8.self))
        }
        bytes.append(byte[0])
      }
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  /// What is there to read now, without waiting for more.
  public func remainingOutput() -> String {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    var output: [UInt8] = []
    while trim_terminal_wait(controller, -1, -1, 0) > 0 {
      let count = trim_terminal_read(controller, &bytes, bytes.count)
      guard count > 0 else { break }
      output += bytes[..<count]
    }
    return String(decoding: output, as: UTF8.self)
  }
}

extension Array where Element: Equatable {
  fileprivate func ends(with other: [Element]) -> Bool {
    count >= other.count && self[(count - other.count)...].elementsEqual(other)
  }
}
