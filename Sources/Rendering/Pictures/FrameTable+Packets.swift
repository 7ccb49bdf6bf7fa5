import ExactTime
package import Probing

extension FrameTable {
  /// Creates a table from the packets of one stream of any container.
  ///
  /// - Parameters:
  ///   - stretches: the stretch of the file's clock that each epoch of the stream belongs to.
  ///   - beginnings: where each stretch begins on the timeline; one without shows nothing.
  /// - Returns: `nil` when nothing is shown, or the values exceed 64 bits.
  package init?(_ scan: StreamScan, stretches numbers: [Int], beginnings: [Int: ClockBeginning]) {
    var pts: ContiguousArray<Int64> = []
    var stated: ContiguousArray<Int64> = []
    var clocks: [Range<Int>] = []
    var keys: [Key] = []
    for epoch in scan.epochs {
      for key in epoch.keys {
        keys.append(
          Key(index: pts.count + key.decodeIndex, dts: nil, byteOffset: key.byteOffset))
      }
      clocks.append(pts.count..<pts.count + epoch.pts.count)
      pts += epoch.pts
      stated += epoch.stated ?? epoch.pts
    }
    let ranges = scan.presentedRanges()
    let only = scan.epochs.count == 1 ? scan.epochs.first : nil
    let counted = only?.numbers.flatMap { $0.count == pts.count ? $0 : nil }
    self.init(
      grid: scan.grid, pts: pts, stated: counted ?? stated, countsPackets: counted != nil,
      clocks: clocks, keys: keys
    ) { layout in
      var stretches: [Stretch] = []
      var frames = 0
      for ((clock, range), (number, epoch)) in zip(zip(clocks, ranges), zip(numbers, scan.epochs)) {
        // Pictures before the first keyframe are decoded with the others, but are not shown.
        let shown = clock.dropFirst(epoch.hiddenCount)
        guard !shown.isEmpty, let range, let beginning = beginnings[number],
          let start = try? beginning.onTimeline(range.start),
          let end = try? beginning.onTimeline(range.end),
          start <= end, stretches.last.map({ $0.start <= start }) ?? true
        else { continue }
        stretches.append(
          Stretch(
            start: start, end: end, mediaStart: layout.pts(atPlace: shown.lowerBound), rate: .one,
            places: shown, firstFrame: frames))
        frames += shown.count
      }
      return stretches
    }
  }
}
