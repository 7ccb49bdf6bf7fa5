import Synchronization

/// A clock on which sleeping takes no time: it jumps to where a sleeper wants to be woken.
///
/// For simulations whose output has to be the same every time. One sleeper at a time: with two,
/// the later deadline wins.
public final class VirtualClock: Clock, Sendable {
  public struct Instant: InstantProtocol, Sendable {
    /// Since the clock was made.
    public var offset: Duration

    public init(offset: Duration) { self.offset = offset }

    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    public func duration(to other: Instant) -> Duration { other.offset - offset }
    public static func < (a: Instant, b: Instant) -> Bool { a.offset < b.offset }
  }

  private let offset = Mutex(Duration.zero)

  public init() {}

  public var now: Instant { Instant(offset: offset.withLock { $0 }) }
  public var minimumResolution: Duration { .zero }

  /// - Throws: `CancellationError` when the task is cancelled; the clock then stays.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try Task.checkCancellation()
    offset.withLock { $0 = max($0, deadline.offset) }
    // Readers of events get their turn, as they would while a real clock sleeps.
    await Task.yield()
  }
}
