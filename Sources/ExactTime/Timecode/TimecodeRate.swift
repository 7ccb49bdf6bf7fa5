/// How a timecode counts: frames per second, and whether labels are dropped (SMPTE ST 12-1).
public struct TimecodeRate: Hashable, Sendable {
  /// The true rate, such as 30000/1001.
  public let framesPerSecond: Rational
  /// How many labels each second has: 30 for 30 and for 30000/1001 frames per second.
  public let labelsPerSecond: Int64
  /// Drop-frame counting: labels are left out so that 29.97 frames per second follow the clock.
  public let isDropFrame: Bool

  /// The highest supported rate, in labels per second.
  public static let highest: Int64 = 120

  /// Creates the counting of a frame rate.
  ///
  /// - Throws: ``TimecodeError/unsupportedRate(_:)`` for a rate that is neither whole nor 1000/1001
  ///   of a whole one, or outside 1…120; ``TimecodeError/noDropFrame(_:)`` for drop-frame counting
  ///   at a rate other than 30000/1001 and 60000/1001.
  public init(framesPerSecond rate: Rational, isDropFrame: Bool) throws(TimecodeError) {
    guard let labels = Self.labels(at: rate) else { throw .unsupportedRate(rate) }
    if isDropFrame, rate.denominator != 1001 || (labels != 30 && labels != 60) {
      throw .noDropFrame(rate)
    }
    framesPerSecond = rate
    labelsPerSecond = labels
    self.isDropFrame = isDropFrame
  }

  private static func labels(at rate: Rational) -> Int64? {
    guard rate.isPositive, rate <= Rational(highest) else { return nil }
    if rate.denominator == 1 { return rate.numerator }
    // The reduced form of n·1000/1001 may have lost a factor that n shares with 1001.
    guard let whole = try? rate.multiplied(by: Rational(1001, 1000)), whole.denominator == 1,
      whole.numerator <= highest
    else { return nil }
    return whole.numerator
  }

  /// Frames per 24 hours: 2,589,408 for drop-frame at 29.97.
  public var framesPerDay: Int64 { framesPerTenMinutes * 6 * 24 }

  /// How many labels are left out at the start of each minute not divisible by ten: 0, 2 or 4.
  public var droppedPerMinute: Int64 { isDropFrame ? labelsPerSecond / 15 : 0 }

  var framesPerMinute: Int64 { labelsPerSecond * 60 - droppedPerMinute }
  var framesPerTenMinutes: Int64 { labelsPerSecond * 600 - droppedPerMinute * 9 }
}
