extension Range where Bound: BinaryInteger {
  /// The first number that meets a condition which all later numbers meet too, by binary search; the range's
  /// end where none meets it.
  @inlinable package func partitionPoint(where holds: (Bound) -> Bool) -> Bound {
    var (low, high) = (lowerBound, upperBound)
    while low < high {
      let middle = low + (high - low) / 2
      if holds(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
