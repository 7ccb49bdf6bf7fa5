import Synchronization

/// A switch that is set once, from any thread.
package final class CancelSwitch: Sendable {
  private let state = Atomic<Bool>(false)

  package init() {}

  package var isOn: Bool { state.load(ordering: .relaxed) }
  package func turnOn() { state.store(true, ordering: .relaxed) }
}
