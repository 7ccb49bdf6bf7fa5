internal import CSystem

/// A separate thread for work inside FFmpeg, which may never return.
package enum WorkThread {
  /// - Returns: false when the system cannot create a thread; the work is then not done.
  package static func run(_ work: @escaping @Sendable () -> Void) -> Bool {
    let box = unsafe Unmanaged.passRetained(Work(work))
    let failure = unsafe trim_thread_start(
      { context in
        guard let context = unsafe context else { return }
        unsafe Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body()
      }, box.toOpaque())
    if failure != 0 { unsafe box.release() }
    return failure == 0
  }

  /// The processor time of a thread; zero once that has ended.
  package struct Clock: Sendable {
    private let number: Int64

    /// Creates the clock of the calling thread; `nil` where the system has none.
    package init?() {
      number = trim_thread_clock()
      if number == 0 { return nil }
    }

    package var time: Duration { .nanoseconds(trim_thread_clock_time(number)) }
  }

  private final class Work: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
}
