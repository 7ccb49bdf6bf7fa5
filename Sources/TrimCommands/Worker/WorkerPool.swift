import Synchronization

/// The workers of one batch, never more than are busy at once.
final class WorkerPool: Sendable {
  /// How a task ended.
  struct Outcome: Sendable {
    /// The row as the worker made it, or why there is none.
    var reply: Result<WorkerReply, BatchFailure>
    var attempts: Int
  }

  private let nursery = WorkerNursery()
  private let resting = Mutex<[WorkerChild]>([])

  /// Does one task in a worker; blocking.
  ///
  /// A worker that dies is no fault of the next task: this one is tried once more, alone in a
  /// process of its own.
  func perform(_ task: BatchTask, bytes: [UInt8], key: TaskKey?, within time: Duration) -> Outcome {
    var request = WorkerRequest(
      line: task.line, attempt: 1, milliseconds: time.wholeMilliseconds, key: key?.text ?? "-",
      task: bytes)
    do throws(BatchFailure) {
      let child = try takeOne(for: task.folder)
      let first = child.perform(request, patience: time * 2)
      guard case .died = first else {
        if child.isFresh { resting.withLock { $0.append(child) } }
        return Outcome(reply: first.reply, attempts: 1)
      }
      request.attempt = 2
      let second = try nursery.start(folder: task.folder).perform(request, patience: time * 2)
      return Outcome(reply: second.reply, attempts: 2)
    } catch {
      return Outcome(reply: .failure(error), attempts: request.attempt)
    }
  }

  /// A worker at rest that may write there, or else a new one in the place of any other.
  private func takeOne(for folder: [UInt8]?) throws(BatchFailure) -> WorkerChild {
    let found: WorkerChild? = resting.withLock { resting in
      if let index = resting.firstIndex(where: { $0.folder == folder }) {
        return resting.remove(at: index)
      }
      _ = resting.popLast()
      return nil
    }
    if let found { return found }
    return try nursery.start(folder: folder)
  }
}

extension WorkerChild.Outcome {
  fileprivate var reply: Result<WorkerReply, BatchFailure> {
    switch self {
    case .answered(let reply): .success(reply)
    case .overran: .failure(.timedOut)
    case .died(let signal): .failure(.crashed(signal: signal))
    }
  }
}
