import CSystem
import Glibc
import Synchronization
import TerminalUI
import Threads

/// A program running on a ``PseudoTerminal``.
package final class ChildProcess: Sendable {
  /// How a program ended, or that it was stopped.
  package enum Change: Equatable, Sendable {
    case exited(Int32)
    case killed(Int32)
    case stopped
  }

  package let id: Int32
  private let end = End()

  /// Kills the process if it still runs, and reaps it: whoever waits for any child would find it
  /// forever.
  deinit {
    guard !end.isTaken else { return }
    kill(id, SIGKILL)
    while waitpid(id, nil, 0) < 0, errno == EINTR {}
  }

  /// Starts an executable that was built beside the tests, or any other by its full path.
  ///
  /// - Parameter ownsTerminal: Whether the terminal is the program's controlling terminal.
  ///   Otherwise the program is a job of this session, which signals can stop.
  package init(
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

  package func send(_ signal: Int32) { kill(id, signal) }

  /// Waits until the program ends or is stopped.
  ///
  /// - Throws: ``DidNotCome`` when it does neither in time; it is then killed.
  package func nextChange(within limit: Duration = .seconds(45)) async throws -> Change {
    let (id, end) = (id, end)
    let wait = Wait()
    let deadline = Deadline(after: limit) { wait.kill(id) }
    defer { deadline.cancel() }
    let change = try await WaitingThread.value {
      // Not reaped at first, so that the process ID cannot be reused by the time it is killed.
      var information = siginfo_t()
      let changes = WEXITED | WSTOPPED
      while waitid(P_PID, id_t(id), &information, changes | WNOWAIT) < 0, errno == EINTR {}
      wait.finish()
      var status: Int32 = 0
      while waitpid(id, &status, WUNTRACED) < 0, errno == EINTR {}
      let low = status & 0x7F
      if status & 0xFF == 0x7F { return Change.stopped }
      end.take()
      return low == 0 ? .exited(status >> 8 & 0xFF) : .killed(low)
    }
    if wait.hasKilled { throw DidNotCome("the end of process \(id)", within: limit) }
    return change
  }

  /// The path of an executable next to the tests; `nil` when it was not built.
  package static func path(ofExecutable name: String) -> String? {
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

/// Whether the end of a process was noticed.
private final class End: Sendable {
  private let state = Mutex(false)

  var isTaken: Bool { state.withLock { $0 } }

  func take() { state.withLock { $0 = true } }
}

/// A wait for a process, during which it may be killed.
private final class Wait: Sendable {
  private let state = Mutex((isOver: false, hasKilled: false))

  var hasKilled: Bool { state.withLock { $0.hasKilled } }

  func finish() { state.withLock { $0.isOver = true } }

  func kill(_ process: pid_t) {
    state.withLock { state in
      guard !state.isOver else { return }
      state.hasKilled = true
      send(SIGKILL, to: process)
    }
  }
}

private func send(_ signal: Int32, to process: pid_t) { _ = kill(process, signal) }
