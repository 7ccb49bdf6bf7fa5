import CSystem
import TerminalUI

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A program running on a ``PseudoTerminal``.
public final class ChildProcess: Sendable {
  /// How a program ended, or that it was stopped.
  public enum Change: Equatable, Sendable {
    case exited(Int32)
    case killed(Int32)
    case stopped
  }

  public let id: Int32

  /// Starts an executable that was built beside the tests, or any other by its full path.
  ///
  /// - Parameter ownsTerminal: The terminal is the program's controlling terminal. Otherwise the
  ///   program is a job of this session, which signals can stop.
  public init(
    _ executable: String, arguments: [String] = [], environment: [String: String] = [:],
    on terminal: PseudoTerminal, ownsTerminal: Bool = true
  ) throws {
    let path = executable.hasPrefix("/") ? executable : Self.productsFolder + "/" + executable
    let argv = ([path] + arguments).map { strdup($0) } + [nil]
    let quiet = ["SWIFT_BACKTRACE": "enable=no"]
    let all = environment.merging(quiet) { stated, _ in stated }
    let envp = all.map { strdup("\($0)=\($1)") } + [nil]
    defer { for text in argv + envp { free(text) } }
    var id: Int32 = 0
    let failure = trim_pty_spawn(&id, terminal.name, ownsTerminal ? 1 : 0, path, argv, envp)
    guard failure == 0 else { throw PseudoTerminal.SystemFailure(code: failure) }
    self.id = id
  }

  public func send(_ signal: Int32) { kill(id, signal) }

  /// Waits until the program ends or is stopped.
  public func nextChange() async throws -> Change {
    let id = id
    return try await WaitingThread.value {
      var status: Int32 = 0
      while waitpid(id, &status, WUNTRACED) < 0, errno == EINTR {}
      let low = status & 0x7F
      if status & 0xFF == 0x7F { return .stopped }
      return low == 0 ? .exited(status >> 8 & 0xFF) : .killed(low)
    }
  }

  /// Where an executable lies beside the tests; `nil` when it was not built.
  public static func path(ofExecutable name: String) -> String? {
    let path = productsFolder + "/" + name
    return access(path, X_OK) == 0 ? path : nil
  }

  private static var productsFolder: String {
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    let path = String(
      decoding: buffer.prefix(max(count, 0)).map(UInt8.init(bitPattern:)), as: UTF8.self)
    return path.split(separator: "/").dropLast().reduce(into: "") { $0 += "/" + $1 }
  }
}
