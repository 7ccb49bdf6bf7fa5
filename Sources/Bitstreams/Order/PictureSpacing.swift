/// Computes the times of pictures in presentation order, where only some times are stated.
struct PictureSpacing {
  private let times: [Int64?]
  private let lengths: [Int64]
  /// The indices of pictures with stated times.
  private let stated: [Int]
  /// The ratio of actual to stated picture durations: the median over the intervals between stated times.
  private let scale: (whole: Int64, sum: Int64)

  /// The time of every picture.
  private(set) var ticks: [Int64] = []

  /// Intervals and sums of lengths are below this, so that a product of two fits 64 bits.
  private static let most: Int64 = 1 << 31

  /// - Parameters:
  ///   - lengths: the stated duration of each picture; zero where not stated.
  ///   - usual: the duration of pictures without a stated one; zero where unknown.
  /// - Returns: `nil` where no time is stated, or the times contradict the order.
  init?(times: [Int64?], lengths: [Int64], usual: Int64) {
    let stated = times.indices.filter { times[$0] != nil }
    guard let head = stated.first, let tail = stated.last, let start = times[head],
      let end = times[tail]
    else { return nil }
    // Where the stream has no frame rate either, all durations are equal.
    let usual = usual > 0 || head == tail ? usual : (end &- start) / Int64(tail - head)
    self.times = times
    self.stated = stated
    self.lengths = lengths.map { $0 > 0 ? $0 : max(1, usual) }
    var distances: [(whole: Int64, sum: Int64)] = []
    for (from, to) in zip(stated, stated.dropFirst()) {
      guard let first = times[from], let second = times[to], first < second else { return nil }
      let sum = self.lengths[from..<to].reduce(0) { min(Self.most, $0 &+ min($1, Self.most)) }
      let (whole, overflow) = second.subtractingReportingOverflow(first)
      guard !overflow, whole < Self.most, sum < Self.most else { return nil }
      distances.append((whole, sum))
    }
    distances.sort { $0.whole * $1.sum < $1.whole * $0.sum }
    scale = distances.isEmpty ? (1, 1) : distances[(distances.count - 1) / 2]
    fill(from: start, head, tail)
  }

  private mutating func fill(from start: Int64, _ head: Int, _ tail: Int) {
    ticks = [Int64](repeating: start, count: times.count)
    for place in (0..<head).reversed() {
      ticks[place] = ticks[place + 1] &- scaled(lengths[place])
    }
    for (from, to) in zip(stated, stated.dropFirst()) {
      guard let first = times[from], let second = times[to] else { continue }
      let sum = lengths[from..<to].reduce(0, &+)
      // Where a picture is missing between two stated times, the others keep their lengths.
      let isLonger = (second &- first) &* scale.sum > scale.whole &* sum
      var before: Int64 = 0
      for place in from..<to {
        ticks[place] =
          first &+ (isLonger ? scaled(before) : before &* (second &- first) / max(1, sum))
        before &+= lengths[place]
      }
    }
    ticks[tail] = times[tail] ?? start
    for place in tail + 1..<max(tail + 1, times.count) {
      ticks[place] = ticks[place - 1] &+ scaled(lengths[place - 1])
    }
  }

  private func scaled(_ length: Int64) -> Int64 {
    length.multipliedReportingOverflow(by: scale.whole).overflow
      ? length : length * scale.whole / scale.sum
  }
}
