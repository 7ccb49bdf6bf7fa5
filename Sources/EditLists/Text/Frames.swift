import ExactTime

extension Rational {
  /// The rate that a list means by a rate written with few digits, such as 29.97.
  ///
  /// It stands for n or n·1000/1001 frames per second, where one of them is within 0.1 % of it: for
  /// the source's rate, if that is such a one, otherwise for the nearest. Any other rate is exact.
  func standardRate(near source: Rational?) -> Rational {
    guard let nearest = try? rounded(.nearest), (0..<Int64.max).contains(nearest) else {
      return self
    }
    var best: (rate: Rational, distance: Rational)?
    for whole in max(1, nearest - 1)...max(1, nearest + 1) {
      for scale in [Rational(1), Rational(1000, 1001)] {
        guard let rate = try? Rational(whole).multiplied(by: scale),
          let difference = try? subtracting(rate),
          let limit = try? multiplied(by: Rational(1, 1000))
        else { continue }
        let distance =
          difference.isNegative ? (try? Rational.zero.subtracting(difference)) : difference
        guard let distance, distance <= limit else { continue }
        if rate == source { return rate }
        if best.map({ distance < $0.distance }) ?? true { best = (rate, distance) }
      }
    }
    return best?.rate ?? self
  }
}

/// Writes times as numbers of frames from 0, and counts those between two frames.
struct FrameCounts {
  let rate: Rational
  /// How many times were rounded.
  private(set) var rounded = 0

  init(rate: Rational) { self.rate = rate }

  /// The nearest frame's number; `nil` where it needs more than 64 bits.
  mutating func callAsFunction(_ time: MediaTime) -> Int64? {
    guard let frames = try? time.seconds.multiplied(by: rate),
      let nearest = try? frames.rounded(.nearest)
    else { return nil }
    if frames.denominator != 1 { rounded += 1 }
    return nearest
  }

  /// The numbers of a part's two ends, which differ.
  mutating func callAsFunction(
    _ range: MediaTimeRange, at entry: ListError.Place
  ) throws(ListError) -> Range<Int64> {
    guard let start = self(range.start), let end = self(range.end) else {
      throw ListError(entry, "its times are too large for numbers of frames")
    }
    guard start < end else { throw ListError(entry, "it is shorter than a frame") }
    return start..<end
  }
}
