import ExactTime

extension FrameTable {
  /// From the packets of one stream of any container.
  ///
  /// - Parameters:
  ///   - stretches: the stretch of the file's clock that each epoch of the stream belongs to.
  ///   - beginnings: where each of them lies; one without shows nothing.
  /// - Returns: `nil` when nothing is shown, or the figures leave 64 bits.
  init?(_ scan: StreamScan, stretches numbers: [Int], beginnings: [Int: ClockBeginning]) {
    var pts: ContiguousArray<Int64> = []
    var clocks: [Range<Int>] = []
    var keys: [Key] = []
    for epoch in scan.epochs {
      for key in epoch.keys {
        keys.append(
          Key(index: pts.count + key.decodeIndex, dts: nil, byteOffset: key.byteOffset))
      }
      clocks.append(pts.count..<pts.count + epoch.pts.count)
      pts += epoch.pts
    }
    let ranges = scan.presentedRanges()
    self.init(grid: scan.grid, pts: pts, clocks: clocks, keys: keys) { layout in
      var stretches: [Stretch] = []
      var frames = 0
      for ((clock, range), number) in zip(zip(clocks, ranges), numbers) where !clock.isEmpty {
        guard let range, let beginning = beginnings[number],
          let start = try? beginning.film(range.start), let end = try? beginning.film(range.end),
          start <= end, stretches.last.map({ $0.start <= start }) ?? true
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

  /// Those of a file by their number: they are shown one after another, each from the first instant
  /// of any track to the end of the last.
  static func all(
    of tracks: [PresentedTrack], origin: MediaTime
  ) throws(ExactTimeError) -> [Int: ClockBeginning] {
    var unions: [Int: MediaTimeRange] = [:]
    for stretch in tracks.flatMap(\.stretches) {
      unions[stretch.number] = unions[stretch.number]?.union(stretch.range) ?? stretch.range
    }
    var beginnings: [Int: ClockBeginning] = [:]
    var film: MediaTime?
    for (number, union) in unions.sorted(by: { $0.key < $1.key }) {
      // The first clock is the file's own timeline.
      let start: MediaTime
      if let film { start = film } else { start = try union.start.counted(from: origin) }
      beginnings[number] = ClockBeginning(clock: union.start, film: start)
      film = try start.advanced(by: union.checkedLength())
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
