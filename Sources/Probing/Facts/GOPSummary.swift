package import ExactTime
package import MediaFacts

/// Builds the keyframe list and GOP statistics of a video track from its samples in decode order.
package struct GOPSummary {
  package var keyframes: [KeyframeFacts] = []
  package var gops: GOPFacts?

  /// One keyframe as found in decode order.
  package struct Entry {
    /// Position among all samples in decode order.
    package var decodeIndex: Int
    /// Presentation tick.
    package var pts: Int64
    package var byteOffset: Int64?
    package var access: RandomAccessKind
  }

  /// Creates an empty summary.
  package init() {}

  /// - Parameters:
  ///   - entries: the keyframes in decode order.
  ///   - pts: presentation ticks of all samples in decode order.
  ///   - grid: the time base of the ticks.
  ///   - end: the tick at which the last frame ends.
  ///   - lists: whether keyframes are listed in addition to being counted.
  ///   - place: maps a tick to its time on the file's timeline, `nil` where it cannot be expressed,
  ///     and to the number of the frame presented there, `nil` for a hidden one.
  package init(
    entries: [Entry], pts: borrowing ContiguousArray<Int64>, grid: TickGrid, end: Int64?,
    lists: Bool,
    place: (Int64) -> (time: MediaTime?, frame: Int?)
  ) {
    guard !entries.isEmpty else { return }
    let total = pts.count
    var lengths: [Int] = []
    var longest: Int64 = 0
    var closed = 0
    var open = 0
    if lists { keyframes.reserveCapacity(entries.count) }
    for (position, entry) in entries.enumerated() {
      let next = position + 1 < entries.count ? entries[position + 1] : nil
      let lastIndex = next?.decodeIndex ?? total
      let leading = Self.leadingCount(
        after: entry.decodeIndex, before: lastIndex, keyPTS: entry.pts, pts: pts)
      if leading == 0 { closed += 1 } else { open += 1 }
      lengths.append(lastIndex - entry.decodeIndex)
      if let nextPTS = next?.pts ?? end {
        let (distance, overflow) = nextPTS.subtractingReportingOverflow(entry.pts)
        if !overflow { longest = max(longest, distance) }
      }
      guard lists else { continue }
      let (time, frame) = place(entry.pts)
      guard let time else { continue }
      keyframes.append(
        KeyframeFacts(
          frame: frame, time: time, access: entry.access,
          leadingFrames: leading, byteOffset: entry.byteOffset))
    }
    keyframes.sort { $0.time < $1.time }
    gops = GOPFacts(
      count: lengths.count, closedCount: closed, openCount: open,
      shortestFrames: lengths.min() ?? 0, longestFrames: lengths.max() ?? 0,
      longestLength: try? grid.duration(ofTicks: longest))
  }

  /// Adds the GOPs of a later stretch.
  package mutating func append(_ later: GOPSummary) {
    keyframes += later.keyframes
    guard let mine = gops, let other = later.gops else {
      gops = gops ?? later.gops
      return
    }
    gops = GOPFacts(
      count: mine.count + other.count, closedCount: mine.closedCount + other.closedCount,
      openCount: mine.openCount + other.openCount,
      shortestFrames: min(mine.shortestFrames, other.shortestFrames),
      longestFrames: max(mine.longestFrames, other.longestFrames),
      longestLength: [mine.longestLength, other.longestLength].compactMap { $0 }.max())
  }

  private static func leadingCount(
    after index: Int, before end: Int, keyPTS: Int64, pts: borrowing ContiguousArray<Int64>
  ) -> Int {
    // B-frames after an early anchor may follow trailing pictures, so the whole GOP is examined.
    var count = 0
    for position in (index + 1)..<max(index + 1, end) where pts[position] < keyPTS { count += 1 }
    return count
  }
}

extension ContiguousArray<Int64> {
  /// How many elements of this ascending array are less than a value.
  package func countBelow(_ value: Int64) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < value { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The index of a value in this ascending array.
  package func place(of value: Int64) -> Int? {
    let index = countBelow(value)
    return index < count && self[index] == value ? index : nil
  }
}
