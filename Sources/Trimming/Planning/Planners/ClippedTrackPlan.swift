import ExactTime
import MediaFacts

/// Plans what is clipped to a part: subtitles, chapters, metadata and timecode, and attachments.
struct ClippedTrackPlan {
  let context: PartContext
  let index: Int

  /// Plans an attachment, which has no time.
  func planAttachment(beside others: Int64, _ outcome: inout TrackOutcome) throws(ExactTimeError) {
    let size = context.tracks[index].attachedByteCount
    guard others + size <= Self.mostAttached else {
      return outcome.drop(
        because: "attachments of more than \(Self.mostAttached >> 20) MiB are not copied")
    }
    // It is written once.
    if context.number == 0 { outcome.report.copiedBytes = size }
    try plan([], &outcome)
  }

  /// FFmpeg holds all attachments in memory.
  private static let mostAttached: Int64 = 64 << 20

  func planSubtitles(_ outcome: inout TrackOutcome) throws(ExactTimeError) {
    let track = context.tracks[index].coded
    let ticks = try track.ticks(of: context.range)
    // A metadata sample may describe a whole second, so a strict range keeps only those entirely inside it.
    let holdsRest = !context.request.isStrict || !context.tracks[index].isTimedMetadata
    var places = track.packets.indices.filter { place in
      let packet = track.packets[place]
      let (sum, isBeyond) = packet.pts.addingReportingOverflow(max(1, packet.duration))
      let end = isBeyond ? .max : sum
      return holdsRest
        ? packet.pts < ticks.upperBound && end > ticks.lowerBound
        : packet.pts >= ticks.lowerBound && end <= ticks.upperBound
    }
    if ticks.isEmpty { places = [] }
    if outcome.report.encodedAs != nil {
      places.removeAll {
        SubtitleCodec.isBlank(track.codec, byteCount: Int(track.packets[$0].byteCount))
      }
    }
    if SubtitleCodec.standsUntilNext(track.codec) { enter(&places, of: track) }
    guard !places.isEmpty || !context.tracks[index].isTimedMetadata else {
      return outcome.drop(because: "none of it is in the range")
    }
    outcome.report.count(places, of: track)
    try plan(places, &outcome)
  }

  /// Adds the packets that later screen updates depend on.
  private func enter(_ places: inout [Int], of track: CodedTrack) {
    let keys = places.filter { track.packets[$0].isKey }
    let changes = places.lazy.filter { !track.packets[$0].isKey && track.packets[$0].duration > 0 }
    guard let change = changes.first, change < keys.first ?? .max, let first = places.first
    else { return }
    // Those packets contain content that is no longer on screen.
    if context.request.isStrict {
      places.removeAll { $0 < keys.first ?? .max }
    } else if let entry = (0...first).last(where: { track.packets[$0].isKey }) {
      places = Array(entry..<first) + places
    }
  }

  func plan(_ places: [Int], _ outcome: inout TrackOutcome) throws(ExactTimeError) {
    outcome.report.source = context.range
    outcome.report.segments = [
      .init(
        outcome.report.encodedAs == nil ? .copied : .encoded, part: context.number,
        source: context.range,
        packets: outcome.report.packets)
    ]
    // A track may have no content at IN. Text converted for MP4 has an empty sample there.
    let coded = context.tracks[index].coded
    var shown = context.range
    let start = try coded.ticks(of: context.range).lowerBound
    let isFilled = outcome.report.encodedAs != nil && context.rules.isISO
    if let first = isFilled ? start : places.lazy.map({ coded.packets[$0].pts }).min() {
      let begin = try max(context.range.start, coded.time(atTick: max(first, start)))
      shown = MediaTimeRange(from: begin, to: context.range.end) ?? context.range
    }
    var plan = PartPlan.Track(
      source: index, outputRange: try context.relative(shown), sourceRange: context.range)
    plan.clipped = places
    plan.textCodec = outcome.report.encodedAs
    outcome.plan = plan
  }

  func planTimecode(_ outcome: inout TrackOutcome) throws(ExactTimeError) {
    outcome.report.packets = try labels(of: context.tracks[index].coded)
    try plan([], &outcome)
  }

  /// The number of labels: the one active where the part begins, and those that begin within it;
  /// one that begins within a millisecond of IN counts as the active one.
  private func labels(of track: CodedTrack) throws(ExactTimeError) -> Int {
    let reached = try context.range.start.advanced(by: TimecodeClock.tolerance)
    return try 1
      + track.packets.dropFirst().count { (packet) throws(ExactTimeError) in
        let begin = try track.time(atTick: packet.pts)
        return begin > reached && begin < context.range.end
      }
  }
}

extension TrackPlan {
  /// Fills in the figures of a clipped track.
  mutating func count(_ places: [Int], of track: CodedTrack) {
    let bytes = places.reduce(0) { $0 + Int64(track.packets[$1].byteCount) }
    packets = places.count
    if encodedAs == nil {
      copiedBytes = bytes
    } else {
      encoded = places.count
      estimatedBytes = bytes
    }
    for place in segments.indices { segments[place].packets = places.count }
  }
}
