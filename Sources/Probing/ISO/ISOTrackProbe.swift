package import Bitstreams
package import ExactTime
package import ISOMedia
import MediaFacts

/// The timing of one audio or video track, from its sample table and edit list.
package struct ISOTrackProbe {
  package let track: ISOTrack
  package let isVideo: Bool
  package let grid: TickGrid
  package private(set) var table: ISOSampleTable
  /// The file marks all samples as keyframes, but some are not.
  package private(set) var hasFalseMarks = false
  /// How many samples are keyframes in that case, and of how many; `nil` where only some were read.
  package private(set) var entryCount: (entries: Int, samples: Int)?
  /// Whether the table gives the byte offsets of its samples.
  package let hasPlaces: Bool
  /// Samples whose stated PTS is far from those around them, and the times they were given.
  package private(set) var strays: [StrayTimes.Stray] = []
  /// How long its pictures would last with the stated times; `nil` without strays.
  package private(set) var statedLength: MediaDuration?
  /// The media times; `nil` when none of its samples is inside the file.
  package private(set) var times: ISOMediaTimes?
  package private(set) var timeline: EditedTimeline?
  /// The range that a player shows, on the file's timeline.
  package private(set) var presented: MediaTimeRange?

  /// - Parameter file: read where the table omits presentation times.
  package init(
    _ track: ISOTrack, in movie: ISOMovie, grid: TickGrid, file: some RandomAccessBytes
  ) throws(ISOError) {
    self.track = track
    self.grid = grid
    isVideo = track.isVideo
    let isComplete = track.placement.isComplete
    // Uncompressed audio has a sample per tick: millions, whose offsets are not needed.
    let isUncompressed =
      !isVideo && isComplete && track.externalEntries.isEmpty && track.timing.constantDuration == 1
    hasPlaces = !isUncompressed
    table = try track.samples(hasPlaces ? .timesAndPlaces : .times)
    if isVideo, hasPlaces, !track.isExternal,
      let order = ISOSampleOrder(ISOSampleReader(file: file, track: track, table: table))
    {
      table.show(order.shown, in: order.samples)
    }
    settleStrays()
    times =
      track.isExternal
      ? nil
      : ISOMediaTimes(
        table, isVideo: isVideo, isComplete: isComplete, byteCount: movie.byteCount,
        external: track.externalEntries, stated: Self.statedLength(of: track, in: movie),
        mayGoBack: movie.isFragmented)
    guard let times else { return }
    let edits = track.edits.map {
      EditedTimeline.Edit(
        length: $0.segmentDuration, mediaStart: $0.isEmpty ? nil : $0.mediaTime, rate: $0.rate)
    }
    let layout = EditedTimeline(
      edits: edits, grid: grid, movie: movie.timescale.map { TickGrid(ticksPerSecond: $0) },
      mediaEnd: times.end, isFragmented: movie.isFragmented)
    timeline = layout
    presented = layout.presentedRange(first: times.first, end: times.end)
  }

  /// Replaces the times of pictures that are stated to be shown far from those around them.
  private mutating func settleStrays() {
    guard isVideo, !track.isExternal, track.unread == nil,
      let least = try? grid.ticks(of: StrayNote.leastJump, rounding: .up),
      let lowest = track.timing.leastCompositionOffset,
      let highest = track.timing.greatestCompositionOffset,
      Int64(highest) - Int64(lowest) > least
    else { return }
    let pts = ContiguousArray((0..<table.count).map { table.presentationTime($0) })
    let found = StrayTimes(pts, least: least).strays
    guard !found.isEmpty, let first = pts.min() else { return }
    let end = (0..<table.count).reduce(first) { max($0, table.presentationEnd($1)) }
    guard table.show(found.map { (sample: $0.index, at: $0.pts) }) else { return }
    strays = found
    statedLength = try? grid.duration(ofTicks: end &- first)
  }

  /// Reads a track, keeping the sync flag only on actual keyframes.
  package init(
    _ track: ISOTrack, in movie: ISOMovie, grid: TickGrid, marksOf file: some RandomAccessBytes
  ) throws(ISOError) {
    try self.init(track, in: movie, grid: grid, file: file)
    checkMarks(in: file, readsAll: true)
  }

  /// Checks whether samples are really keyframes, where all are marked as such.
  ///
  /// Without an `stss` box, every sample is one (ISO 14496-12, 8.6.2); some muxers omit the box even
  /// though not all are.
  ///
  /// - Parameter readsAll: keeps the mark only on actual keyframes, which requires reading each
  ///   sample.
  package mutating func checkMarks(in file: some RandomAccessBytes, readsAll: Bool) {
    let reader = ISOSampleReader(file: file, track: track, table: table)
    guard isVideo, hasPlaces, track.unread == nil, reader.hasFalseMarks else { return }
    hasFalseMarks = true
    guard readsAll else { return }
    let (entries, samples) = reader.entries
    table.mark(entries)
    entryCount = (entries.count, samples)
  }

  /// The duration that a header states: `mdhd`, or in a fragmented file `mehd`, which is in whole
  /// movie ticks.
  private static func statedLength(
    of track: ISOTrack, in movie: ISOMovie
  ) -> (ticks: Int64, tolerance: Int64)? {
    if let ticks = track.mediaDuration, !movie.isFragmented { return (ticks, 0) }
    guard movie.isFragmented, let timescale = movie.timescale, let grid = track.timescale,
      let ticks = movie.fragmentDuration,
      let length = try? TickGrid(ticksPerSecond: timescale).duration(ofTicks: ticks),
      let whole = try? TickGrid(ticksPerSecond: grid).ticks(of: length, rounding: .nearest)
    else { return nil }
    return (whole, grid / timescale + 1)
  }

  /// Removes what a decoder drops at the start and at the end: `priming` output samples before the
  /// first audible one, `padding` after the last, unless the edit list already hides them.
  package mutating func hide(priming: Int, padding: Int = 0, sampleRate: Int) {
    guard priming > 0 || padding > 0, sampleRate > 0, let timeline, let times,
      timeline.segments.first?.mediaStart ?? 0 <= times.first, let range = presented
    else { return }
    let rate = TickGrid(ticksPerSecond: Int64(sampleRate))
    guard let hidden = try? rate.duration(ofTicks: Int64(priming)),
      let cut = try? rate.duration(ofTicks: Int64(padding)),
      let start = soundStart(behind: hidden, of: range),
      let end = try? range.end.advanced(by: .zero - cut)
    else { return }
    presented = MediaTimeRange(from: start, to: max(start, end))
  }

  /// Where audio begins after its priming.
  ///
  /// Where the priming is exactly the first packet, that is the time of the second: faac shifts
  /// only its first packet, to the time of the second.
  private func soundStart(behind hidden: MediaDuration, of range: MediaTimeRange) -> MediaTime? {
    let behind = try? range.start.advanced(by: hidden)
    guard let behind, let times, times.present == nil, times.pts.count > 1,
      let first = try? grid.duration(ofTicks: table.duration(0)), first == hidden,
      let second = timeline?.time(of: times.pts[1]), second >= range.start
    else { return behind }
    return min(behind, second)
  }

  /// Ends the media earlier than the table does: the last packet decodes to fewer samples than
  /// stated.
  package mutating func endSound(at tick: Int64) {
    guard let media = times, tick >= media.last, tick < media.end else { return }
    times?.end = tick
    presented = timeline?.presentedRange(first: media.first, end: tick)
  }

  /// Marks that nothing of the track can be shown.
  package mutating func hideAll() { presented = nil }

  /// Removes frames at the start that cannot be decoded for lack of earlier frames.
  package mutating func hideFrames(before pts: Int64) {
    guard let timeline, let times, pts < times.end else { return }
    let visible = timeline.presentedRange(first: max(pts, times.first), end: times.end)
    if let visible, let range = presented, visible.start > range.start { presented = visible }
  }

  /// Priming and padding in samples as the edit list expresses them; for audio whose timescale is
  /// its sample rate.
  package var editedSamples: (priming: Int, padding: Int)? {
    guard !isVideo, let times, let timeline, let first = timeline.segments.first,
      let last = timeline.segments.last
    else { return nil }
    // An edit may start anywhere in 64 bits.
    let (hidden, isBeyond) = first.mediaStart.subtractingReportingOverflow(times.first)
    guard !isBeyond else { return nil }
    let priming = max(0, hidden)
    var padding: Int64 = 0
    if let end = last.mediaEnd, Rational(times.end) > end,
      let difference = try? Rational(times.end).subtracting(end).rounded(.nearest)
    {
      padding = difference
    }
    return (Int(priming), Int(padding))
  }
}
