import Synchronization
public import Testing

/// A spy that forgives nothing: every event has to be expected, or the test fails.
public final class Recorder<Event: Sendable & Equatable>: Sendable {
  private struct State {
    var events: [Event] = []
    var meetings: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Mutex(State())
  private let sourceLocation: SourceLocation

  public init(sourceLocation: SourceLocation = #_sourceLocation) {
    self.sourceLocation = sourceLocation
  }

  deinit {
    let events = state.withLock { $0.events }
    guard !events.isEmpty else { return }
    Issue.record("nobody expected \(events)", sourceLocation: sourceLocation)
  }

  public func record(_ event: Event) {
    let ready = state.withLock { state in
      state.events.append(event)
      let count = state.events.count
      let ready = state.meetings.filter { $0.count <= count }
      state.meetings.removeAll { $0.count <= count }
      return ready
    }
    for meeting in ready { meeting.continuation.resume() }
  }

  /// The events since the last expectation are exactly these; the record is empty afterwards.
  public func expect(_ expected: Event..., sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(take() == expected, sourceLocation: sourceLocation)
  }

  /// Returns when that many events are in the record.
  public func events(atLeast count: Int) async {
    await withCheckedContinuation { continuation in
      let isMet = state.withLock { state in
        guard state.events.count < count else { return true }
        state.meetings.append((count, continuation))
        return false
      }
      if isMet { continuation.resume() }
    }
  }

  /// Empties the record.
  @discardableResult public func take() -> [Event] {
    state.withLock { state in
      defer { state.events = [] }
      return state.events
    }
  }
}
