import ExactTime

extension FrameTable {
  /// From the packets of one stream of any container.
  ///
  /// - Parameters:
  ///   - beginnings: when each clock of the file begins to be shown, and at which of its own
  ///     instants; a clock without one shows nothing.
  /// - Returns: `nil` when nothing is shown, or the figures leave 64 bits.
  init?(_ scan: StreamScan, beginnings: [ClockBeginning?]) {
    var pts: ContiguousArray<Int64> = []
    var clocks: [Range<Int>] = []
    var keys: [Key] = []
    for epoch in scan.epochs where !epoch.pts.isEmpty {
      for key in epoch.keys {
        keys.append(
          Key(index: pts.count + key.decodeIndex, dts: nil, byteOffset: key.byteOffset))
      }
      clocks.append(pts.count..<pts.count + epoch.pts.count)
      pts += epoch.pts
    }
    let ranges = scan.presentedRanges()
    let grid = scan.grid
    self.init(grid: grid, pts: pts, clocks: clocks, keys: keys) { layout in
      var stretches: [Stretch] = []
      var frames = 0
      for (number, clock) in clocks.enumerated() {
        guard number < ranges.count, number < beginnings.count, let range = ranges[number],
          let beginning = beginnings[number], let start = try? beginning.film(range.start),
          let end = try? beginning.film(range.end), start <= end
        else { continue }
        stretches.append(
          Stretch(
            start: start, end: end, mediaStart: layout.pts(atPlace: clock.lowerBound), rate: .one,
            places: clock, firstFrame: frames))
        frames += clock.count
      }
      return stretches
    }
  }
}

/// Where a stretch of the file's clock lies on the film's timeline.
struct ClockBeginning {
  /// The clock's first presented instant.
  var clock: MediaTime
  /// When that is shown.
  var film: MediaTime

  func film(_ time: MediaTime) throws(ExactTimeError) -> MediaTime {
    try film.advanced(by: time.distance(from: clock))
  }

  /// Those of a file: its clocks are shown one after another, each from the first instant of any
  /// track to the end of the last.
  static func all(
    of scans: [StreamScan], origin: MediaTime
  ) -> [ClockBeginning?] {
    let ranges = scans.map { $0.presentedRanges() }
    let count = ranges.map(\.count).max() ?? 0
    var beginnings: [ClockBeginning?] = []
    var film: MediaTime?
    for number in 0..<count {
      let shown = ranges.compactMap { number < $0.count ? $0[number] : nil }
      guard let first = shown.first else {
        beginnings.append(nil)
        continue
      }
      let union = shown.dropFirst().reduce(first) { $0.union($1) }
      do throws(ExactTimeError) {
        // The first clock is the file's own timeline.
        let start: MediaTime
        if let film { start = film } else { start = try union.start.counted(from: origin) }
        beginnings.append(ClockBeginning(clock: union.start, film: start))
        film = try start.advanced(by: union.checkedLength())
      } catch {
        beginnings.append(nil)
      }
    }
    return beginnings
  }
}

extension MediaTime {
  /// The same instant on a timeline that starts with `origin`.
  func counted(from origin: MediaTime) throws(ExactTimeError) -> MediaTime {
    MediaTime(seconds: try distance(from: origin).seconds)
  }
}
