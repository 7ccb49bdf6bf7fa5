/// Rendezvous of tests with the code under test: each waits until a count is reached.
package struct Meetings {
  package typealias Waiter = CheckedContinuation<Bool, Never>

  private var nextID = 0
  private var waiting: [(id: Int, count: Int, waiter: Waiter)] = []

  package init() {}

  package mutating func newID() -> Int {
    defer { nextID += 1 }
    return nextID
  }

  package mutating func wait(_ waiter: Waiter, id: Int, for count: Int) {
    waiting.append((id, count, waiter))
  }

  /// The waiters whose count has been reached.
  package mutating func take(upTo count: Int) -> [Waiter] {
    let ready = waiting.filter { $0.count <= count }
    waiting.removeAll { $0.count <= count }
    return ready.map(\.waiter)
  }

  package mutating func giveUp(_ id: Int) -> Waiter? {
    guard let index = waiting.firstIndex(where: { $0.id == id }) else { return nil }
    return waiting.remove(at: index).waiter
  }
}
