package import ExactTime

/// A track's media mapped to the file's timeline by its edit list (ISO 14496-12, 8.6.6).
///
/// ```
/// edits    | empty 1 s |  media from 1024, 4 s  |
/// file     0           1                        5
/// media                1024 …
/// ```
package struct EditedTimeline {
  /// A range of media that is shown.
  package struct Segment {
    /// Where it starts on the file's timeline.
    package var start: MediaTime
    /// The media tick shown there.
    package var mediaStart: Int64
    /// The media tick, not always whole, at which it ends; `nil` for the end of the media.
    package var mediaEnd: Rational?
    /// Its duration on the file's timeline; `nil` for as long as there is media.
    package var length: MediaDuration?
    /// Media seconds per second of the file's timeline; zero for a dwell on one frame.
    package var rate: Rational
  }

  package let grid: TickGrid
  package private(set) var segments: [Segment] = []
  /// True when an edit could not be mapped because its numbers exceed 64 bits.
  package private(set) var isOverflowing = false
  /// The tick at which the last sample ends; nothing is on screen after it.
  private let mediaEnd: Int64

  package struct Edit {
    /// The duration in movie ticks; zero in the last edit means to the end of the media.
    package var length: UInt64
    /// The start in media ticks; `nil` for an empty edit.
    package var mediaStart: Int64?
    package var rate: Rational

    package init(length: UInt64, mediaStart: Int64? = nil, rate: Rational) {
      self.length = length
      self.mediaStart = mediaStart
      self.rate = rate
    }
  }

  /// - Parameters:
  ///   - movie: the movie's time base; `nil` when the file states none, and edits cannot be read.
  ///   - mediaEnd: the tick at which the track's last sample ends.
  ///   - isFragmented: the edit durations of a fragmented file were written before its fragments
  ///     were known, so they do not limit its end.
  package init(
    edits: [Edit], grid: TickGrid, movie: TickGrid?, mediaEnd: Int64, isFragmented: Bool
  ) {
    self.grid = grid
    self.mediaEnd = mediaEnd
    guard let movie, !edits.isEmpty else {
      segments = [Segment(start: .zero, mediaStart: 0, mediaEnd: nil, length: nil, rate: .one)]
      return
    }
    var cursor = MediaTime.zero
    for (place, edit) in edits.enumerated() {
      do {
        guard let ticks = Int64(exactly: edit.length) else { throw ExactTimeError.overflow }
        let length = try movie.duration(ofTicks: ticks)
        // The next edit begins where this one ends (ISO 14496-12, 8.6.6): only the last can
        // continue to the end of the media, and an earlier one with zero duration shows nothing.
        let isLast = place + 1 == edits.count
        if let mediaStart = edit.mediaStart, isLast || ticks > 0 {
          segments.append(
            try Self.segment(
              at: cursor, from: mediaStart, length: length, rate: edit.rate, grid: grid,
              movie: movie, mediaEnd: mediaEnd, isOpen: isLast && (isFragmented || ticks == 0)))
        }
        cursor = try cursor.advanced(by: length)
      } catch {
        isOverflowing = true
        return
      }
    }
  }

  private static func segment(
    at start: MediaTime, from mediaStart: Int64, length: MediaDuration, rate: Rational,
    grid: TickGrid, movie: TickGrid, mediaEnd: Int64, isOpen: Bool
  ) throws(ExactTimeError) -> Segment {
    let open = Segment(
      start: start, mediaStart: mediaStart, mediaEnd: nil, length: nil, rate: rate)
    if isOpen { return open }
    let mediaLength = try length.seconds.multiplied(by: rate).divided(by: grid.secondsPerTick)
    let end = try Rational(mediaStart).adding(mediaLength)
    // The edit duration was rounded to movie ticks when written: an end less than one tick before
    // the end of the media is taken as the end of the media.
    let roundingError = try movie.secondsPerTick.divided(by: grid.secondsPerTick)
    let missing = try Rational(mediaEnd).subtracting(end)
    if rate == .one, !missing.isNegative, missing < roundingError { return open }
    return Segment(
      start: start, mediaStart: mediaStart, mediaEnd: end, length: length, rate: rate)
  }

  /// The file time at which a media tick is first shown; `nil` when an edit hides it or the value
  /// exceeds 64 bits.
  package func time(of tick: Int64) -> MediaTime? {
    for segment in segments where tick >= segment.mediaStart {
      if segment.rate.isZero {
        if tick == segment.mediaStart { return segment.start }
        continue
      }
      if let end = segment.mediaEnd, Rational(tick) >= end { continue }
      return time(of: Rational(tick), in: segment)
    }
    return nil
  }

  /// Where a media tick would be if its segment were extended: for keyframes before the visible
  /// part.
  package func extendedTime(of tick: Int64) -> MediaTime? {
    time(of: tick) ?? segments.first.flatMap { time(of: Rational(tick), in: $0) }
  }

  package func time(of tick: Rational, in segment: Segment) -> MediaTime? {
    guard !segment.rate.isZero else { return segment.start }
    do {
      let offset = try tick.subtracting(Rational(segment.mediaStart))
        .multiplied(by: grid.secondsPerTick).divided(by: segment.rate)
      return try segment.start.advanced(by: MediaDuration(seconds: offset))
    } catch {
      return nil
    }
  }

  /// The range shown of media that covers `[first, end)` ticks, from the first instant to the last.
  package func presentedRange(first: Int64, end: Int64) -> MediaTimeRange? {
    var result: MediaTimeRange?
    for segment in segments {
      guard let range = presentedRange(of: segment, first: first, end: end), !range.isEmpty else {
        continue
      }
      result = result?.union(range) ?? range
    }
    return result
  }

  private func presentedRange(of segment: Segment, first: Int64, end: Int64) -> MediaTimeRange? {
    if segment.rate.isZero {
      guard let length = segment.length, segment.mediaStart < end else { return nil }
      return try? MediaTimeRange(from: segment.start, length: length)
    }
    let visibleStart = max(segment.mediaStart, first)
    let visibleEnd = min(segment.mediaEnd ?? Rational(end), Rational(end))
    guard Rational(visibleStart) < visibleEnd,
      let from = time(of: Rational(visibleStart), in: segment),
      let to = time(of: visibleEnd, in: segment)
    else { return nil }
    return MediaTimeRange(from: from, to: to)
  }

  /// How many of the frames, given by ascending PTS, are shown: each edit shows the frames that
  /// start inside it, and the one on screen when it starts.
  package func frameCount(sortedPTS: borrowing ContiguousArray<Int64>) -> Int {
    var count = 0
    for segment in segments { count += frames(of: segment, sortedPTS: sortedPTS).count }
    return count
  }

  /// The indices in `sortedPTS` of the frames that an edit shows.
  package func frames(
    of segment: Segment, sortedPTS: borrowing ContiguousArray<Int64>
  ) -> Range<Int> {
    guard segment.mediaStart < mediaEnd else { return sortedPTS.count..<sortedPTS.count }
    let reached = sortedPTS.countBelow(segment.mediaStart)
    let startsOnFrame = reached < sortedPTS.count && sortedPTS[reached] == segment.mediaStart
    let from = startsOnFrame || reached == 0 ? reached : reached - 1
    if segment.rate.isZero {
      // A dwell holds one frame.
      let isHeld = from < sortedPTS.count && sortedPTS[from] <= segment.mediaStart
      return from..<(isHeld ? from + 1 : from)
    }
    guard let end = segment.mediaEnd else { return from..<sortedPTS.count }
    // PTS are whole, so those before the end are those below its ceiling.
    guard let ceiling = try? end.rounded(.up) else { return from..<sortedPTS.count }
    return from..<max(from, sortedPTS.countBelow(ceiling))
  }

  /// The number, from 0, of the frame with this PTS among the shown frames; `nil` where no edit
  /// shows it.
  package func frameNumber(of tick: Int64, sortedPTS: borrowing ContiguousArray<Int64>) -> Int? {
    guard let place = sortedPTS.place(of: tick) else { return nil }
    var before = 0
    for segment in segments {
      let shown = frames(of: segment, sortedPTS: sortedPTS)
      if shown.contains(place) { return before + place - shown.lowerBound }
      before += shown.count
    }
    return nil
  }
}

/// A track's edit list with the range of media that its sample table covers, in track ticks.
package struct TrackTimeline {
  package var edits: EditedTimeline
  package var mediaStart: Int64
  /// Where the last sample to be shown begins, and where it ends.
  package var mediaLast: Int64
  package var mediaEnd: Int64
  /// The number of samples in the file.
  package var sampleCount: Int
  /// Whether samples last longer than FFmpeg's maximum duration of 2^31 - 1 ticks: it gives each of
  /// them one tick instead, so its packets do not show when they are presented.
  package var hasHugeDurations = false
  /// The largest PTS shift by FFmpeg's fragment reader, which offsets all frames by the most
  /// negative composition offset.
  package var mostShift: Int64 = 0
  /// The times given to samples whose stated PTS is far from those around them, by sample.
  package var strays: [Int: Int64] = [:]
}
