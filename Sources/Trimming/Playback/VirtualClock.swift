import Synchronization

/// A clock on which sleeping takes no time: it jumps to where a sleeper wants to be woken.
///
/// For simulations whose output has to be the same every time. One sleeper at a time: with two,
/// the later deadline wins.
public final class VirtualClock: Clock, Sendable {
  /// An instant of a virtual clock; it does not know of which.
  public struct Instant: InstantProtocol, Sendable {
    /// Since the clock was made.
    public var offset: Duration

    /// Creates the instant that lies `offset` after the clock was made.
    public init(offset: Duration) { self.offset = offset }

    /// The instant that lies a duration later, or earlier for a negative one.
    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    /// The duration from this instant to another, negative for an earlier one.
    public func duration(to other: Instant) -> Duration { other.offset - offset }
    /// Orders the earlier instant before the later one.
    public static func < (a: Instant, b: Instant) -> Bool { a.offset < b.offset }
  }

  private let offset = Mutex(Duration.zero)

  /// Creates a clock that stands at zero.
  public init() {}

  /// Where the clock stands; it moves only when somebody sleeps.
  public var now: Instant { Instant(offset: offset.withLock { $0 }) }
  /// Zero: the clock stops at exactly the deadline that was asked for.
  public var minimumResolution: Duration { .zero }

  /// Moves the clock to the deadline, unless it is there already, and lets other tasks run once.
  ///
  /// - Throws: `CancellationError` when the task is cancelled; the clock then stays.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try Task.checkCancellation()
    offset.withLock { $0 = max($0, deadline.offset) }
    // Readers of events get their turn, as they would while a real clock sleeps.
    await Task.yield()
  }
}
