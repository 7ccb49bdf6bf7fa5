import ExactTime
import MediaFacts
import Probing

extension FrameTable {
  /// The table of what an ordered edition shows of this one.
  ///
  /// - Parameter origin: the instant of the file's own timeline from which the times of both count.
  /// - Returns: `nil` when nothing is shown, or the values exceed 64 bits.
  func following(_ edition: EditionFacts, origin: MediaTime) -> FrameTable? {
    var followed: [Stretch] = []
    var frames = 0
    for piece in edition.pieces {
      for stretch in stretches where stretch.rate == .one {
        guard var shown = try? part(of: stretch, in: piece, origin: origin) else { continue }
        shown.firstFrame = frames
        frames += shown.places.count
        followed.append(shown)
      }
    }
    return FrameTable(
      grid: grid, pts: pts, stated: stated, countsPackets: countsPackets, clocks: clocks, keys: keys
    ) { _ in followed }
  }

  private func part(
    of stretch: Stretch, in piece: EditionFacts.Piece, origin: MediaTime
  ) throws(ExactTimeError) -> Stretch? {
    let (from, to) = (
      try piece.media.start.counted(from: origin), try piece.media.end.counted(from: origin)
    )
    guard let whole = MediaTimeRange(from: stretch.start, to: stretch.end),
      let media = MediaTimeRange(from: from, to: to)?.intersection(whole), !media.isEmpty
    else { return nil }
    func first(_ time: MediaTime) -> Int {
      stretch.places.partitionPoint { start(ofPlace: $0, in: stretch) >= time }
    }
    var place = first(media.start)
    // The frame on screen there is shown from the seam on.
    let begins =
      place < stretch.places.upperBound && start(ofPlace: place, in: stretch) == media.start
    if !begins, place > stretch.places.lowerBound { place -= 1 }
    let end = first(media.end)
    guard place < end else { return nil }
    var part = stretch
    part.start = try piece.start.counted(from: origin).advanced(
      by: media.start.distance(from: from))
    part.end = try part.start.advanced(by: media.checkedLength())
    let ticks = try media.start.distance(from: stretch.start).adding(stretch.lead).seconds.divided(
      by: grid.secondsPerTick)
    let skipped = try ticks.rounded(.down)
    let (tick, overflow) = stretch.mediaStart.addingReportingOverflow(skipped)
    if overflow { throw .overflow }
    part.mediaStart = tick
    part.lead = MediaDuration(
      seconds: try ticks.subtracting(Rational(skipped)).multiplied(by: grid.secondsPerTick))
    part.places = place..<end
    return part
  }
}
