/// The tick grid of a stream's timestamps.
///
/// One value: the length of a tick in seconds, which standards and FFmpeg call the *time base*. Raw
/// tick counts are never passed without it.
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
        forKey: .secondsPerTick, in: container, debugDescription: "a tick must be longer than zero")
    }
    secondsPerTick = tick
  }

  /// Creates the grid of a rate, an MP4 *timescale*, for constants; traps when it is not positive.
  public init(ticksPerSecond: Int64) {
    precondition(ticksPerSecond > 0, "a tick grid needs a positive rate")
    secondsPerTick = Rational(1, ticksPerSecond)
  }

  /// The instant of a tick.
  ///
  /// - Throws: ``ExactTimeError/overflow`` when its reduced numerator or denominator needs more
  ///   than 64 bits.
  public func time(atTick tick: Int64) throws(ExactTimeError) -> MediaTime {
    MediaTime(seconds: try Rational(tick).multiplied(by: secondsPerTick))
  }

  /// The length of a number of ticks.
  ///
  /// - Throws: ``ExactTimeError/overflow`` when its reduced numerator or denominator needs more
  ///   than 64 bits.
  public func duration(ofTicks ticks: Int64) throws(ExactTimeError) -> MediaDuration {
    MediaDuration(seconds: try Rational(ticks).multiplied(by: secondsPerTick))
  }

  /// The tick at or nearest an instant, in the named direction.
  ///
  /// - Throws: ``ExactTimeError/overflow`` for a tick that needs more than 64 bits.
  public func tick(
    of time: MediaTime, rounding: Rounding
  ) throws(ExactTimeError) -> Int64 {
    try ticks(time.seconds, rounding)
  }

  /// The number of ticks nearest a length, in the named direction.
  ///
  /// - Throws: ``ExactTimeError/overflow`` for a count that needs more than 64 bits.
  public func ticks(
    of duration: MediaDuration, rounding: Rounding
  ) throws(ExactTimeError) -> Int64 {
    try ticks(duration.seconds, rounding)
  }

  /// True when the instant is exactly a tick of this grid that fits 64 bits.
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
