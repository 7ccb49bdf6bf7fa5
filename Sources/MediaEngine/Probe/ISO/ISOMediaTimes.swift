import ExactTime
import ISOMedia

/// When the samples of one track start and end on the media's own timeline, in track ticks; only
/// samples whose bytes are in the file count.
struct ISOMediaTimes {
  /// PTS of all samples in decode order; pictures only.
  var pts: ContiguousArray<Int64> = []
  /// The same, ascending.
  var sortedPTS: ContiguousArray<Int64> = []
  var first: Int64
  /// Where the last sample to be shown ends.
  var end: Int64
  var sampleCount: Int
  /// True when the last sample had no duration and got the one before.
  var guessedLastDuration = false
  var hasNegativeDTS = false
  /// Positions in the table of the samples that count, where some do not; `nil` when all do.
  var present: ContiguousArray<Int>?

  /// `nil` when no sample lies inside the file.
  init?(
    _ table: ISOSampleTable, isVideo: Bool, isComplete: Bool, byteCount: Int64
  ) {
    if !isComplete {
      present = Self.indicesInside(table, byteCount: byteCount)
    }
    sampleCount = present?.count ?? table.count
    guard sampleCount > 0 else { return nil }
    let firstIndex = present?.first ?? 0
    let lastIndex = present?.last ?? table.count - 1
    first = table.presentationTime(firstIndex)
    end = table.presentationEnd(lastIndex)
    hasNegativeDTS = table.decodeTimes[firstIndex] < 0
    if isVideo || table.compositionOffsets.common == nil {
      readFrames(table)
    }
  }

  private static func indicesInside(
    _ table: ISOSampleTable, byteCount: Int64
  ) -> ContiguousArray<Int> {
    var indices: ContiguousArray<Int> = []
    for index in 0..<table.count {
      guard let offset = table.offset(index), offset >= 0, offset <= byteCount,
        Int64(table.sizes[index]) <= byteCount - offset
      else { continue }
      indices.append(index)
    }
    return indices
  }

  private mutating func readFrames(_ table: ISOSampleTable) {
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
    sortedPTS = pts
    if !isAscending { sortedPTS.sort() }
    first = sortedPTS[0]
    let duration = Int64(table.durations[present?[last] ?? last])
    end = pts[last] &+ duration
    if duration == 0, sortedPTS.count > 1 {
      end = pts[last] &+ (sortedPTS[sortedPTS.count - 1] - sortedPTS[sortedPTS.count - 2])
      guessedLastDuration = true
    }
  }
}
