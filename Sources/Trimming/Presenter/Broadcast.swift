import Synchronization

/// Delivers every element to every subscriber, in order.
///
/// Each ``subscribe(buffering:)`` creates a separate stream, registered before the call returns: it
/// receives every element sent from then on and none sent before. All subscribers see the same
/// order, whichever threads send. A subscription ends when its reader is cancelled or releases the
/// stream, and when the broadcast finishes or is deallocated.
///
/// When exactly a reader receives an element is not guaranteed. State that is set before `send` is
/// already updated when the element arrives, and may be newer still.
public final class Broadcast<Element: Sendable>: Sendable {
  private typealias Continuation = AsyncStream<Element>.Continuation

  private struct Subscription {
    let id: Int
    let continuation: Continuation
  }

  /// Everything here is guarded by the lock; streams are never touched while it is held, since
  /// ending one calls back into this type at once.
  private struct State {
    var subscriptions: [Subscription] = []
    var nextID = 0
    /// Elements waiting to be delivered, each with the first subscription that came too late for
    /// it.
    var pending: [(element: Element, before: Int)] = []
    var isHandingOut = false
    var isFinished = false
  }

  private let state = Mutex(State())

  /// Creates a broadcast without subscribers; what is sent before the first one is lost.
  public init() {}

  deinit {
    for subscription in state.withLock({ $0.subscriptions }) { subscription.continuation.finish() }
  }

  /// The number of active streams.
  public var subscriberCount: Int { state.withLock { $0.subscriptions.count } }

  /// Creates a stream of everything sent from now on, for one reader.
  ///
  /// - Parameter buffering: what happens while the reader is slower than the sender. By default
  ///   nothing is lost, at the cost of memory; `.bufferingNewest(n)` drops the oldest.
  public func subscribe(
    buffering: AsyncStream<Element>.Continuation.BufferingPolicy = .unbounded
  ) -> AsyncStream<Element> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Element.self, bufferingPolicy: buffering)
    let id: Int? = state.withLock { state in
      guard !state.isFinished else { return nil }
      defer { state.nextID += 1 }
      state.subscriptions.append(Subscription(id: state.nextID, continuation: continuation))
      return state.nextID
    }
    guard let id else {
      continuation.finish()
      return stream
    }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { state in state.subscriptions.removeAll { $0.id == id } }
    }
    return stream
  }

  /// Delivers an element to all current subscribers; does nothing once finished.
  ///
  /// A thread that is already delivering also delivers this element, so that two senders cannot
  /// overtake each other on the way to a subscriber.
  public func send(_ element: Element) {
    let isMine = state.withLock { state in
      guard !state.isFinished, !state.subscriptions.isEmpty else { return false }
      state.pending.append((element, before: state.nextID))
      defer { state.isHandingOut = true }
      return !state.isHandingOut
    }
    if isMine { handOut() }
  }

  /// Ends every stream after what was sent; later subscribers get a stream that has ended.
  public func finish() {
    let isMine = state.withLock { state in
      state.isFinished = true
      defer { state.isHandingOut = true }
      return !state.isHandingOut
    }
    if isMine { handOut() }
  }

  private func handOut() {
    while true {
      let (batch, subscriptions, isLast) = state.withLock { state in
        let batch = state.pending
        state.pending = []
        let isLast = batch.isEmpty
        if isLast { state.isHandingOut = false }
        let subscriptions = state.subscriptions
        if isLast, state.isFinished { state.subscriptions = [] }
        return (batch, subscriptions, isLast ? Optional(state.isFinished) : nil)
      }
      for (element, limit) in batch {
        for subscription in subscriptions where subscription.id < limit {
          subscription.continuation.yield(element)
        }
      }
      guard let isFinished = isLast else { continue }
      if isFinished { for subscription in subscriptions { subscription.continuation.finish() } }
      return
    }
  }
}
