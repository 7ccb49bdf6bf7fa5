internal import Dispatch
internal import Synchronization

/// One ``WaitingThread`` for recurring work: a thread per picture would cost more than many
/// pictures.
///
/// Work items run one after another. The thread starts with the first and ends with this object.
package final class WaitingWorker: Sendable {
  /// What the thread references: it must not keep the worker alive.
  private final class Queue: Sendable {
    struct State {
      var works: [@Sendable () -> Void] = []
      var isStarted = false
      var isEnded = false
    }

    let state = Mutex(State())
    let wake = DispatchSemaphore(value: 0)

    func serve() {
      while true {
        wake.wait()
        let (work, isEnded) = state.withLock { state in
          (state.works.isEmpty ? nil : state.works.removeFirst(), state.isEnded)
        }
        if let work { work() } else if isEnded { return }
      }
    }
  }

  private let queue = Queue()

  package init() {}

  deinit {
    queue.state.withLock { $0.isEnded = true }
    queue.wake.signal()
  }

  /// - Returns: `false` if the system has no thread left; the work is then not done.
  @discardableResult
  package func run(_ work: @escaping @Sendable () -> Void) -> Bool {
    let isTaken = queue.state.withLock { state in
      if !state.isStarted { state.isStarted = WaitingThread.run { [queue] in queue.serve() } }
      if state.isStarted { state.works.append(work) }
      return state.isStarted
    }
    if isTaken { queue.wake.signal() }
    return isTaken
  }
}
