import Dispatch
import Synchronization

/// A request that is on its way, for those who wait for its bytes.
final class Flight: Sendable {
  let range: Range<Int64>
  /// Whether nobody read there yet.
  let isAhead: Bool
  private let error = Mutex<MediaError?>(nil)
  private let isOver = DispatchSemaphore(value: 0)

  init(_ range: Range<Int64>, isAhead: Bool) {
    self.range = range
    self.isAhead = isAhead
  }

  func end(with failure: MediaError?) {
    error.withLock { $0 = failure }
    isOver.signal()
  }

  /// Blocks until it is over.
  ///
  /// - Returns: why it failed.
  func wait() -> MediaError? {
    isOver.wait()
    // For the next who waits.
    isOver.signal()
    return error.withLock { $0 }
  }
}
