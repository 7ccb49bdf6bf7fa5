/// Which of many overlapping ranges comes first for each place in a row.
///
/// Every place is given away once and jumped over from then on, so the cost is that of the ranges
/// and the places, and not their product.
///
/// ```
/// ranges   0: ··██··   1: ████··   2: ···███
/// first    1 1 0 0 2 2
/// ```
package struct FirstCover {
  /// The number of the first range over each place; `nil` for a place under none.
  package private(set) var first: [Int?]
  /// The next place without a range, at or behind each; shortened as it is followed.
  private var next: [Int]

  /// - Parameter ranges: in the order that decides; they end at `count`.
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
