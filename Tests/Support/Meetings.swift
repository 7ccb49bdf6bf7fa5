/// Meetings of tests with the code under test: each waits until a count is reached.
public struct Meetings {
  public typealias Waiter = CheckedContinuation<Bool, Never>

  private var nextID = 0
  private var waiting: [(id: Int, count: Int, waiter: Waiter)] = []

  public init() {}

  public mutating func newID() -> Int {
    defer { nextID += 1 }
    return nextID
  }

  public mutating func wait(_ waiter: Waiter, id: Int, for count: Int) {
    waiting.append((id, count, waiter))
  }

  /// Those that a count is enough for.
  public mutating func take(upTo count: Int) -> [Waiter] {
    let ready = waiting.filter { $0.count <= count }
    waiting.removeAll { $0.count <= count }
    return ready.map(\.waiter)
  }

  public mutating func giveUp(_ id: Int) -> Waiter? {
    guard let index = waiting.firstIndex(where: { $0.id == id }) else { return nil }
    return waiting.remove(at: index).waiter
  }
}
