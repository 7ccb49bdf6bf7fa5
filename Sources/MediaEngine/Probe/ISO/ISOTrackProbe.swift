import ExactTime
import ISOMedia
import MediaFacts

/// What the sample table and the edit list of one sound or picture track say of its time.
struct ISOTrackProbe {
  let track: ISOTrack
  let isVideo: Bool
  let grid: TickGrid
  let table: ISOSampleTable
  /// `nil` when none of its samples lies inside the file.
  let times: ISOMediaTimes?
  private(set) var timeline: EditedTimeline?
  /// What a player shows of it on the film's timeline.
  private(set) var presented: MediaTimeRange?

  init(
    _ track: ISOTrack, in movie: ISOMovie, grid: TickGrid
  ) throws(ISOError) {
    self.track = track
    self.grid = grid
    isVideo = track.handler == "vide"
    let isComplete = track.placement.isComplete
    // Uncompressed sound has a sample for every tick: millions, of which no place is needed.
    let isUncompressed = !isVideo && isComplete && track.timing.constantDuration == 1
    table = try track.samples(isUncompressed ? .times : .timesAndPlaces)
    times = ISOMediaTimes(
      table, isVideo: isVideo, isComplete: isComplete, byteCount: movie.byteCount)
    guard let times else { return }
    let edits = track.edits.map {
      EditedTimeline.Edit(
        length: $0.segmentDuration, mediaStart: $0.isEmpty ? nil : $0.mediaTime, rate: $0.rate)
    }
    let layout = EditedTimeline(
      edits: edits, grid: grid, film: movie.timescale.map { TickGrid(ticksPerSecond: $0) },
      mediaEnd: times.end, isFragmented: movie.isFragmented)
    timeline = layout
    presented = layout.presentedRange(first: times.first, end: times.end)
  }

  /// Takes away what a decoder drops at the start: `samples` of its output before the first that
  /// is heard, unless the edit list already hides as much.
  mutating func hidePriming(samples: Int, sampleRate: Int) {
    guard samples > 0, sampleRate > 0, let timeline, let times,
      timeline.segments.first?.mediaStart ?? 0 <= times.first,
      let hidden = try? TickGrid(ticksPerSecond: Int64(sampleRate)).duration(
        ofTicks: Int64(samples)),
      let range = presented, let start = try? range.start.advanced(by: hidden)
    else { return }
    presented = MediaTimeRange(from: start, to: max(start, range.end))
  }

  /// Takes away frames at the start that nothing before them allows to decode.
  mutating func hideFrames(before pts: Int64) {
    guard let timeline, let times, pts < times.end else { return }
    let visible = timeline.presentedRange(first: max(pts, times.first), end: times.end)
    if let visible, let range = presented, visible.start > range.start { presented = visible }
  }

  /// Priming and padding in samples as the edit list expresses them; for sound whose time scale is
  /// its sample rate.
  var editedSamples: (priming: Int, padding: Int)? {
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
