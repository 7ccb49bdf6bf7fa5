import Synchronization
package import Testing

/// A clock that stands still until a test moves it.
///
/// A test synchronizes with the code under test: it waits until the code sleeps, then moves the
/// clock. Nothing depends on scheduling, and no real time passes.
package final class ManualClock: Clock, Sendable {
  package struct Instant: InstantProtocol, Sendable {
    package var offset: Duration

    package func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    package func duration(to other: Instant) -> Duration { other.offset - offset }
    package static func < (a: Instant, b: Instant) -> Bool { a.offset < b.offset }
  }

  private struct Sleeper {
    let id: Int
    let deadline: Instant
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var now = Instant(offset: .zero)
    var nextID = 0
    var sleepers: [Sleeper] = []
    var meetings = Meetings()
    /// Sleepers that were cancelled before they went to sleep.
    var cancelled: Set<Int> = []

    mutating func takeMeetings() -> [Meetings.Waiter] { meetings.take(upTo: sleepers.count) }
  }

  private let state = Mutex(State())

  package init() {}

  package var now: Instant { state.withLock { $0.now } }
  package var minimumResolution: Duration { .zero }
  package var sleeperCount: Int { state.withLock { $0.sleepers.count } }

  package func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    let id = state.withLock { state in
      defer { state.nextID += 1 }
      return state.nextID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        lieDown(Sleeper(id: id, deadline: deadline, continuation: continuation))
      }
    } onCancel: {
      cancel(id)
    }
  }

  /// Returns when that many tasks sleep on this clock; records an issue if they never do.
  package func sleepers(
    atLeast count: Int, within limit: Duration = .seconds(1),
    sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    let id = state.withLock { $0.meetings.newID() }
    let deadline = Deadline(after: limit) { [weak self] in self?.giveUp(id) }
    defer { deadline.cancel() }
    let isMet = await withCheckedContinuation { waiter in
      let ready = state.withLock { state in
        state.meetings.wait(waiter, id: id, for: count)
        return state.takeMeetings()
      }
      for waiter in ready { waiter.resume(returning: true) }
    }
    guard !isMet else { return }
    Issue.record(
      "\(sleeperCount) of \(count) tasks sleep on the clock after \(limit)",
      sourceLocation: sourceLocation)
  }

  private func giveUp(_ id: Int) {
    state.withLock { $0.meetings.giveUp(id) }?.resume(returning: false)
  }

  /// Moves the clock and wakes whoever is due, the earliest deadline first.
  package func advance(by duration: Duration) {
    let due = state.withLock { state in
      state.now = state.now.advanced(by: duration)
      let now = state.now
      let due = state.sleepers.filter { $0.deadline <= now }
      state.sleepers.removeAll { $0.deadline <= now }
      return due.sorted { $0.deadline < $1.deadline }
    }
    for sleeper in due { sleeper.continuation.resume() }
  }

  /// Moves the clock to the earliest deadline of all sleepers.
  package func advanceToNextDeadline() {
    let wait = state.withLock { state in
      state.sleepers.map(\.deadline).min().map { state.now.duration(to: $0) }
    }
    if let wait { advance(by: max(wait, .zero)) }
  }

  private enum Start {
    case sleeps([Meetings.Waiter])
    case isDue
    case isCancelled
  }

  private func lieDown(_ sleeper: Sleeper) {
    let start: Start = state.withLock { state in
      if state.cancelled.remove(sleeper.id) != nil { return .isCancelled }
      guard sleeper.deadline > state.now else { return .isDue }
      state.sleepers.append(sleeper)
      return .sleeps(state.takeMeetings())
    }
    switch start {
    case .sleeps(let ready): for waiter in ready { waiter.resume(returning: true) }
    case .isDue: sleeper.continuation.resume()
    case .isCancelled: sleeper.continuation.resume(throwing: CancellationError())
    }
  }

  private func cancel(_ id: Int) {
    let sleeper: Sleeper? = state.withLock { state in
      guard let index = state.sleepers.firstIndex(where: { $0.id == id }) else {
        state.cancelled.insert(id)
        return nil
      }
      return state.sleepers.remove(at: index)
    }
    sleeper?.continuation.resume(throwing: CancellationError())
  }
}
