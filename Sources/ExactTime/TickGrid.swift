/// The grid on which a stream states its times.
///
/// One value: the length of a tick in seconds, which standards and FFmpeg call the *time base*. Raw
/// ticks never travel without theirs.
public struct TickGrid: Hashable, Sendable, Codable {
  /// Seconds per tick; always positive.
  public let secondsPerTick: Rational

  /// Creates the grid of a time base, such as 1001/30000.
  ///
  /// - Throws: ``ExactTimeError/notPositive`` for a tick of zero or less.
  public init(secondsPerTick: Rational) throws(ExactTimeError) {
    guard secondsPerTick.isPositive else { throw .notPositive }
    self.secondsPerTick = secondsPerTick
  }

  private enum CodingKeys: String, CodingKey { case secondsPerTick }

  /// Reads the length of a tick in seconds, as an exact fraction.
  ///
  /// - Throws: `DecodingError` for a tick of zero or less.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let tick = try container.decode(Rational.self, forKey: .secondsPerTick)
    guard tick.isPositive else {
      throw DecodingError.dataCorruptedError(
        forKey: .secondsPerTick, in: container, debugDescription: "a tick is longer than zero")
    }
    secondsPerTick = tick
  }

  /// Creates the grid of a rate, an MP4 *timescale*; traps when it is not positive: for constants.
  public init(ticksPerSecond: Int64) {
    precondition(ticksPerSecond > 0, "a tick grid needs a positive rate")
    secondsPerTick = Rational(1, ticksPerSecond)
  }

  /// The instant of a tick.
  ///
  /// - Throws: ``ExactTimeError/overflow`` when its reduced parts need more than 64 bits.
  public func time(atTick tick: Int64) throws(ExactTimeError) -> MediaTime {
    MediaTime(seconds: try Rational(tick).multiplied(by: secondsPerTick))
  }

  /// The length of a count of ticks.
  ///
  /// - Throws: ``ExactTimeError/overflow`` when its reduced parts need more than 64 bits.
  public func duration(ofTicks ticks: Int64) throws(ExactTimeError) -> MediaDuration {
    MediaDuration(seconds: try Rational(ticks).multiplied(by: secondsPerTick))
  }

  /// The tick at or next to an instant, in the named direction.
  ///
  /// - Throws: ``ExactTimeError/overflow`` for a tick outside 64 bits.
  public func tick(
    of time: MediaTime, rounding: Rounding
  ) throws(ExactTimeError) -> Int64 {
    try ticks(time.seconds, rounding)
  }

  /// The count of ticks next to a length, in the named direction.
  ///
  /// - Throws: ``ExactTimeError/overflow`` for a count outside 64 bits.
  public func ticks(
    of duration: MediaDuration, rounding: Rounding
  ) throws(ExactTimeError) -> Int64 {
    try ticks(duration.seconds, rounding)
  }

  /// True when the instant is exactly a tick of this grid, one of those that fit 64 bits.
  public func holds(_ time: MediaTime) -> Bool {
    guard let quotient = try? time.seconds.divided(by: secondsPerTick) else { return false }
    return quotient.denominator == 1
  }

  private func ticks(_ seconds: Rational, _ rounding: Rounding) throws(ExactTimeError) -> Int64 {
    // Products of two 64-bit numbers: at most 2^126.
    try rounding.quotient(
      Int128(seconds.numerator) * Int128(secondsPerTick.denominator),
      Int128(seconds.denominator) * Int128(secondsPerTick.numerator))
  }
}

extension TickGrid: CustomStringConvertible {
  /// Seconds per tick, such as `1/90000`.
  public var description: String { secondsPerTick.description }
}
