import Synchronization

/// What is spent on files while some work is done.
final class RemoteMeter: Sendable {
  private let spent = Mutex(RemoteCost())

  var cost: RemoteCost { spent.withLock { $0 } }

  func add(_ cost: RemoteCost) { spent.withLock { $0 = $0 + cost } }
}
