import ExactTime

/// What one track presents: a range for each stretch of the file's clock.
struct PresentedTrack {
  var trackID: Int
  var ranges: [MediaTimeRange?]
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
    // A jump that only some tracks make is a pause in those: the other tracks' clock goes on.
    let counts = Set(tracks.filter { $0.ranges.contains { $0 != nil } }.map(\.ranges.count))
    let stretches = counts.max() ?? 0
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
