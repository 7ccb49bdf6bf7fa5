/// How loud a run of samples is; full scale is −1 to 1.
package struct SampleLevels: Sendable, Hashable {
  package var low: Float
  package var high: Float
  /// The sum of the squares.
  package var squares: Double

  package init(low: Float = .infinity, high: Float = -.infinity, squares: Double = 0) {
    self.low = low
    self.high = high
    self.squares = squares
  }

  package mutating func add(_ other: SampleLevels) {
    low = min(low, other.low)
    high = max(high, other.high)
    squares += other.squares
  }
}

extension SampleLevels {
  /// Adds samples, eight at a time as far as possible.
  @unsafe mutating func add(_ samples: UnsafePointer<Float>, count: Int) {
    let raw = unsafe UnsafeRawPointer(samples)
    var position = 0
    if count >= 8 {
      // Two vectors of four: for eight the compiler needs more than one instruction for the
      // minimum.
      typealias Four = SIMD4<Float>
      var lows = (Four(repeating: .infinity), Four(repeating: .infinity))
      var highs = (Four(repeating: -.infinity), Four(repeating: -.infinity))
      var squares = (Four.zero, Four.zero)
      while position &+ 8 <= count {
        let place = position &* 4
        let four = unsafe (
          raw.loadUnaligned(fromByteOffset: place, as: Four.self),
          raw.loadUnaligned(fromByteOffset: place &+ 16, as: Four.self)
        )
        lows.0.replace(with: four.0, where: four.0 .< lows.0)
        lows.1.replace(with: four.1, where: four.1 .< lows.1)
        highs.0.replace(with: four.0, where: four.0 .> highs.0)
        highs.1.replace(with: four.1, where: four.1 .> highs.1)
        squares.0 += four.0 * four.0
        squares.1 += four.1 * four.1
        position &+= 8
      }
      low = min(low, lows.0.min(), lows.1.min())
      high = max(high, highs.0.max(), highs.1.max())
      self.squares += Double((squares.0 + squares.1).sum())
    }
    while position < count {
      let sample = unsafe samples[position]
      if sample < low { low = sample }
      if sample > high { high = sample }
      squares += Double(sample * sample)
      position &+= 1
    }
  }
}
