import CSystem
import Dispatch
import Synchronization
import TerminalUI

/// Starts processes from one thread that stays.
///
/// A child that dies with its parent (PR_SET_PDEATHSIG) dies with the *thread* that started it, so
/// it cannot be one that a pool takes back.
final class WorkerNursery: Sendable {
  private final class Order: Sendable {
    let kind: WorkerKind
    let seals: Bool
    let result = Mutex<Result<WorkerChild, BatchFailure>>(.failure(.cannotStart(0)))
    let isDone = DispatchSemaphore(value: 0)

    init(_ kind: WorkerKind, seals: Bool) {
      self.kind = kind
      self.seals = seals
    }

    func finish(_ value: Result<WorkerChild, BatchFailure>) {
      result.withLock { $0 = value }
      isDone.signal()
    }
  }

  private final class Desk: Sendable {
    let orders = Mutex<[Order]>([])
    let arrival = DispatchSemaphore(value: 0)

    /// Until it is told to stop by an arrival without an order.
    func serve() {
      while true {
        arrival.wait()
        guard let order = orders.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { return }
        order.finish(WorkerChild.start(order.kind, seals: order.seals))
      }
    }
  }

  private let desk = Desk()
  private let isOpen: Bool

  init() {
    isOpen = WaitingThread.run { [desk] in desk.serve() }
  }

  deinit { desk.arrival.signal() }

  func start(_ kind: WorkerKind, seals: Bool) throws(BatchFailure) -> WorkerChild {
    guard isOpen else { throw .cannotStart(WaitingThread.noThreadLeft) }
    let order = Order(kind, seals: seals)
    desk.orders.withLock { $0.append(order) }
    desk.arrival.signal()
    order.isDone.wait()
    return try order.result.withLock { $0 }.get()
  }
}
