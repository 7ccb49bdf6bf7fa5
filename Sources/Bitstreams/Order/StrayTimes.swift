/// Pictures whose PTS is far from those of all pictures decoded around them: a damaged or wrapped
/// timestamp, as no decoder holds a picture back for that long (ITU-T H.264, A.3.1; ITU-T H.265,
/// A.4.2: at most 16 others).
///
/// Each is given the time that the pictures around it leave free.
package struct StrayTimes {
  package struct Stray: Hashable, Sendable {
    /// The index of the picture, or packet of sound, in decode order.
    package var index: Int
    package var stated: Int64
    /// When it is shown.
    package var pts: Int64

    package init(index: Int, stated: Int64, pts: Int64) {
      (self.index, self.stated, self.pts) = (index, stated, pts)
    }
  }

  /// In decode order.
  package private(set) var strays: [Stray] = []

  /// How many pictures before and after one are compared with it.
  private static let reach = 17

  /// - Parameters:
  ///   - pts: the PTS of all pictures in decode order, on one clock.
  ///   - least: the least distance that is examined, in ticks.
  package init(_ pts: ContiguousArray<Int64>, least: Int64) {
    let steps = pts.indices.dropFirst().filter { Self.isFarther(pts[$0], pts[$0 - 1], than: least) }
    guard !steps.isEmpty, pts.count > 3 else { return }
    let usual = Self.usualDistance(pts)
    let (longest, overflow) = usual.multipliedReportingOverflow(by: 16)
    let most = max(least, overflow ? .max : longest)
    var found: [Int] = []
    var next = 0
    for step in steps {
      for index in max(next, step - Self.reach)..<max(next, min(pts.count, step + Self.reach))
      where Self.isStray(index, pts, most) {
        found.append(index)
      }
      next = max(next, min(pts.count, step + Self.reach))
    }
    // Where many are far away, none of the others shows what is right.
    guard !found.isEmpty, found.count <= pts.count / 4 else { return }
    place(found, pts, usual: usual)
  }

  private static func isFarther(_ a: Int64, _ b: Int64, than distance: Int64) -> Bool {
    let (difference, overflow) = a.subtractingReportingOverflow(b)
    return overflow || difference.magnitude > distance.magnitude
  }

  /// The median distance between pictures in presentation order.
  private static func usualDistance(_ pts: ContiguousArray<Int64>) -> Int64 {
    let sorted = pts.inOrder
    let steps = zip(sorted.dropFirst(), sorted).map { $0.0 &- $0.1 }.filter { $0 > 0 }.sorted()
    return steps.isEmpty ? 0 : steps[steps.count / 2]
  }

  /// A pause or a new clock changes all times that follow; only a stray differs from both those
  /// decoded before it and those after it, in the same direction.
  private static func isStray(_ index: Int, _ pts: ContiguousArray<Int64>, _ most: Int64) -> Bool {
    let before = pts[max(0, index - reach)..<index].sorted()
    let after = pts[index + 1..<min(pts.count, index + 1 + reach)].sorted()
    let time = pts[index]
    if !after.isEmpty {
      let middle = after[after.count / 2]
      if time > middle, isFarther(time, middle, than: most),
        before.isEmpty
          || time > before[before.count / 2]
            && isFarther(time, before[before.count / 2], than: most)
      {
        return true
      }
    }
    guard !before.isEmpty else { return false }
    let middle = before[before.count / 2]
    return time < middle && isFarther(time, middle, than: most)
      && (after.isEmpty
        || time < after[after.count / 2] && isFarther(time, after[after.count / 2], than: most))
  }

  /// Gives times to strays, one group of neighbors after the other.
  private mutating func place(_ found: [Int], _ pts: ContiguousArray<Int64>, usual: Int64) {
    let all = Set(found)
    var start = 0
    while start < found.count {
      var end = start + 1
      while end < found.count, found[end] - found[end - 1] <= Self.reach { end += 1 }
      place(Array(found[start..<end]), pts, usual: usual, without: all)
      start = end
    }
    strays.sort { $0.index < $1.index }
  }

  private mutating func place(
    _ group: [Int], _ pts: ContiguousArray<Int64>, usual: Int64, without strays: Set<Int>
  ) {
    guard let first = group.first, let last = group.last else { return }
    let window = max(0, first - 2 * Self.reach)..<min(pts.count, last + 2 * Self.reach)
    let sound = window.filter { !strays.contains($0) }
    let times = sound.map { pts[$0] }.sorted()
    guard let earliest = times.first, let latest = times.last else { return }
    let step = max(1, usual)
    // A group of pictures that begins outside of the window may fill what is free inside it.
    let wide = max(0, first - 4 * Self.reach)..<min(pts.count, last + 4 * Self.reach)
    let taken = wide.filter { !strays.contains($0) }.map { pts[$0] }
    var free: [Int64] = []
    for (time, next) in zip(times, times.dropFirst()) {
      let missing = (next &- time &+ step / 2) / step - 1
      // A longer pause is not only the place of a few strays.
      guard missing > 0, missing <= Int64(2 * Self.reach) else { continue }
      for number in 1...missing { free.append(time &+ (next &- time) * number / (missing + 1)) }
    }
    free.removeAll { slot in taken.contains { ($0 &- slot).magnitude < (step / 2).magnitude } }
    if free.count < group.count, window.upperBound == pts.count {
      for number in 1...group.count { free.append(latest &+ step &* Int64(number)) }
    }
    if free.count < group.count, window.lowerBound == 0 {
      for number in 1...group.count { free.append(earliest &- step &* Int64(number)) }
    }
    // The median place of the others in relation to their position.
    let places = sound.map { pts[$0] &- step &* Int64($0) }.sorted()
    let origin = places[places.count / 2]
    let order = group.sorted { (pts[$0], $0) < (pts[$1], $1) }
    var used: Set<Int64> = []
    for (number, index) in order.enumerated() {
      let expected = origin &+ step &* Int64(index)
      var time =
        free.count == group.count
        ? free[number]
        : free.filter { !used.contains($0) }.min {
          ($0 &- expected).magnitude < ($1 &- expected).magnitude
        } ?? expected
      while used.contains(time) || taken.contains(time) { time &+= 1 }
      used.insert(time)
      self.strays.append(Stray(index: index, stated: pts[index], pts: time))
    }
  }
}

extension ContiguousArray<Int64> {
  fileprivate var inOrder: ContiguousArray<Int64> {
    var times = self
    times.sort()
    return times
  }
}
