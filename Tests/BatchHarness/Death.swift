import Glibc
import Synchronization

/// Ends the process at one step of its work, as a power loss would: `TRIM_KILL_AT` is its number.
enum Death {
  private static let target = getenv("TRIM_KILL_AT").flatMap { Int(String(cString: $0)) }
  private static let steps = Mutex(0)

  static let step: @Sendable (String) -> Void = { _ in
    guard let target else { return }
    let isLast = steps.withLock { count in
      count += 1
      return count == target
    }
    if isLast { kill(getpid(), SIGKILL) }
  }
}
