extension Range where Bound: BinaryInteger {
  /// The first number for which something holds that holds for all behind it, found by halves; the range's end
  /// where it holds for none.
  @inlinable package func partitionPoint(where holds: (Bound) -> Bool) -> Bound {
    var (low, high) = (lowerBound, upperBound)
    while low < high {
      let middle = low + (high - low) / 2
      if holds(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
