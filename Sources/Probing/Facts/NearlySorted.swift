extension ContiguousArray {
  /// Sorts what is almost in order: each of its elements a few places away from where it belongs, as
  /// presentation times are in decode order.
  ///
  /// Moves those elements alone, and needs no second array for it. Of what is in no order it notices
  /// early that this would take too long, and sorts as usual. Equal elements stay in their order.
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
  /// The presentation times of a track's frames in the order in which they are shown.
  package var inPresentationOrder: ContiguousArray<Int64> {
    var times = self
    times.sortNearlySorted(by: <)
    return times
  }
}
