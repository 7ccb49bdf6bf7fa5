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
  /// Adds samples: eight at a time, as far as they go.
  @unsafe mutating func add(_ samples: UnsafePointer<Float>, count: Int) {
    let raw = unsafe UnsafeRawPointer(samples)
    var position = 0
    if count >= 8 {
      var lows = unsafe raw.loadUnaligned(as: SIMD8<Float>.self)
      var highs = lows
      var squares = SIMD8<Float>.zero
      while position + 8 <= count {
        let eight = unsafe raw.loadUnaligned(
          fromByteOffset: position &* 4, as: SIMD8<Float>.self)
        lows.replace(with: eight, where: eight .< lows)
        highs.replace(with: eight, where: eight .> highs)
        squares += eight * eight
        position &+= 8
      }
      low = min(low, lows.min())
      high = max(high, highs.max())
      self.squares += Double(squares.sum())
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
