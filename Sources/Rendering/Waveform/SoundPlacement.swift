package import ExactTime

/// Maps decoded samples to the file's timeline, counted in samples from the start of the drawing.
package struct SoundPlacement: Sendable {
  /// A range of audible media: all of it, or what one edit plays.
  package struct Stretch: Sendable {
    /// The media tick at `position`, and the one, if any, at which the stretch ends.
    package var mediaStart: Int64
    package var mediaEnd: Int64?
    package var position: Int64
  }

  private let stretches: [Stretch]
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
  }

  /// A run of samples of one decoded frame, with the position of the first.
  package struct Run {
    package var samples: Range<Int>
    package var position: Int64
  }

  /// The audible parts of a frame, with their positions.
  ///
  /// - Parameters:
  ///   - tick: the frame's time.
  ///   - expected: where the previous frame ended, in the first stretch.
  package func runs(tick: Int64, count: Int, expected: Int64?) -> [Run] {
    stretches.compactMap { stretch in
      guard var start = offset(of: tick, from: stretch.mediaStart) else { return nil }
      start += stretch.position
      if stretches.count == 1, let expected, (start - expected).magnitude <= tolerance.magnitude {
        start = expected
      }
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

  /// Where a frame begins, heard or not; `nil` where several stretches are heard.
  ///
  /// - Parameter expected: where the previous frame ended.
  package func start(tick: Int64, expected: Int64?) -> Int64? {
    guard stretches.count == 1, let stretch = stretches.first,
      let offset = offset(of: tick, from: stretch.mediaStart)
    else { return nil }
    let start = offset + stretch.position
    guard let expected, (start - expected).magnitude <= tolerance.magnitude else { return start }
    return expected
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
