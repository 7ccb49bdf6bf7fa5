import Dispatch
import Synchronization
import Threads

/// Starts processes from one permanent thread.
///
/// A child that dies with its parent (PR_SET_PDEATHSIG) dies with the *thread* that started it, so
/// that thread cannot be one that a pool may reclaim.
package final class ProcessNursery: Sendable {
  private final class Desk: Sendable {
    let orders = Mutex<[@Sendable () -> Void]>([])
    let arrival = DispatchSemaphore(value: 0)

    /// Runs until woken without a job, which means to stop.
    func serve() {
      while true {
        arrival.wait()
        guard let order = orders.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { return }
        order()
      }
    }
  }

  private final class Answer<Value: Sendable>: Sendable {
    let value = Mutex<Value?>(nil)
    let isThere = DispatchSemaphore(value: 0)
  }

  private let desk = Desk()
  private let isOpen: Bool

  package init() {
    isOpen = WaitingThread.run { [desk] in desk.serve() }
  }

  deinit { desk.arrival.signal() }

  /// Does work on that thread and waits for it; `nil` if the system had no thread left.
  package func value<Value: Sendable>(of work: @escaping @Sendable () -> Value) -> Value? {
    guard isOpen else { return nil }
    let answer = Answer<Value>()
    desk.orders.withLock { orders in
      orders.append {
        let value = work()
        answer.value.withLock { $0 = value }
        answer.isThere.signal()
      }
    }
    desk.arrival.signal()
    answer.isThere.wait()
    return answer.value.withLock { $0 }
  }
}
