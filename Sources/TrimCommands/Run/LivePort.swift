import CommandLineKit
import Dispatch
import Glibc
import Synchronization

/// How a command on the main actor is run from the tool, which is not.
struct LivePort: Sendable {
  typealias Work = @MainActor @Sendable () async -> ExitStatus

  /// Returns when the work is done, or ends the process with its status.
  var run: @Sendable (@escaping Work) -> ExitStatus

  /// Hands the main thread over to the main actor for good.
  static func endingProcess(with tool: Tool) -> LivePort {
    LivePort { work in
      guard hasThreadPool else {
        tool.err.write(
          "trim: /proc is not mounted, and the system's thread pool crashes without it\n"
            + "  Mount it: mount -t proc proc /proc\n")
        return .unavailable
      }
      // A cut or a decoder may still be running on its threads: exit(3) would tear down the
      // libraries they use, whose destructors may wait for threads that then never end.
      Task { @MainActor in _exit(tool.finish(await work()).code) }
      dispatchMain()
    }
  }

  /// Linux's Dispatch looks up its workers in /proc every second, and traps where they are missing.
  private static var hasThreadPool: Bool {
    access("/proc/self/stat", R_OK) == 0
  }

  /// Blocks the calling thread, which must not be the main one.
  static let waiting = LivePort { work in
    let done = DispatchSemaphore(value: 0)
    let outcome = Outcome()
    Task { @MainActor in
      let status = await work()
      outcome.status.withLock { $0 = status }
      done.signal()
    }
    done.wait()
    return outcome.status.withLock { $0 }
  }

  private final class Outcome: Sendable {
    let status = Mutex(ExitStatus.software)
  }
}
