import Synchronization

/// Holds one task: a new one cancels the previous one, and so does deallocation of the owner.
final class TaskSlot: Sendable {
  private let task = Mutex<Task<Void, Never>?>(nil)

  func replace(with next: Task<Void, Never>?) {
    let previous = task.withLock { task in
      defer { task = next }
      return task
    }
    previous?.cancel()
  }

  deinit { task.withLock { $0 }?.cancel() }
}
