/// The times of pictures in the order in which they are shown, of which only some are stated.
struct PictureSpacing {
  private let times: [Int64?]
  private let lengths: [Int64]
  /// The numbers of those whose times are stated.
  private let stated: [Int]
  /// How much longer pictures are shown than they say: by half of the distances between stated times.
  private let scale: (whole: Int64, sum: Int64)

  /// Every time, as many as there are pictures.
  private(set) var ticks: [Int64] = []

  /// No distance, and no sum of lengths, is longer: a product of two of them has 64 bits.
  private static let most: Int64 = 1 << 31

  /// - Parameters:
  ///   - lengths: how long the stream says that each is shown; zero where it does not say.
  ///   - usual: how long those are shown then; zero where that is not known.
  /// - Returns: `nil` where no time is stated, or they contradict the order.
  init?(times: [Int64?], lengths: [Int64], usual: Int64) {
    let stated = times.indices.filter { times[$0] != nil }
    guard let head = stated.first, let tail = stated.last, let start = times[head],
      let end = times[tail]
    else { return nil }
    // Where not even the stream has a rate, all are alike.
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
      // Where one is missing between two stated times, the others keep their lengths.
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
