package import ExactTime

/// Maps decoded samples to the file's timeline, counted in samples from the start of the drawing.
package struct AudioPlacement: Sendable {
  /// A range of audible media: all of it, or what one edit plays.
  package struct Stretch: Sendable {
    /// The media tick at `position`, and the one, if any, at which the stretch ends.
    package var mediaStart: Int64
    package var mediaEnd: Int64?
    package var position: Int64
  }

  private let stretches: [Stretch]
  /// How far each stretch is ahead of the first for the same media.
  private var leads: [Int64] = []
  /// Samples per tick, as a fraction.
  private let numerator: Int128
  private let denominator: Int128
  /// The possible error of a stated time: the ticks of some containers are longer than a sample.
  private let tolerance: Int64

  package init(
    grid: TickGrid, sampleRate: Int64, stretches: [Stretch]
  ) throws(ExactTimeError) {
    let samples = try grid.secondsPerTick.multiplied(by: Rational(sampleRate))
    numerator = Int128(samples.numerator)
    denominator = Int128(samples.denominator)
    tolerance = samples > .one ? try samples.rounded(.up) : 0
    self.stretches = stretches
    guard let first = stretches.first else { return }
    // Sums of two positions and two offsets fit in 64 bits.
    guard stretches.allSatisfy({ $0.position.magnitude < 1 << 60 }) else { throw .overflow }
    leads = try stretches.map { (stretch) throws(ExactTimeError) in
      guard let ahead = offset(of: stretch.mediaStart, from: first.mediaStart) else {
        throw .overflow
      }
      return stretch.position - first.position - ahead
    }
  }

  /// A run of samples of one decoded frame, with the position of the first.
  package struct Run {
    package var samples: Range<Int>
    package var position: Int64
  }

  /// The audible parts of a frame, with their positions.
  ///
  /// - Parameters:
  ///   - turn: the requested stretches.
  ///   - start: where it begins in the first stretch, audible or not.
  package func runs(in turn: Range<Int>, from start: Int64, count: Int) -> [Run] {
    zip(stretches[turn], leads[turn]).compactMap { stretch, lead in
      let start = start + lead
      // What is before or after the stretch is hidden.
      let hidden = max(0, min(Int64(count), stretch.position - start))
      var end = Int64(count)
      if let mediaEnd = stretch.mediaEnd, let last = offset(of: mediaEnd, from: stretch.mediaStart)
      {
        end = min(end, stretch.position + last - start)
      }
      guard hidden < end else { return nil }
      return Run(samples: Int(hidden)..<Int(end), position: start + hidden)
    }
  }

  /// Where a frame begins in the first stretch, audible or not.
  ///
  /// - Parameters:
  ///   - tick: the frame's time.
  ///   - expected: where the previous frame ended.
  package func start(tick: Int64, expected: Int64?) -> Int64? {
    guard let stretch = stretches.first, let offset = offset(of: tick, from: stretch.mediaStart)
    else { return nil }
    let start = offset + stretch.position
    guard let expected, (start - expected).magnitude <= tolerance.magnitude else { return start }
    return expected
  }

  /// The stretches up to a position, in runs whose media is in presentation order.
  package func turns(upTo position: Int64) -> [Range<Int>] {
    var turns: [Range<Int>] = []
    for (number, stretch) in stretches.enumerated() where stretch.position < position {
      if let turn = turns.last, let end = stretches[turn.upperBound - 1].mediaEnd,
        end <= stretch.mediaStart
      {
        turns[turns.count - 1] = turn.lowerBound..<number + 1
      } else {
        turns.append(number..<number + 1)
      }
    }
    return turns
  }

  /// The tick at which a stretch begins.
  package func mediaStart(_ number: Int) -> Int64 { stretches[number].mediaStart }

  /// Whether nothing presented before a position can follow a frame.
  ///
  /// - Parameters:
  ///   - turn: the requested stretches.
  ///   - start: where the frame begins in the first stretch.
  package func hasPassed(_ position: Int64, in turn: Range<Int>, from start: Int64) -> Bool {
    zip(stretches[turn], leads[turn]).allSatisfy { stretch, lead in
      if stretch.position >= position || start + lead >= position { return true }
      guard let end = stretch.mediaEnd.flatMap({ offset(of: $0, from: stretch.mediaStart) }) else {
        return false
      }
      return start + lead >= stretch.position + end
    }
  }

  /// The duration of samples, to the nearest tick.
  package func ticks(ofSamples count: Int64) -> Int64 {
    Int64(clamping: (Int128(count) * denominator + numerator / 2) / max(1, numerator))
  }

  private func offset(of tick: Int64, from start: Int64) -> Int64? {
    // Two ticks and a rate below 2^32 fit in 128 bits.
    let scaled = (Int128(tick) - Int128(start)) * numerator
    let half = denominator / 2
    let sum = scaled + half
    let floor = sum >= 0 ? sum / denominator : -((-sum + denominator - 1) / denominator)
    guard let offset = Int64(exactly: floor), offset.magnitude < 1 << 60 else { return nil }
    return offset
  }
}
