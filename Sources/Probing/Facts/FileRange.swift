package import ExactTime

/// What one track presents: a range for each stretch of the file's clock in which it shows
/// anything.
package struct PresentedTrack {
  package var trackID: Int
  /// In ascending order of their numbers.
  package var stretches: [Stretch]

  package struct Stretch {
    /// Counted from 0 over the whole file.
    package var number: Int
    package var range: MediaTimeRange
  }

  /// A track of a file whose clock is never reset.
  package init(trackID: Int, range: MediaTimeRange) {
    self.init(trackID: trackID, stretches: [Stretch(number: 0, range: range)])
  }

  package init(trackID: Int, stretches: [Stretch]) {
    self.trackID = trackID
    self.stretches = stretches
  }
}

/// The union of what the tracks present, on the file's own timeline.
///
/// ```
/// video    |--0--|     |---1---|
/// audio     |--0---|   |--1--|
/// length   |~~~~~~~| + |~~~~~~~|
/// ```
package struct FileRange {
  package var start: MediaTime
  /// The stretches are shown one after another: gaps between them take no time.
  package var length: MediaDuration
  /// The track whose last sample ends last.
  package var trackID: Int

  /// `nil` when no track presents anything, or the values are outside 64 bits.
  package init?(_ tracks: [PresentedTrack]) {
    var unions: [Int: MediaTimeRange] = [:]
    for track in tracks {
      for stretch in track.stretches {
        unions[stretch.number] =
          unions[stretch.number]?.union(stretch.range) ?? stretch.range
      }
    }
    guard let first = unions.keys.min(), let last = unions.keys.max(),
      let start = unions[first]?.start, let end = unions[last]?.end,
      let decisive = tracks.first(where: {
        $0.stretches.contains { $0.number == last && $0.range.end == end }
      })
    else { return nil }
    var total = MediaDuration.zero
    do {
      for range in unions.values { total = try total.adding(range.checkedLength()) }
    } catch {
      return nil
    }
    self.start = start
    length = total
    trackID = decisive.trackID
  }
}
