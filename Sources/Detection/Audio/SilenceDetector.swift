public import ExactTime

/// Finds where all channels are quiet, to the sample.
///
/// A sample is quiet if it lies in a window of ``window`` consecutive samples in which the RMS of no
/// channel reaches the level. Silence is a run of quiet samples that is long enough.
public struct SilenceDetector: Sendable {
  /// The length of a window: 10 ms, in samples, rounded up.
  public let window: Int
  private let limit: UInt64
  private let shortest: Int64
  private var channels: [Channel] = []
  /// How many samples were added.
  public private(set) var count: Int64 = 0
  private var run: Run?
  /// Windows begin here at the earliest.
  private var first: Int64 = 0
  /// The sum of the loudest channel's window at each sample that is being added.
  private var sums: [UInt64] = []
  /// The silences found so far, in samples.
  private var found: [Run] = []

  private struct Run: Sendable {
    var range: Range<Int64>
    /// Of the windows' loudest channels, added up.
    var energy: Double
    var windows: Double
  }

  /// The squares of the last window of a channel, and their sum.
  private struct Channel: Sendable {
    var squares: [UInt64]
    var next = 0
    var sum: UInt64 = 0

    init(window: Int) { squares = Array(repeating: 0, count: window) }

    mutating func add(_ added: [UInt64], loudest: inout [UInt64]) {
      for place in added.indices {
        sum = sum &+ added[place] &- squares[next]
        squares[next] = added[place]
        next += 1
        if next == squares.count { next = 0 }
        if sum > loudest[place] { loudest[place] = sum }
      }
    }
  }

  /// The largest sample as an integer: so fine that 24 bits are exact.
  static let fullScale: Float = 8_388_608
  /// Floating-point samples may exceed full scale by this much; windows still add up in 64 bits.
  private static let most: Float = 4 * fullScale

  /// - Parameters:
  ///   - sampleRate: in Hz, at least 1.
  ///   - shortest: shorter silences are not reported.
  public init(sampleRate: Int, level: AudioLevel, shortest: MediaDuration) throws(ExactTimeError) {
    let rate = Int64(max(1, sampleRate))
    window = Int((rate + 99) / 100)
    let grid = TickGrid(ticksPerSecond: rate)
    self.shortest = max(1, try grid.ticks(of: shortest, rounding: .up))
    let full = Double(Self.fullScale)
    limit = UInt64(exactly: (level.power * full * full * Double(window)).rounded(.up)) ?? .max
  }

  /// Adds the next samples of all channels, which have the same count; full scale is −1 to 1.
  public mutating func add(_ samples: [[Float]]) {
    let count = samples.map(\.count).min() ?? 0
    while channels.count < samples.count { channels.append(Channel(window: window)) }
    begin(count)
    for number in channels.indices {
      // A stream that continues with fewer channels leaves the others silent.
      let squares =
        number < samples.count
        ? samples[number].prefix(count).map(Self.square) : Array(repeating: 0, count: count)
      channels[number].add(squares, loudest: &sums)
    }
    end(count)
  }

  /// Adds the silence of samples that a file does not have.
  public mutating func addSilence(_ count: Int64) {
    var left = min(count, Int64(window))
    let rest = count - left
    while left > 0 {
      let next = Int(min(left, 65_536))
      begin(next)
      let squares = Array(repeating: UInt64(0), count: next)
      for number in channels.indices { channels[number].add(squares, loudest: &sums) }
      end(next)
      left -= Int64(next)
    }
    // All windows are empty now, and so is each of the rest.
    guard rest > 0, let last = run else { return }
    self.count += rest
    run = Run(
      range: last.range.lowerBound..<self.count, energy: last.energy,
      windows: last.windows + Double(rest))
  }

  /// Adds samples that could not be decoded: they are not quiet, and no window contains one.
  public mutating func skip(_ count: Int64) {
    close()
    self.count += max(0, count)
    first = self.count
    channels = channels.map { _ in Channel(window: window) }
  }

  static func square(_ sample: Float) -> UInt64 {
    // NaN counts as silence.
    guard !sample.isNaN else { return 0 }
    let whole = Int64((max(-1, min(1, sample / 4)) * most).rounded())
    return UInt64(whole * whole)
  }

  private mutating func begin(_ count: Int) { sums = Array(repeating: 0, count: count) }

  private mutating func end(_ count: Int) {
    for place in 0..<count where sums[place] < limit {
      addQuietWindow(endingAt: self.count + Int64(place) + 1, sums[place])
    }
    self.count += Int64(count)
  }

  private mutating func addQuietWindow(endingAt end: Int64, _ sum: UInt64) {
    let start = end - Int64(window)
    guard start >= first else { return }
    if let last = run, start <= last.range.upperBound {
      run = Run(
        range: last.range.lowerBound..<end, energy: last.energy + Double(sum),
        windows: last.windows + 1)
    } else {
      close()
      run = Run(range: start..<end, energy: Double(sum), windows: 1)
    }
  }

  private mutating func close() {
    if let run, run.range.count >= shortest { found.append(run) }
    run = nil
  }

  /// The silences in samples from the first one added; nothing can be added afterwards.
  ///
  /// - Returns: each with the mean square of its windows' loudest channels, of full scale; zero for digital silence.
  public mutating func finish() -> [(range: Range<Int64>, power: Double)] {
    close()
    return found.map { run in
      let full = Double(Self.fullScale)
      return (run.range, run.energy / run.windows / Double(window) / full / full)
    }
  }
}
