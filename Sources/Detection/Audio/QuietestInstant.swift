/// Finds the quietest instant of a short piece of audio: the middle of the window of 10 ms whose mean square,
/// of the loudest channel, is least.
public struct QuietestInstant: Sendable {
  private let window: Int
  /// For each channel, the squares added up before each sample.
  private var sums: [[UInt64]]
  /// How many samples were added.
  public private(set) var count = 0

  /// The largest piece, in samples: with it, sums of squares fit into 64 bits.
  public static let mostSamples = 1 << 24

  /// - Parameter sampleRate: in Hz, at least 1.
  public init(sampleRate: Int, channels: Int) {
    window = (max(1, sampleRate) + 99) / 100
    sums = Array(repeating: [0], count: max(1, channels))
  }

  /// Adds the next samples of all channels, which have the same count; full scale is −1 to 1.
  public mutating func add(_ samples: [[Float]]) {
    let added = min(samples.map(\.count).min() ?? 0, Self.mostSamples - count)
    for channel in sums.indices {
      var sum = sums[channel][count]
      for place in 0..<added {
        if channel < samples.count { sum += Self.square(samples[channel][place]) }
        sums[channel].append(sum)
      }
    }
    count += added
  }

  /// Adds silence.
  public mutating func addSilence(_ count: Int) {
    add(sums.map { _ in Array(repeating: 0, count: max(0, count)) })
  }

  /// At most 2^40, in units of the smallest sample of 21 bits.
  private static func square(_ sample: Float) -> UInt64 {
    guard !sample.isNaN else { return 0 }
    let whole = Int64((max(-1, min(1, sample)) * 1_048_576).rounded())
    return UInt64(whole * whole)
  }

  /// The quietest instant, as the number of samples before it; of several, the one nearest to a place.
  ///
  /// - Parameter places: those to choose from; never empty.
  public func instant(in places: ClosedRange<Int>, near place: Int) -> Int {
    func loudness(_ place: Int) -> UInt64 {
      let from = min(max(0, place - window / 2), count)
      let to = min(max(from, place - window / 2 + window), count)
      return sums.map { $0[to] - $0[from] }.max() ?? 0
    }
    var best = (place: places.lowerBound, loudness: loudness(places.lowerBound))
    for other in places.dropFirst() {
      let its = loudness(other)
      if its < best.loudness
        || its == best.loudness && abs(other - place) < abs(best.place - place)
      {
        best = (other, its)
      }
    }
    return best.place
  }
}
