public import ExactTime

/// What a loop did between two readings of the clock.
public struct LoopStep: Hashable, Sendable {
  /// How many passes over the range ended since the last reading: one late reading may span several.
  public var passesEnded: Int
  /// Where playback is now, inside the range; any overshoot past the end is carried over.
  public var position: MediaTime

  /// Creates a step; the position has to be inside the range that is played.
  public init(passesEnded: Int, position: MediaTime) {
    self.passesEnded = passesEnded
    self.position = position
  }
}

/// Looping playback of a range, as a function of a clock's instants.
///
/// A position is recomputed each time from one anchor, the instant at which playback was at a known
/// position, and never from the previous position. So errors never accumulate, whatever the ticks:
///
///     anchor              now
///     |--- elapsed -------|          travelled = offset + elapsed × speed
///     [start … offset … end)[start … end)[start … position
///
/// A pure value: it neither reads the clock nor sleeps.
public struct PlaybackLoop<Instant: InstantProtocol>: Sendable
where Instant: Sendable, Instant.Duration == Duration {
  /// The range that is played; its end is never shown.
  public let range: MediaTimeRange
  /// Seconds of media per second of the clock; positive.
  public let speed: Rational

  private let length: MediaDuration
  private var anchor: Instant
  /// The offset from the start of the range at the anchor.
  private var offset: MediaDuration
  /// Passes since the anchor, and the latest clock reading.
  private var passes: Int64 = 0
  private var latest: Instant
  private var position: MediaTime

  /// Creates a loop that is at a position at an instant of the clock.
  ///
  /// - Parameter position: where playback is at `instant`; a position outside the range counts as its
  ///   start.
  /// - Throws: ``ExactTimeError``: an empty range, a speed of zero or less, a length outside 64
  ///   bits.
  public init(
    range: MediaTimeRange, position: MediaTime, at instant: Instant, speed: Rational = .one
  ) throws(ExactTimeError) {
    length = try range.checkedLength()
    guard length.isPositive, speed.isPositive else { throw .notPositive }
    self.range = range
    self.speed = speed
    self.position = range.contains(position) ? position : range.start
    offset = try self.position.distance(from: range.start)
    anchor = instant
    latest = instant
  }

  /// Advances to a reading of the clock.
  ///
  /// A clock that went backward moves nothing: playback continues from where it is. Where even sums rounded
  /// to milliseconds need more than 64 bits, the position stays; real files never come close.
  public mutating func advance(to instant: Instant) -> LoopStep {
    guard instant >= latest else {
      if let distance = try? position.distance(from: range.start) {
        (anchor, offset, passes) = (instant, distance, 0)
      }
      latest = instant
      return LoopStep(passesEnded: 0, position: position)
    }
    latest = instant
    guard let place = try? place(at: instant) else {
      return LoopStep(passesEnded: 0, position: position)
    }
    let ended = place.passes - passes
    passes = place.passes
    position = place.position
    return LoopStep(passesEnded: Int(clamping: ended), position: position)
  }

  /// When to read the clock next: at the next tick counted from the anchor, or earlier if a pass ends before
  /// it.
  ///
  /// - Parameter tick: the time between two readings; at least a microsecond.
  public func nextLook(every tick: Duration) -> Instant {
    let tick = max(tick, .microseconds(1)).attoseconds
    let elapsed = max(anchor.duration(to: latest), .zero).attoseconds
    let regular = anchor.advanced(by: Duration(attoseconds: (elapsed / tick + 1) * tick))
    guard let end = try? endOfPass(), end > latest else { return regular }
    return min(regular, end)
  }

  private func place(
    at instant: Instant
  ) throws(ExactTimeError) -> (passes: Int64, position: MediaTime) {
    try anchor.duration(to: instant).withSeconds { seconds throws(ExactTimeError) in
      let travelled = try offset.adding(MediaDuration(seconds: try seconds.multiplied(by: speed)))
      let passes = try travelled.seconds.divided(by: length.seconds).rounded(.down)
      let rest = try travelled.subtracting(try length.scaled(by: Rational(passes)))
      return (passes, try range.start.advanced(by: rest))
    }
  }

  private func endOfPass() throws(ExactTimeError) -> Instant {
    let ends = try length.scaled(by: Rational(passes).adding(.one)).subtracting(offset)
    return anchor.advanced(by: try Duration(roundingUp: try ends.seconds.divided(by: speed)))
  }
}
