/// Which range is asked for where bytes are missing.
///
/// Every request costs a round trip, and every byte costs time: what is read in order comes in requests that
/// grow, what is announced in as few as possible, and anything else in small ones.
struct RequestPlan {
  /// Gaps up to this are read through, because another request would take longer.
  static let gap: Int64 = 256 << 10
  /// The least for a read that nothing announced.
  private static let least: Int64 = 64 << 10
  /// The most that is read ahead of reads that happen to be in order.
  private static let mostAhead: Int64 = 8 << 20
  /// The most for one request, if the cache has room for it twice: the range and two GOPs of a short cut.
  static let most: Int64 = 32 << 20
  /// How many places are remembered from which reading may continue, and how many announced ranges.
  private static let mostRuns = 8
  private static let mostExpected = 256

  /// Where a request ended, and how much was read ahead.
  private struct Run {
    var end: Int64
    var ahead: Int64
  }

  let most: Int64
  private var runs: [Run] = []
  private var expected: [Range<Int64>] = []
  /// Those of them that will be read at any rate, as far as they were not asked for.
  private var announced: [Range<Int64>] = []

  /// - Parameter headBytes: how much of the front is there already; what follows it continues it.
  init(cacheBytes: Int, headBytes: Int64) {
    most = min(Self.most, Int64(cacheBytes / 2))
    runs = [Run(end: headBytes, ahead: max(Self.least, headBytes))]
  }

  /// - Parameter range: not empty.
  mutating func expect(_ range: Range<Int64>) {
    var range = range
    expected.removeAll { other in
      guard other.lowerBound - Self.gap <= range.upperBound,
        range.lowerBound - Self.gap <= other.upperBound
      else { return false }
      range = min(range.lowerBound, other.lowerBound)..<max(range.upperBound, other.upperBound)
      return true
    }
    expected.append(range)
    Self.limit(&expected)
  }

  /// Whoever asks need not be trusted to stop.
  private static func limit(_ ranges: inout [Range<Int64>]) {
    if ranges.count > mostExpected { ranges.removeFirst(ranges.count - mostExpected) }
  }

  /// The range to ask for.
  ///
  /// - Parameter wanted: what is missing, not empty.
  mutating func request(for wanted: Range<Int64>) -> Range<Int64> {
    let range = choice(for: wanted)
    take(range)
    return range
  }

  private mutating func choice(for wanted: Range<Int64>) -> Range<Int64> {
    // What is interleaved with it may begin a little earlier.
    if let place = expected.firstIndex(where: {
      ($0.lowerBound - Self.gap..<$0.upperBound).contains(wanted.lowerBound)
    }) {
      // What is read once more later is read for another reason.
      let range = expected.remove(at: place)
      let whole =
        min(range.lowerBound, wanted.lowerBound)..<max(range.upperBound, wanted.upperBound)
      if whole.upperBound - whole.lowerBound <= most {
        remember(Run(end: whole.upperBound, ahead: Self.least))
        return whole
      }
      let end = max(wanted.upperBound, min(range.upperBound, wanted.lowerBound + most))
      if end < range.upperBound { expected.append(end..<range.upperBound) }
      if range.lowerBound < wanted.lowerBound {
        expected.append(range.lowerBound..<wanted.lowerBound)
      }
      Self.limit(&expected)
      return wanted.lowerBound..<end
    }
    if let place = runs.firstIndex(where: {
      (wanted.lowerBound - Self.gap...wanted.lowerBound).contains($0.end)
    }) {
      let run = runs.remove(at: place)
      let ahead = min(run.ahead * 2, Self.mostAhead)
      let end = max(wanted.upperBound, run.end + ahead)
      runs.append(Run(end: end, ahead: ahead))
      return run.end..<end
    }
    let end = max(wanted.upperBound, wanted.lowerBound + Self.least)
    remember(Run(end: end, ahead: Self.least))
    return wanted.lowerBound..<end
  }

  private mutating func remember(_ run: Run) {
    if runs.count == Self.mostRuns { runs.removeFirst() }
    runs.append(run)
  }

  /// - Parameter range: not empty; what will be read at any rate.
  mutating func announce(_ range: Range<Int64>) {
    expect(range)
    announced.append(range)
    Self.limit(&announced)
  }

  /// The next announced range that is fetched before it is read, or the first piece of a long one.
  ///
  /// - Parameter position: where reading is now.
  mutating func next(after position: Int64) -> Range<Int64>? {
    // What was announced further ahead comes before what was left behind.
    let first = announced.min { one, other in
      (one.lowerBound < position ? 1 : 0, one.lowerBound)
        < (other.lowerBound < position ? 1 : 0, other.lowerBound)
    }
    guard let first else { return nil }
    let end = min(first.upperBound, first.lowerBound + max(Self.least, most / 4))
    take(first.lowerBound..<end)
    remember(Run(end: end, ahead: Self.least))
    return first.lowerBound..<end
  }

  /// What is asked for is not to be asked for again.
  private mutating func take(_ range: Range<Int64>) {
    announced = announced.flatMap { other in
      [
        other.clamped(to: .min..<range.lowerBound),
        other.clamped(to: range.upperBound..<(.max)),
      ].filter { !$0.isEmpty }
    }
    Self.limit(&announced)
  }
}
