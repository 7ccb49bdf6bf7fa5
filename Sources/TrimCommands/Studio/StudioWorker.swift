import Synchronization
import Threads
import TrimStudio

/// A thread for work requested by pages, one piece at a time; too many requests are rejected.
final class StudioWorker: Sendable {
  private let worker = WaitingWorker()
  private let waiting = Atomic<Int>(0)

  /// The maximum number of waiting pieces.
  private static let most = 200

  func value<Value: Sendable>(
    of work: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    guard waiting.wrappingAdd(1, ordering: .relaxed).newValue <= Self.most else {
      waiting.wrappingSubtract(1, ordering: .relaxed)
      throw StudioBusy("Too many requests at once: try again in a second.")
    }
    defer { waiting.wrappingSubtract(1, ordering: .relaxed) }
    return try await withCheckedThrowingContinuation { continuation in
      let isTaken = worker.run { continuation.resume(with: Result { try work() }) }
      if !isTaken {
        continuation.resume(throwing: StudioBusy("The system cannot start a thread now."))
      }
    }
  }
}
