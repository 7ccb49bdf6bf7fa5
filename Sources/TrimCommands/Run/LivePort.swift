import Dispatch
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// How a command that lives on the main actor is run from the tool, which does not.
struct LivePort: Sendable {
  typealias Work = @MainActor @Sendable () async -> ExitStatus

  /// Returns when the work is done, or ends the process with its status.
  var run: @Sendable (@escaping Work) -> ExitStatus

  /// Hands the main thread over to the main actor for good.
  static func endingProcess(with tool: Tool) -> LivePort {
    LivePort { work in
      Task { @MainActor in exit(tool.finish(await work()).code) }
      dispatchMain()
    }
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
