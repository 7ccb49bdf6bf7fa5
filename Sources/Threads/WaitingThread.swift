internal import CSystem

/// A dedicated thread for work that waits: for a key, a child process, a slow file.
///
/// Dispatch and the cooperative pool have about as many threads as the machine has cores, and the
/// main actor needs one of them; waiting there blocks everything else.
package enum WaitingThread {
  /// - Returns: `false` if the system has no thread left; the work is then not done.
  @discardableResult
  package static func run(_ work: @escaping @Sendable () -> Void) -> Bool {
    let box = Unmanaged.passRetained(Work(work))
    let failure = trim_thread_start(
      { context in
        guard let context else { return }
        Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body()
      }, box.toOpaque())
    if failure != 0 { box.release() }
    return failure == 0
  }

  /// Waits for the work's result without blocking.
  ///
  /// - Throws: ``NoThread`` when the system has no thread left.
  package static func value<Value: Sendable>(
    of work: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      let isStarted = run { continuation.resume(with: Result { try work() }) }
      if !isStarted { continuation.resume(throwing: NoThread()) }
    }
  }

  /// EAGAIN, which pthread_create(3) returns when the thread limit is reached.
  package static let noThreadLeft: Int32 = 11

  private final class Work: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
}

/// The system has no thread left.
package struct NoThread: Error, CustomStringConvertible {
  package var description: String { "the system has no thread left" }
}
