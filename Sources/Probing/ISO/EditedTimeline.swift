package import ExactTime

/// A track's media laid on the file's timeline by its edit list (ISO 14496-12, 8.6.6).
///
/// ```
/// edits    | empty 1 s |  media from 1024, 4 s  |
/// file     0           1                        5
/// media                1024 …
/// ```
package struct EditedTimeline {
  /// A stretch of media that is shown.
  package struct Segment {
    /// Where it starts on the file's timeline.
    package var start: MediaTime
    /// The media tick shown there.
    package var mediaStart: Int64
    /// The media tick, not always whole, at which it ends; `nil` for the end of the media.
    package var mediaEnd: Rational?
    /// How long it lasts on the file's timeline; `nil` for as long as there is media.
    package var length: MediaDuration?
    /// Media seconds a video second; zero for a dwell on one frame.
    package var rate: Rational
  }

  package let grid: TickGrid
  package private(set) var segments: [Segment] = []
  /// True when an edit could not be laid out because its numbers leave 64 bits.
  package private(set) var isOverflowing = false
  /// The tick at which the last sample ends: nothing is on screen from there on.
  private let mediaEnd: Int64

  package struct Edit {
    /// In ticks of the file's timeline; zero of the last edit means to the end of the media.
    package var length: UInt64
    /// In ticks of the media; `nil` for an empty edit.
    package var mediaStart: Int64?
    package var rate: Rational

    package init(length: UInt64, mediaStart: Int64? = nil, rate: Rational) {
      self.length = length
      self.mediaStart = mediaStart
      self.rate = rate
    }
  }

  /// - Parameters:
  ///   - film: the movie's grid; `nil` when the file states none, and edits cannot be read.
  ///   - mediaEnd: the tick at which the track's last sample ends.
  ///   - isFragmented: the edit lengths of a fragmented file were written before its fragments
  ///     were known, so its end is not held to them.
  package init(
    edits: [Edit], grid: TickGrid, film: TickGrid?, mediaEnd: Int64, isFragmented: Bool
  ) {
    self.grid = grid
    self.mediaEnd = mediaEnd
    guard let film, !edits.isEmpty else {
      segments = [Segment(start: .zero, mediaStart: 0, mediaEnd: nil, length: nil, rate: .one)]
      return
    }
    var cursor = MediaTime.zero
    for (place, edit) in edits.enumerated() {
      do {
        guard let ticks = Int64(exactly: edit.length) else { throw ExactTimeError.overflow }
        let length = try film.duration(ofTicks: ticks)
        // The next edit begins where this one ends (ISO 14496-12, 8.6.6): only the last can go on to
        // the end of the media, and one before it that lasts for no time shows nothing.
        let isLast = place + 1 == edits.count
        if let mediaStart = edit.mediaStart, isLast || ticks > 0 {
          segments.append(
            try Self.segment(
              at: cursor, from: mediaStart, length: length, rate: edit.rate, grid: grid,
              film: film, mediaEnd: mediaEnd, isOpen: isLast && (isFragmented || ticks == 0)))
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
    grid: TickGrid, film: TickGrid, mediaEnd: Int64, isOpen: Bool
  ) throws(ExactTimeError) -> Segment {
    let open = Segment(
      start: start, mediaStart: mediaStart, mediaEnd: nil, length: nil, rate: rate)
    if isOpen { return open }
    let mediaLength = try length.seconds.multiplied(by: rate).divided(by: grid.secondsPerTick)
    let end = try Rational(mediaStart).adding(mediaLength)
    // The length was rounded to the file's ticks when it was written: an end that lies less than one
    // of them before the media's own end is that end.
    let roundingError = try film.secondsPerTick.divided(by: grid.secondsPerTick)
    let missing = try Rational(mediaEnd).subtracting(end)
    if rate == .one, !missing.isNegative, missing < roundingError { return open }
    return Segment(
      start: start, mediaStart: mediaStart, mediaEnd: end, length: length, rate: rate)
  }

  /// The file time at which a media tick is first shown; `nil` when an edit hides it or the number
  /// leaves 64 bits.
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

  /// Where a media tick would lie if its segment went on: for keyframes before the visible part.
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

  /// What is shown of media that covers `[first, end)` ticks, from the first instant to the last.
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

  /// How many of the frames, given by their ascending PTS, are shown: each edit shows those that
  /// start inside it, and the one that is on screen when it starts.
  package func frameCount(sortedPTS: borrowing ContiguousArray<Int64>) -> Int {
    var count = 0
    for segment in segments { count += frames(of: segment, sortedPTS: sortedPTS).count }
    return count
  }

  /// The places in `sortedPTS` of the frames that an edit shows.
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

  /// The number, from 0, of the frame with this PTS among those that are shown; `nil` for one that
  /// no edit shows.
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

/// A track's edit list with the stretch of media that its sample table covers, in track ticks.
package struct TrackTimeline {
  package var edits: EditedTimeline
  package var mediaStart: Int64
  /// Where the last sample to be shown begins, and where it ends.
  package var mediaLast: Int64
  package var mediaEnd: Int64
  /// How many samples the file holds.
  package var sampleCount: Int
  /// Whether samples last longer than the 2^31 - 1 ticks that FFmpeg takes for a duration: it gives
  /// each of them one tick instead, so its packets tell nothing of when they are shown.
  package var hasHugeDurations = false
  /// How much later than by its decoding time a frame may be shown to FFmpeg's readers of fragments:
  /// they add the greatest negative composition offset to all of them.
  package var mostShift: Int64 = 0
}
