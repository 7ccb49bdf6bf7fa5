import ExactTime
import MediaFiles

/// The times of the pictures of a GOP, for MP4.
struct GroupTimes {
  /// Ticks per second: a multiple of the file's, so that its times stay exact, and fine enough
  /// for hidden pictures.
  let ticksPerSecond: Int64
  /// The range on screen, without a gap before it.
  let range: MediaTimeRange
  private(set) var packets: [MP4Segment.Packet] = []

  /// - Parameter end: until when the very last picture is shown.
  /// - Returns: `nil` where none of them is shown.
  init?(
    _ group: CodedGroup, in table: FrameTable, until end: MediaTime
  ) throws(MediaError) {
    let stretch = group.stretch
    let places = group.samples.map { table.place(ofIndex: $0.index) }
    let shown = places.filter(stretch.places.contains)
    guard let first = shown.min(), let last = shown.max() else { return nil }
    ticksPerSecond = Self.ticksPerSecond(table.grid, stretch)
    var (start, stop) = (table.start(ofPlace: first, in: stretch), stretch.end)
    if first == stretch.places.lowerBound {
      // No gap before the first picture, because a player stalls at gaps.
      start = stretch.firstFrame == 0 ? .zero : table.frame(stretch.firstFrame - 1).end
    }
    if last + 1 < stretch.places.upperBound {
      stop = table.start(ofPlace: last + 1, in: stretch)
    } else if stretch.firstFrame + stretch.places.count == table.frameCount {
      stop = max(stop, end)
    }
    guard let range = MediaTimeRange(from: start, to: stop) else { return nil }
    self.range = range
    let ticks = try ticks(of: places, in: stretch, table)
    try time(group, ticks)
  }

  /// A common denominator, multiplied so that a tick is at most a microsecond.
  private static func ticksPerSecond(_ grid: TickGrid, _ stretch: FrameTable.Stretch) -> Int64 {
    let (first, second) = (
      grid.secondsPerTick.denominator, stretch.start.seconds.denominator
    )
    var (a, b) = (first, second)
    while b != 0 { (a, b) = (b, a % b) }
    let (common, isTooLarge) = (first / a).multipliedReportingOverflow(by: second)
    guard !isTooLarge, common < 1 << 30 else { return fine }
    return common * max(1, (fine + common - 1) / common)
  }

  private static let fine: Int64 = 1_000_000
  /// The rate of pictures that are decoded but not shown: too fast for any screen, slow enough
  /// for browsers' rounding.
  private static let hiddenPerSecond: Int64 = 250_000

  /// The ticks of pictures; those hidden by an edit are shown for an instant before or after the
  /// rest, because a browser decodes only what it shows.
  private func ticks(
    of places: [Int], in stretch: FrameTable.Stretch, _ table: FrameTable
  ) throws(MediaError) -> [Int64] {
    let step = max(1, ticksPerSecond / Self.hiddenPerSecond)
    let (start, end) = (try tick(range.start), try tick(range.end))
    let hidden = places.filter { $0 < stretch.places.lowerBound }.sorted()
    let left = places.filter { $0 >= stretch.places.upperBound }.sorted()
    let begin = start + Int64(hidden.count) * step
    let first = places.filter(stretch.places.contains).min() ?? stretch.places.lowerBound
    var result: [Int64] = []
    for place in places {
      if let rank = hidden.firstIndex(of: place) {
        result.append(start + Int64(rank) * step)
      } else if let rank = left.firstIndex(of: place) {
        result.append(end - Int64(left.count - rank) * step)
      } else if place == stretch.places.lowerBound {
        result.append(begin)
      } else {
        let shown = try tick(table.start(ofPlace: place, in: stretch))
        result.append(max(begin + Int64(place - first), shown))
      }
    }
    return result
  }

  private func tick(_ time: MediaTime) throws(MediaError) -> Int64 {
    do throws(ExactTimeError) {
      return try TickGrid(ticksPerSecond: ticksPerSecond).tick(of: time, rounding: .nearest)
    } catch {
      throw PreviewSegment.beyondNumbers
    }
  }

  /// Sets DTS to the sorted presentation times, delayed so that none is later than its picture's
  /// PTS.
  private mutating func time(_ group: CodedGroup, _ ticks: [Int64]) throws(MediaError) {
    let lead = try PreviewSegment.lead(at: ticksPerSecond)
    let shown = ticks.sorted()
    let delay = zip(shown, ticks).map { $0 - $1 }.max() ?? 0
    let end = try tick(range.end)
    for (place, sample) in group.samples.enumerated() {
      let next = place + 1 < shown.count ? shown[place + 1] : end
      packets.append(
        MP4Segment.Packet(
          bytes: sample.bytes, pts: ticks[place] + lead, dts: shown[place] - delay + lead,
          duration: max(1, next - shown[place]), isKey: place == 0))
    }
  }
}
