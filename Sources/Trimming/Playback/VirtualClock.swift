import Synchronization

/// A clock on which sleeping takes no time: it jumps to the sleeper's deadline.
///
/// For simulations whose output has to be the same every time. One sleeper at a time: with two,
/// the later deadline wins.
public final class VirtualClock: Clock, Sendable {
  /// An instant of a virtual clock; it is not tied to a particular clock.
  public struct Instant: InstantProtocol, Sendable {
    /// The time since the clock was created.
    public var offset: Duration

    /// Creates the instant `offset` after the clock was created.
    public init(offset: Duration) { self.offset = offset }

    /// The instant a duration later, or earlier if it is negative.
    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    /// The duration from this instant to another, negative for an earlier one.
    public func duration(to other: Instant) -> Duration { other.offset - offset }
    /// Orders the earlier instant before the later one.
    public static func < (a: Instant, b: Instant) -> Bool { a.offset < b.offset }
  }

  private let offset = Mutex(Duration.zero)

  /// Creates a clock at zero.
  public init() {}

  /// The current time; it advances only when a task sleeps.
  public var now: Instant { Instant(offset: offset.withLock { $0 }) }
  /// Zero: the clock stops at exactly the requested deadline.
  public var minimumResolution: Duration { .zero }

  /// Moves the clock to the deadline, unless it is there already, and lets other tasks run once.
  ///
  /// - Throws: `CancellationError` when the task is cancelled; the clock then stays.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try Task.checkCancellation()
    offset.withLock { $0 = max($0, deadline.offset) }
    // Event readers get a turn, as they would while a real clock sleeps.
    await Task.yield()
  }
}
