import ExactTime

/// What one track presents: a range for each stretch of the file's clock.
struct PresentedTrack {
  var trackID: Int
  var ranges: [MediaTimeRange?]
}

extension PresentedTrack {
  /// The same, where a clock that only ever jumps ahead goes on: a jump that other tracks do not make
  /// is a pause in this one.
  fileprivate var withoutPauses: PresentedTrack {
    let known = ranges.compactMap { $0 }
    let onlyAhead = zip(known, known.dropFirst()).allSatisfy { $0.end <= $1.start }
    guard onlyAhead, let first = known.first else { return self }
    let whole = known.dropFirst().reduce(first) { $0.union($1) }
    return PresentedTrack(trackID: trackID, ranges: [whole])
  }
}

/// The union of what the tracks present, on the file's own timeline.
struct FileRange {
  var start: MediaTime
  var length: MediaDuration
  /// The track whose last sample ends last.
  var trackID: Int
  /// How often the file's clock was set anew: the stretches are shown one after another.
  var jumps: Int

  /// `nil` when no track presents anything, or the figures leave 64 bits.
  init?(_ tracks: [PresentedTrack]) {
    let shown = tracks.filter { $0.ranges.contains { $0 != nil } }
    let isJoint = Set(shown.map(\.ranges.count)).count <= 1
    let tracks = isJoint ? shown : shown.map(\.withoutPauses)
    let stretches = tracks.map(\.ranges.count).max() ?? 0
    guard stretches > 0 else { return nil }
    var total = MediaDuration.zero
    var first: MediaTime?
    var decisive: (end: MediaTime, track: Int)?
    do {
      for stretch in 0..<stretches {
        var union: MediaTimeRange?
        for track in tracks where stretch < track.ranges.count {
          guard let range = track.ranges[stretch] else { continue }
          union = union?.union(range) ?? range
          if stretch == stretches - 1, decisive.map({ range.end > $0.end }) ?? true {
            decisive = (range.end, track.trackID)
          }
        }
        guard let union else { continue }
        if first == nil { first = union.start }
        total = try total.adding(union.checkedLength())
      }
    } catch {
      return nil
    }
    guard let first else { return nil }
    start = first
    length = total
    trackID = decisive?.track ?? tracks[0].trackID
    jumps = stretches - 1
  }
}
