import ExactTime
import MediaFacts

/// Sound whose packets do not follow each other end to end.
extension PartPlanner {
  /// Whether a cut begins behind the samples of its only packet.
  func liesInGap(_ cut: AudioCut, _ track: SourceFacts.Track) -> Bool {
    guard cut.copied.count == 1, let place = cut.copied.first,
      let count = sampleCount(of: place, track)
    else { return false }
    return cut.hiddenStart >= count
  }

  /// Whether silence is put between packets of a cut, as where samples have no times of their own.
  func fillsGaps(of cut: AudioCut, _ track: SourceFacts.Track) -> Bool {
    guard rules.isISO || rules.isRIFF, SoundCodec.isUncompressed(track.codec),
      let most = try? track.coded.grid.ticks(of: SoundCodec.longestFilledGap, rounding: .down)
    else { return false }
    let packets = track.coded.packets
    return cut.copied.dropLast().contains { place in
      let step = packets[place + 1].pts &- packets[place].pts
      guard step < most, let count = sampleCount(of: place, track) else { return false }
      return step > count
    }
  }

  /// Sound that is early by less is not noticed beside its pictures (ITU-R BT.1359-1).
  private static let unnoticed = MediaDuration(45, 1000)

  /// By how much the times of two packets may be rounded.
  private static let mostRounding = MediaDuration(1, 100)

  /// Whether sound begins later than the output, where copied packets would be heard from its beginning on.
  func beginsTooEarly(
    _ index: Int, _ range: MediaTimeRange
  ) throws(ExactTimeError) -> Bool {
    let codec = tracks[index].codec
    guard writesPictures, rules.beginsWithPictures(codec) else { return false }
    let late = try exactCut(of: index, range).start.distance(from: .zero)
    return late > (SoundCodec.isLossless(codec) ? .zero : Self.unnoticed)
  }

  /// Puts silence before re-encoded sound, where it is heard from the output's beginning on.
  func fillFront(
    of cut: inout AudioCut, codedAs codec: String, _ report: inout TrackPlan
  ) throws(ExactTimeError) {
    guard writesPictures, rules.beginsWithPictures(codec), cut.start > .zero else { return }
    cut.length = try cut.length.adding(cut.start.distance(from: .zero))
    cut.start = .zero
    report.reasons.append("gaps_filled")
  }

  /// What is heard of copied sound before its first packet.
  struct Front {
    /// How much later it begins in the source than it is heard, silence included.
    var late = MediaDuration.zero
    var silence = MediaDuration.zero
  }

  /// Lets copied sound be heard from the output's beginning on where it is nowhere stated when it begins: silence
  /// stands before what has no packets, else it is heard early, or late.
  func beginAtZero(
    _ cut: inout AudioCut, _ track: SourceFacts.Track, _ report: inout TrackPlan
  ) throws(ExactTimeError) -> Front {
    guard writesPictures, rules.hasFixedFrameRate else { return Front() }
    var front = Front(late: try cut.start.distance(from: .zero))
    if SoundCodec.isUncompressed(track.codec), front.late.isPositive {
      front.silence = front.late
      report.reasons.append("gaps_filled")
    }
    report.offset = try front.silence.subtracting(front.late)
    cut.start = .zero
    return front
  }

  /// Whether packets of a range are stated to follow each other with gaps between them or to overlap,
  /// where the output has no times to say so: those behind would come too early or too late.
  func isInterrupted(
    _ track: SourceFacts.Track, in range: MediaTimeRange
  ) throws(ExactTimeError) -> Bool {
    let isCounted = !rules.stampsSound && SoundCodec.hasEqualPackets(track.codec)
    // A page states one position, and readers count those of its other packets by their lengths. Where a page of
    // the source is missing, it is damaged.
    let hasPages = rules.endsByPosition && facts.format != rules.container.rawValue
    guard isCounted || hasPages else { return false }
    let ticks = try track.coded.ticks(of: range)
    let packets = track.coded.packets
    guard let first = packets.firstIndex(where: { $0.pts &+ $0.duration > ticks.lowerBound }),
      let last = packets.lastIndex(where: { $0.pts < ticks.upperBound }), first <= last
    else { return false }
    guard !isCounted else { return !track.coded.isContinuous(in: first..<last + 1) }
    // Browsers stamp packets as they arrive.
    let most = max(
      try track.coded.grid.ticks(of: Self.mostRounding, rounding: .up),
      (track.coded.usualDuration(of: first..<last + 1) ?? 0) / 3)
    return (first..<last).contains {
      track.coded.gap(behind: $0, lasting: packets[$0].duration).magnitude > most
    }
  }

  /// How many samples a packet holds, where the track is counted in those.
  private func sampleCount(of place: Int, _ track: SourceFacts.Track) -> Int64? {
    guard SoundCodec.isUncompressed(track.codec), track.sampleCounts.indices.contains(place),
      track.sampleCounts[place] > 0, let rate = track.sampleRate, rate > 0,
      track.coded.grid == TickGrid(ticksPerSecond: Int64(rate))
    else { return nil }
    return Int64(track.sampleCounts[place])
  }
}
