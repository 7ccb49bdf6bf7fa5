import Dispatch
import Synchronization

/// Dedicated threads for work that blocks, as many as are useful on a small machine.
///
/// A test that waits for a program on a thread of the cooperative pool holds every other test back.
/// Expectations must stay outside: on these threads it is not known which test they belong to.
package enum BlockingWork {
  private struct State {
    /// One more than a small machine has processors: some programs wait for others or for a clock.
    var free = ["1", "2", "3"].map { DispatchQueue(label: "blocking work \($0)") }
    var waiting: [@Sendable () -> Void] = []
  }

  private static let state = Mutex(State())

  /// Does the work when its turn comes.
  package static func run<Result: Sendable>(
    _ work: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      enqueue { continuation.resume(with: Swift.Result { try work() }) }
    }
  }

  private static func enqueue(_ work: @escaping @Sendable () -> Void) {
    let queue = state.withLock { state in
      state.waiting.append(work)
      return state.free.popLast()
    }
    guard let queue else { return }
    queue.async { while let work = next(on: queue) { work() } }
  }

  /// The work that has waited longest; without any, the queue is free.
  private static func next(on queue: DispatchQueue) -> (@Sendable () -> Void)? {
    state.withLock { state in
      guard !state.waiting.isEmpty else {
        state.free.append(queue)
        return nil
      }
      return state.waiting.removeFirst()
    }
  }
}
