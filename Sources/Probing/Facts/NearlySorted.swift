extension ContiguousArray {
  /// Sorts a nearly sorted array, each element a few places away from where it belongs, as with
  /// presentation times in decode order.
  ///
  /// Moves only those elements, in place. For an unsorted array it detects early that this would
  /// take too long, and sorts normally. Equal elements stay in their order.
  @inlinable package mutating func sortNearlySorted(
    by isAscending: (Element, Element) -> Bool
  ) {
    var moves = 8 * count
    for index in indices.dropFirst() where isAscending(self[index], self[index - 1]) {
      let element = self[index]
      var place = index
      repeat {
        self[place] = self[place - 1]
        place -= 1
        moves -= 1
      } while place > 0 && isAscending(element, self[place - 1]) && moves > 0
      self[place] = element
      if moves <= 0 { return sort(by: isAscending) }
    }
  }
}

extension ContiguousArray<Int64> {
  /// The presentation times of a track's frames in presentation order.
  package var inPresentationOrder: ContiguousArray<Int64> {
    var times = self
    times.sortNearlySorted(by: <)
    return times
  }
}
