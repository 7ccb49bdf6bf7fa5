/// Measures how loud audio is: the RMS level that one window of 10 ms in twenty reaches, of the loudest channel.
///
/// Windows below −70 dBFS are not counted, as in ITU-R BS.1770-5 (annex 1, absolute gate), so that pauses do not
/// make a file less loud.
public struct LoudnessMeter: Sendable {
  /// Windows of at most this level are not counted.
  public static let gate = -700
  /// One window in so many is louder.
  public static let share = 20

  private let window: Int
  /// The energy of a window at each tenth of a decibel, from -120 dBFS.
  private let limits: [UInt64]
  /// How many windows have each level.
  private var counts: [Int]
  /// The energy of each channel in the window, and how many samples it has.
  private var sums: [UInt64] = []
  private var filled = 0

  /// - Parameter sampleRate: in Hz, at least 1.
  public init(sampleRate: Int) {
    window = (max(1, sampleRate) + 99) / 100
    let full = Double(SilenceDetector.fullScale)
    let most = full * full * Double(window)
    limits = (-1200...0).map { tenths in
      AudioLevel(tenths: tenths).flatMap { UInt64(exactly: ($0.power * most).rounded(.up)) } ?? .max
    }
    counts = Array(repeating: 0, count: limits.count)
  }

  /// Adds the next samples of all channels, which have the same count; full scale is −1 to 1.
  public mutating func add(_ samples: [[Float]]) {
    let count = samples.map(\.count).min() ?? 0
    while sums.count < samples.count { sums.append(0) }
    var start = 0
    while start < count {
      let end = min(count, start + window - filled)
      for channel in samples.indices {
        for place in start..<end {
          sums[channel] += SilenceDetector.square(samples[channel][place])
        }
      }
      filled += end - start
      start = end
      if filled == window { close() }
    }
  }

  private mutating func close() {
    let energy = sums.max() ?? 0
    // The first limit above it.
    var (low, high) = (0, limits.count)
    while low < high {
      let middle = (low + high) / 2
      if limits[middle] <= energy { low = middle + 1 } else { high = middle }
    }
    if low > 0 { counts[low - 1] += 1 }
    sums = sums.map { _ in 0 }
    filled = 0
  }

  /// The loudness of everything that was added; `nil` if no window is above the gate.
  public var loudness: AudioLevel? {
    let first = Self.gate + 1200
    let all = counts[first...].reduce(0, +)
    guard all > 0 else { return nil }
    var louder = 0
    for place in counts.indices.reversed() {
      louder += counts[place]
      if louder * Self.share >= all { return AudioLevel(tenths: place - 1200) }
    }
    return nil
  }
}
