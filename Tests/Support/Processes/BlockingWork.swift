import Dispatch
import Synchronization

/// Dedicated threads for work that blocks, as many as are useful on a small machine.
///
/// A test that waits for a program on a thread of the cooperative pool holds every other test back.
/// Expectations must stay outside: on these threads it is not known which test they belong to.
package enum BlockingWork {
  private static let queues = [
    DispatchQueue(label: "blocking work 1"), DispatchQueue(label: "blocking work 2"),
  ]
  private static let turn = Atomic<Int>(0)

  /// Does the work when its turn comes.
  package static func run<Result: Sendable>(
    _ work: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    let number = turn.wrappingAdd(1, ordering: .relaxed).oldValue
    return try await withCheckedThrowingContinuation { continuation in
      queues[abs(number) % queues.count].async { @Sendable in
        continuation.resume(with: Swift.Result { try work() })
      }
    }
  }
}
