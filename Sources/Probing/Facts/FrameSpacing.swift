package import ExactTime

/// The frame rate as derived from the spacing of presented frames.
package struct FrameSpacing {
  /// The rate that fits every timestamp; for variable spacing, the rate the stream states, where
  /// its shortest frame matches it.
  package var nominal: Rational?
  /// The number of frames divided by the time from the first frame to the end of the last; the
  /// nominal rate where spacing is constant.
  package var average: Rational?
  package var isConstant: Bool?

  /// - Parameters:
  ///   - times: PTS in presentation order, on `grid`.
  ///   - end: where the last frame ends; `nil` when that is not known.
  ///   - stated: the rate in the stream's header, tried first.
  package init(
    times: some RandomAccessCollection<Int64>, end: Int64?, grid: TickGrid, stated: Rational?
  ) {
    let plausible = stated.flatMap { $0.isPositive ? $0 : nil }
    guard let first = times.first, let last = times.last, times.count > 1, last > first else {
      nominal = plausible
      if times.count == 1, let first = times.first, let end, end > first {
        let (whole, overflow) = end.subtractingReportingOverflow(first)
        if !overflow { average = Self.rate(1, over: whole, grid) }
      }
      return
    }
    let intervals = Int64(times.count - 1)
    let (span, overflow) = last.subtractingReportingOverflow(first)
    guard !overflow, let mean = Self.rate(intervals, over: span, grid) else {
      nominal = plausible
      return
    }
    // A coarse time base (milliseconds) can have equal steps at a rate it cannot express.
    nominal = Self.candidates(stated: plausible, mean: mean).first {
      Self.fits(times, first: first, rate: $0, grid: grid)
    }
    isConstant = nominal != nil
    average = nominal
    if nominal == nil {
      nominal = plausible.flatMap { Self.isShortest($0, in: times, grid: grid) ? $0 : nil }
      let (whole, overflow) = (end ?? last).subtractingReportingOverflow(first)
      average = overflow || whole <= span ? mean : Self.rate(intervals + 1, over: whole, grid)
    }
  }

  private static func rate(_ frames: Int64, over ticks: Int64, _ grid: TickGrid) -> Rational? {
    guard let length = try? grid.duration(ofTicks: ticks) else { return nil }
    return try? Rational(frames).divided(by: length.seconds)
  }

  /// True when the shortest distance between two frames is one frame at that rate, to a tick.
  private static func isShortest(
    _ rate: Rational, in times: some RandomAccessCollection<Int64>, grid: TickGrid
  ) -> Bool {
    var previous: Int64?
    var shortest = Int64.max
    for time in times {
      if let previous, time > previous {
        let (step, overflow) = time.subtractingReportingOverflow(previous)
        if !overflow { shortest = min(shortest, step) }
      }
      previous = time
    }
    guard let frame = try? Rational.one.divided(by: rate).divided(by: grid.secondsPerTick)
    else { return false }
    let difference = Int128(shortest) * Int128(frame.denominator) - Int128(frame.numerator)
    return difference.magnitude <= UInt128(frame.denominator.magnitude)
  }

  /// The frame rates in use (SMPTE ST 2036, ITU-R BT.1700 and common cameras).
  private static let common: [Rational] = [
    Rational(24000, 1001), Rational(24), Rational(25), Rational(30000, 1001), Rational(30),
    Rational(48), Rational(50), Rational(60000, 1001), Rational(60), Rational(15),
    Rational(15000, 1001), Rational(12), Rational(12000, 1001), Rational(25, 2), Rational(10),
    Rational(20), Rational(5), Rational(100), Rational(120), Rational(120_000, 1001),
    Rational(240), Rational(240_000, 1001), Rational(1),
  ]

  private static func candidates(stated: Rational?, mean: Rational) -> [Rational] {
    // Only rates within a hundredth of the mean can fit; the loop over all frames is the expensive
    // part.
    let near = ([stated].compactMap { $0 } + common).filter { rate in
      guard let ratio = try? rate.divided(by: mean) else { return false }
      return ratio > Rational(99, 100) && ratio < Rational(101, 100)
    }
    return near.filter { $0 == stated }
      + near.filter { $0 != stated }.sorted { a, b in
        isNearer(a, than: b, to: mean)
      } + [mean]
  }

  private static func isNearer(_ a: Rational, than b: Rational, to mean: Rational) -> Bool {
    func distance(_ rate: Rational) -> Rational? {
      try? rate > mean ? rate.subtracting(mean) : mean.subtracting(rate)
    }
    guard let left = distance(a), let right = distance(b) else { return false }
    return left < right
  }

  /// True when frame k is within one tick of `first + k/rate`, for every k, and within half a
  /// frame: where a tick is as long as a frame, one tick away is already another frame.
  private static func fits(
    _ times: some RandomAccessCollection<Int64>, first: Int64, rate: Rational, grid: TickGrid
  ) -> Bool {
    // Ticks per frame = 1 / (rate × seconds per tick), kept as a fraction.
    guard let step = try? Rational.one.divided(by: rate).divided(by: grid.secondsPerTick) else {
      return false
    }
    let top = Int128(step.numerator)
    let bottom = Int128(step.denominator)
    var index: Int128 = 0
    for time in times {
      let difference = (Int128(time) - Int128(first)) * bottom - index * top
      if difference.magnitude > bottom.magnitude || difference.magnitude * 2 >= top.magnitude {
        return false
      }
      index += 1
    }
    return true
  }
}
