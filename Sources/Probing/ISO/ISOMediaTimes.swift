import ExactTime
package import ISOMedia

/// When the samples of one track start and end on the media's own timeline, in track ticks; only
/// samples whose bytes are in the file count.
package struct ISOMediaTimes {
  /// PTS of all samples in decode order; pictures only.
  package var pts: ContiguousArray<Int64> = []
  /// The same, ascending.
  package var sortedPTS: ContiguousArray<Int64> = []
  package var first: Int64
  /// Where the last sample to be shown ends.
  package var end: Int64
  package var sampleCount: Int
  /// Where the last sample to be shown begins.
  package var last: Int64
  /// True when the last frame had no duration and was given that of a usual frame.
  package var guessedLastDuration = false
  /// True when it had none, and the track's header does not count any for it either.
  package var lastTakesNoTime = false
  package var hasNegativeDTS = false
  /// Positions in the table of the samples inside the file; `nil` when all are.
  package var present: ContiguousArray<Int>?

  /// - Parameters:
  ///   - external: the sample entries whose samples are in another file.
  ///   - stated: the media duration from a header, in the table's ticks, and how far rounding may
  ///     have changed it.
  ///   - mayGoBack: whether a sample may be decoded before samples stored earlier: fragments state
  ///     their own time (ISO 14496-12, 8.8.12).
  /// - Returns: `nil` when no sample is inside the file.
  package init?(
    _ table: ISOSampleTable, isVideo: Bool, isComplete: Bool, byteCount: Int64,
    external: Set<UInt32> = [], stated: (ticks: Int64, tolerance: Int64)? = nil,
    mayGoBack: Bool = false
  ) {
    if !isComplete || !external.isEmpty {
      present = Self.indicesInside(table, byteCount: byteCount, external: external)
    }
    sampleCount = present?.count ?? table.count
    guard sampleCount > 0 else { return nil }
    let firstIndex = present?.first ?? 0
    let lastIndex = present?.last ?? table.count - 1
    first = table.presentationTime(firstIndex)
    last = table.presentationTime(lastIndex)
    end = table.presentationEnd(lastIndex)
    hasNegativeDTS = table.decodeTime(firstIndex) < 0
    if isVideo || table.compositionOffsets.common == nil {
      readFrames(table, stated: stated)
    } else if mayGoBack {
      readSound(table)
    }
  }

  private mutating func readSound(_ table: ISOSampleTable) {
    for place in 0..<sampleCount {
      let index = present?[place] ?? place
      let start = table.presentationTime(index)
      first = min(first, start)
      last = max(last, start)
      end = max(end, table.presentationEnd(index))
    }
  }

  private static func indicesInside(
    _ table: ISOSampleTable, byteCount: Int64, external: Set<UInt32>
  ) -> ContiguousArray<Int> {
    var indices: ContiguousArray<Int> = []
    for index in 0..<table.count {
      guard let offset = table.offset(index), offset >= 0, offset <= byteCount,
        Int64(table.byteCount(index)) <= byteCount - offset
      else { continue }
      if !external.isEmpty, index < table.descriptions.count,
        external.contains(table.description(index))
      {
        continue
      }
      indices.append(index)
    }
    return indices
  }

  private mutating func readFrames(
    _ table: ISOSampleTable, stated: (ticks: Int64, tolerance: Int64)?
  ) {
    pts.reserveCapacity(sampleCount)
    if let present {
      for index in present { pts.append(table.presentationTime(index)) }
    } else {
      for index in 0..<table.count { pts.append(table.presentationTime(index)) }
    }
    var isAscending = true
    var last = 0
    for index in 1..<max(1, pts.count) {
      if pts[index] < pts[index - 1] { isAscending = false }
      if pts[index] >= pts[last] { last = index }
    }
    sortedPTS = isAscending ? pts : pts.inPresentationOrder
    first = sortedPTS[0]
    let duration = table.duration(present?[last] ?? last)
    self.last = pts[last]
    // The last sample in decode order may end later: where the frame shown last is decoded before
    // it, only that sample can state that the frame is held.
    end = max(end, pts[last] &+ duration)
    if duration == 0, sortedPTS.count > 1 { endWithoutDuration(table, stated) }
  }

  /// Ends a last frame without a stated duration: a header that counts none for it either is
  /// trusted; else it is given the usual frame duration of the track.
  private mutating func endWithoutDuration(
    _ table: ISOSampleTable, _ stated: (ticks: Int64, tolerance: Int64)?
  ) {
    if let stated, present == nil, table.count > 0 {
      let sum = table.decodeTime(table.count - 1) &- table.decodeTime(0)
      if (stated.ticks &- sum).magnitude <= stated.tolerance.magnitude {
        lastTakesNoTime = true
        return
      }
    }
    end = last &+ (sortedPTS.usualDistance ?? 0)
    guessedLastDuration = true
  }
}
