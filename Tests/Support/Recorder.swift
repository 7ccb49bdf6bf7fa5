import Synchronization
package import Testing

/// A strict spy: every event must be expected, or the test fails.
package final class Recorder<Event: Sendable & Equatable>: Sendable {
  private struct State {
    var events: [Event] = []
    var meetings = Meetings()
  }

  private let state = Mutex(State())
  private let sourceLocation: SourceLocation

  package init(sourceLocation: SourceLocation = #_sourceLocation) {
    self.sourceLocation = sourceLocation
  }

  deinit {
    let events = state.withLock { $0.events }
    guard !events.isEmpty else { return }
    Issue.record("nobody expected \(events)", sourceLocation: sourceLocation)
  }

  package func record(_ event: Event) {
    let ready = state.withLock { state in
      state.events.append(event)
      return state.meetings.take(upTo: state.events.count)
    }
    for waiter in ready { waiter.resume(returning: true) }
  }

  /// The events since the last expectation are exactly these; the record is empty afterwards.
  package func expect(_ expected: Event..., sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(take() == expected, sourceLocation: sourceLocation)
  }

  /// Returns when that many events are in the record; records an issue if they never are.
  package func events(
    atLeast count: Int, within limit: Duration = .seconds(1),
    sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    let id = state.withLock { $0.meetings.newID() }
    let deadline = Deadline(after: limit) { [weak self] in self?.giveUp(id) }
    defer { deadline.cancel() }
    let isMet = await withCheckedContinuation { waiter in
      let isMet = state.withLock { state in
        guard state.events.count < count else { return true }
        state.meetings.wait(waiter, id: id, for: count)
        return false
      }
      if isMet { waiter.resume(returning: true) }
    }
    guard !isMet else { return }
    let events = state.withLock { $0.events }
    Issue.record(
      "\(count) events did not come within \(limit), but \(events)", sourceLocation: sourceLocation)
  }

  private func giveUp(_ id: Int) {
    state.withLock { $0.meetings.giveUp(id) }?.resume(returning: false)
  }

  /// Empties the record.
  @discardableResult package func take() -> [Event] {
    state.withLock { state in
      defer { state.events = [] }
      return state.events
    }
  }
}
