/// Finds which of many overlapping ranges comes first for each index.
///
/// Every index is assigned once and skipped from then on, so the cost is the number of ranges plus
/// the number of indices, not their product.
///
/// ```
/// ranges   0: ··██··   1: ████··   2: ···███
/// first    1 1 0 0 2 2
/// ```
package struct FirstCover {
  /// The number of the first range that covers each index; `nil` for an uncovered index.
  package private(set) var first: [Int?]
  /// The next index without a range, at or after each; shortened as it is followed.
  private var next: [Int]

  /// - Parameter ranges: in order of priority; they end at `count` at most.
  package init(count: Int, ranges: some Sequence<Range<Int>>) {
    first = Array(repeating: nil, count: count)
    next = Array(0...count)
    for (number, range) in ranges.enumerated() {
      var place = free(from: range.lowerBound)
      while place < min(range.upperBound, count) {
        first[place] = number
        next[place] = place + 1
        place = free(from: place)
      }
    }
  }

  private mutating func free(from start: Int) -> Int {
    var place = min(max(0, start), next.count - 1)
    while next[place] != place {
      next[place] = next[next[place]]
      place = next[place]
    }
    return place
  }
}
