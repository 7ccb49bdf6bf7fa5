import Dispatch
import Synchronization

/// A number of places, for as many requests in flight.
final class Slots: Sendable {
  private let free: Mutex<Int>
  private let change = DispatchSemaphore(value: 0)

  init(_ count: Int) { free = Mutex(max(1, count)) }

  /// Waits for a place, and frees it afterwards.
  func using<Value>(
    _ isInterrupted: () -> Bool, _ body: () throws(FetchFault) -> Value
  ) throws(FetchFault) -> Value {
    while !free.withLock({ free in
      guard free > 0 else { return false }
      free -= 1
      return true
    }) {
      if isInterrupted() { throw .cancelled }
      _ = change.wait(timeout: .now() + .milliseconds(100))
    }
    defer {
      free.withLock { $0 += 1 }
      change.signal()
    }
    return try body()
  }
}
