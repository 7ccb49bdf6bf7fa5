import ExactTime
import MediaFacts

/// What is clipped to the range: subtitles, chapters and timecode.
extension PartPlanner {
  /// Plans an attachment, which has no time.
  mutating func planAttachment(
    _ index: Int, _ report: inout TrackPlan
  ) throws(ExactTimeError) {
    let size = tracks[index].attachedByteCount
    let others = planned.reduce(0) { $0 + tracks[$1.plan.source].attachedByteCount }
    guard others + size <= Self.mostAttached else {
      drop(
        &report,
        because: "attachments of more than \(Self.mostAttached >> 20) MiB are not copied")
      return
    }
    // It is written once.
    if number == 0 { report.copiedBytes = size }
    try planClipped(index, [], &report)
  }

  /// FFmpeg holds all attachments in memory.
  private static let mostAttached: Int64 = 64 << 20

  func whyNotCut(_ track: SourceFacts.Track) -> String {
    if track.hasUnknownCodec { return "its codec is not known" }
    return track.isTimedMetadata || track.kind == .attachment
      ? "\(rules.ending) cannot hold it" : "tracks of this kind are not cut"
  }

  mutating func planSubtitles(
    _ index: Int, _ report: inout TrackPlan
  ) throws(ExactTimeError) {
    let track = tracks[index].coded
    let ticks = try track.ticks(of: range)
    // A metadata sample may describe a whole second, so a strict range keeps only those entirely inside it.
    let holdsRest = !request.isStrict || !tracks[index].isTimedMetadata
    var places = track.packets.indices.filter { place in
      let packet = track.packets[place]
      let (sum, isBeyond) = packet.pts.addingReportingOverflow(max(1, packet.duration))
      let end = isBeyond ? .max : sum
      return holdsRest
        ? packet.pts < ticks.upperBound && end > ticks.lowerBound
        : packet.pts >= ticks.lowerBound && end <= ticks.upperBound
    }
    if ticks.isEmpty { places = [] }
    if report.encodedAs != nil {
      places.removeAll {
        SubtitleCodec.isBlank(track.codec, byteCount: Int(track.packets[$0].byteCount))
      }
    }
    if SubtitleCodec.standsUntilNext(track.codec) { enter(&places, of: track) }
    guard !places.isEmpty || !tracks[index].isTimedMetadata else {
      drop(&report, because: "none of it is in the range")
      return
    }
    count(places, of: track, in: &report)
    try planClipped(index, places, &report)
  }

  /// Fills in the figures of a clipped track.
  func count(_ places: [Int], of track: CodedTrack, in report: inout TrackPlan) {
    let bytes = places.reduce(0) { $0 + Int64(track.packets[$1].byteCount) }
    report.packets = places.count
    if report.encodedAs == nil {
      report.copiedBytes = bytes
    } else {
      report.encoded = places.count
      report.estimatedBytes = bytes
    }
    for place in report.segments.indices { report.segments[place].packets = places.count }
  }

  /// Where the output begins later than the range, drops text and metadata that had already ended.
  mutating func leaveOutWhatHasEnded() throws(ExactTimeError) {
    for place in planned.indices.reversed() {
      let plan = planned[place].plan
      let track = tracks[plan.source]
      guard !plan.clipped.isEmpty, track.isTimedMetadata || SubtitleCodec.isText(track.codec),
        let rest = MediaTimeRange(from: start, to: max(start, range.end))
      else { continue }
      let first = try track.coded.ticks(of: rest).lowerBound
      let left = plan.clipped.filter {
        let (end, isBeyond) = track.coded.packets[$0].pts.addingReportingOverflow(
          max(1, track.coded.packets[$0].duration))
        return isBeyond || end > first
      }
      guard left.count < plan.clipped.count else { continue }
      if left.isEmpty, track.isTimedMetadata {
        var report = planned.remove(at: place).report
        drop(&report, because: "none of it is in the range")
        continue
      }
      planned[place].plan.clipped = left
      count(left, of: track.coded, in: &planned[place].report)
    }
  }

  /// Adds the packets that later screen updates depend on.
  private func enter(_ places: inout [Int], of track: CodedTrack) {
    let keys = places.filter { track.packets[$0].isKey }
    let changes = places.lazy.filter { !track.packets[$0].isKey && track.packets[$0].duration > 0 }
    guard let change = changes.first, change < keys.first ?? .max, let first = places.first
    else { return }
    // Those packets contain content that is no longer on screen.
    if request.isStrict {
      places.removeAll { $0 < keys.first ?? .max }
    } else if let entry = (0...first).last(where: { track.packets[$0].isKey }) {
      places = Array(entry..<first) + places
    }
  }

  mutating func planClipped(
    _ index: Int, _ places: [Int], _ report: inout TrackPlan
  ) throws(ExactTimeError) {
    report.source = range
    report.segments = [
      .init(
        report.encodedAs == nil ? .copied : .encoded, part: number, source: range,
        packets: report.packets)
    ]
    // A track may have no content at IN. Text converted for MP4 has an empty sample there.
    let coded = tracks[index].coded
    var shown = range
    let start = try coded.ticks(of: range).lowerBound
    let isFilled = report.encodedAs != nil && rules.isISO
    if let first = isFilled ? start : places.lazy.map({ coded.packets[$0].pts }).min() {
      let begin = try max(range.start, coded.time(atTick: max(first, start)))
      shown = MediaTimeRange(from: begin, to: range.end) ?? range
    }
    var plan = PartPlan.Track(source: index, shown: try relative(shown), heard: range)
    plan.clipped = places
    plan.textCodec = report.encodedAs
    planned.append((plan, report))
  }

  /// The number of labels: the one active where the part begins, and those that begin within it;
  /// one that begins within a millisecond of IN counts as the active one.
  func labels(of track: CodedTrack) throws(ExactTimeError) -> Int {
    let reached = try range.start.advanced(by: TimecodeClock.tolerance)
    return try 1
      + track.packets.dropFirst().count { (packet) throws(ExactTimeError) in
        let begin = try track.time(atTick: packet.pts)
        return begin > reached && begin < range.end
      }
  }
}
