import ExactTime

/// What the spacing of presented frames says about the frame rate.
struct FrameSpacing {
  /// The rate that every time stamp fits, or the one the stream states for variable spacing.
  var nominal: Rational?
  /// Frames over the time from the first frame to the last.
  var average: Rational?
  var isConstant: Bool?

  /// - Parameters:
  ///   - times: PTS in presentation order, on `grid`.
  ///   - stated: the rate the stream's header gives, tried first.
  init(times: some RandomAccessCollection<Int64>, grid: TickGrid, stated: Rational?) {
    let plausible = stated.flatMap { $0.isPositive ? $0 : nil }
    guard let first = times.first, let last = times.last, times.count > 1, last > first else {
      nominal = plausible
      return
    }
    let intervals = Int64(times.count - 1)
    let (span, overflow) = last.subtractingReportingOverflow(first)
    guard !overflow,
      let length = try? grid.duration(ofTicks: span),
      let mean = try? Rational(intervals).divided(by: length.seconds)
    else {
      nominal = plausible
      return
    }
    average = mean
    if Self.areEquallySpaced(times, intervals: intervals, span: span) {
      // A coarse grid (milliseconds) can hold equal steps of a rate it cannot express.
      let fits = Self.candidates(stated: plausible, mean: mean).first {
        Self.fits(times, first: first, rate: $0, grid: grid)
      }
      nominal = fits ?? mean
      isConstant = true
      return
    }
    nominal = Self.candidates(stated: plausible, mean: mean).first {
      Self.fits(times, first: first, rate: $0, grid: grid)
    }
    isConstant = nominal != nil
    if nominal == nil { nominal = plausible }
  }

  private static func areEquallySpaced(
    _ times: some RandomAccessCollection<Int64>, intervals: Int64, span: Int64
  ) -> Bool {
    guard span % intervals == 0 else { return false }
    let step = span / intervals
    var expected: Int64?
    for time in times {
      if let expected, expected != time { return false }
      expected = time &+ step
    }
    return true
  }

  /// The rates in use (SMPTE ST 2036, ITU-R BT.1700 and common cameras).
  private static let common: [Rational] = [
    Rational(24000, 1001), Rational(24), Rational(25), Rational(30000, 1001), Rational(30),
    Rational(48), Rational(50), Rational(60000, 1001), Rational(60), Rational(15),
    Rational(15000, 1001), Rational(12), Rational(12000, 1001), Rational(25, 2), Rational(10),
    Rational(20), Rational(5), Rational(100), Rational(120), Rational(120_000, 1001),
    Rational(240), Rational(240_000, 1001), Rational(1),
  ]

  private static func candidates(stated: Rational?, mean: Rational) -> [Rational] {
    // Only rates within a hundredth of the mean can fit; the loop over all frames is the dear part.
    let near = ([stated].compactMap { $0 } + common).filter { rate in
      guard let ratio = try? rate.divided(by: mean) else { return false }
      return ratio > Rational(99, 100) && ratio < Rational(101, 100)
    }
    return near.isEmpty ? [mean] : near + [mean]
  }

  /// True when frame k lies within one tick of `first + k/rate`, for every k.
  private static func fits(
    _ times: some RandomAccessCollection<Int64>, first: Int64, rate: Rational, grid: TickGrid
  ) -> Bool {
    // Ticks a frame = 1 / (rate × seconds a tick), kept as a fraction.
    guard let step = try? Rational.one.divided(by: rate).divided(by: grid.secondsPerTick) else {
      return false
    }
    let top = Int128(step.numerator)
    let bottom = Int128(step.denominator)
    var index: Int128 = 0
    for time in times {
      let difference = (Int128(time) - Int128(first)) * bottom - index * top
      if difference.magnitude > bottom.magnitude { return false }
      index += 1
    }
    return true
  }
}
