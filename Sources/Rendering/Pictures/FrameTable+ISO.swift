import Bitstreams
package import ExactTime
import ISOMedia
package import Probing

extension FrameTable {
  /// Creates a table from the sample table and the edit list of an MP4 or QuickTime track.
  ///
  /// - Parameters:
  ///   - origin: the instant of the file's timeline from which times are counted.
  ///   - empty: the PTS of samples without a picture: the previous one stays on screen.
  ///   - firstShown: the tick of the first frame that can be shown; `nil` where that is the very
  ///     first.
  /// - Returns: `nil` when nothing is shown, or the values exceed 64 bits.
  package init?(
    _ probe: ISOTrackProbe, origin: MediaTime, without empty: Set<Int64> = [],
    firstShown: Int64? = nil
  ) {
    guard let times = probe.times, let timeline = probe.timeline, !timeline.isOverflowing,
      !times.pts.isEmpty
    else { return nil }
    let table = probe.table
    func sample(_ index: Int) -> Int { times.present?[index] ?? index }
    let indices: [Int]
    if times.present == nil, let entries = table.entryIndices {
      indices = entries.filter { $0 < times.sampleCount }
    } else {
      indices = (0..<times.sampleCount).filter { table.isEntry(sample($0)) }
    }
    var keys = indices.map {
      Key(
        index: $0, dts: table.decodeTime(sample($0)),
        byteOffset: probe.hasPlaces ? table.offset(sample($0)) : nil)
    }
    var pts = times.pts
    var stated: ContiguousArray<Int64>?
    if table.isOrderedByPictures {
      stated = ContiguousArray(pts.indices.map { table.decodeTime(sample($0)) })
    }
    if !probe.strays.isEmpty {
      let times = Dictionary(uniqueKeysWithValues: probe.strays.map { ($0.index, $0.stated) })
      stated = ContiguousArray(pts.indices.map { times[sample($0)] ?? pts[$0] })
    }
    if !empty.isEmpty {
      let filled = times.pts.indices.filter { !empty.contains(times.pts[$0]) }
      let places = Dictionary(uniqueKeysWithValues: zip(filled, filled.indices))
      keys = keys.compactMap { key in
        places[key.index].map { Key(index: $0, dts: key.dts, byteOffset: key.byteOffset) }
      }
      pts = ContiguousArray(filled.map { times.pts[$0] })
      stated = stated.map { stated in ContiguousArray(filled.map { stated[$0] }) }
    }
    let (end, count) = (times.end, pts.count)
    self.init(
      grid: probe.grid, pts: pts, stated: stated, clocks: [0..<count], keys: keys
    ) { layout in
      Self.stretches(
        timeline, mediaEnd: end, count: count, layout, origin: origin,
        firstShown: firstShown ?? .min)
    }
  }

  private static func stretches(
    _ timeline: EditedTimeline, mediaEnd: Int64, count: Int, _ layout: borrowing Layout,
    origin: MediaTime, firstShown: Int64
  ) -> [Stretch] {
    var stretches: [Stretch] = []
    let lost = layout.firstPlace(in: 0..<count) { $0 >= firstShown }
    var frames = 0
    for segment in timeline.segments {
      var from = layout.firstPlace(in: 0..<count) { $0 >= segment.mediaStart }
      // The previous picture stays on screen until the first one that starts inside the edit.
      let startsOnPicture = from < count && layout.pts(atPlace: from) == segment.mediaStart
      if !startsOnPicture, from > 0 { from -= 1 }
      from = max(from, lost)
      if segment.rate.isZero, from < count, layout.pts(atPlace: from) > segment.mediaStart {
        continue
      }
      let end = segment.mediaEnd ?? Rational(mediaEnd)
      let to =
        segment.rate.isZero
        ? from + 1 : layout.firstPlace(in: 0..<count) { Rational($0) >= end }
      guard from < min(to, count) else { continue }
      let mediaStart = max(segment.mediaStart, layout.pts(atPlace: from))
      let fileEnd =
        segment.rate.isZero
        ? segment.length.flatMap { try? segment.start.advanced(by: $0) }
        : timeline.time(of: end, in: segment)
      guard let start = timeline.time(of: Rational(mediaStart), in: segment),
        let shownFrom = try? start.counted(from: origin),
        let shownTo = try? fileEnd?.counted(from: origin), shownFrom <= shownTo
      else { continue }
      stretches.append(
        Stretch(
          start: shownFrom, end: shownTo, mediaStart: mediaStart, rate: segment.rate,
          places: from..<min(to, count), firstFrame: frames))
      frames += min(to, count) - from
    }
    return stretches
  }
}
