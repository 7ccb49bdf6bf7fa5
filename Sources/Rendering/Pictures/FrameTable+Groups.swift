import ExactTime

extension FrameTable {
  /// The position of the picture that is decoded at an index.
  func place(ofIndex index: Int) -> Int {
    var place = place(ofTick: pts[index], near: index)
    // Several may have the same time.
    while place > 0, order[place] != index, pts(atPlace: place - 1) == pts[index] { place -= 1 }
    return place
  }

  /// The position among the keys of the picture that is decoded at an index.
  func key(atIndex index: Int) -> Int? {
    var (low, high) = (0, keys.count)
    while low < high {
      let middle = low + (high - low) / 2
      if keys[middle].index < index { low = middle + 1 } else { high = middle }
    }
    return low < keys.count && keys[low].index == index ? low : nil
  }

  /// Whether everything decoded before a random access point is shown before it, and the rest after
  /// it.
  ///
  /// Pictures are reordered only between one random access point and the next.
  func isClosed(atKey key: Int) -> Bool {
    let index = keys[key].index
    guard let clock = clocks.first(where: { $0.contains(index) }) else { return false }
    let before = max(clock.lowerBound, key > 0 ? keys[key - 1].index : 0)
    let behind = min(clock.upperBound, key + 1 < keys.count ? keys[key + 1].index : pts.count)
    return (before..<index).allSatisfy { pts[$0] < pts[index] }
      && (index + 1..<max(index + 1, behind)).allSatisfy { pts[$0] > pts[index] }
  }

  /// How much later one picture is shown than another.
  func length(from first: Int, to second: Int) -> MediaDuration {
    (try? grid.duration(ofTicks: max(0, pts[second] &- pts[first]))) ?? MediaDuration(Int64.max)
  }
}
