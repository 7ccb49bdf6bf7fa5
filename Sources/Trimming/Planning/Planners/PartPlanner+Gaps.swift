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

  /// Whether packets of a range are stated to follow each other with gaps between them or to overlap,
  /// where the output has no times to say so: those behind would come too early or too late.
  func isInterrupted(
    _ track: SourceFacts.Track, in range: MediaTimeRange
  ) throws(ExactTimeError) -> Bool {
    guard !rules.stampsSound, SoundCodec.hasEqualPackets(track.codec) else { return false }
    let ticks = try track.coded.ticks(of: range)
    let packets = track.coded.packets
    guard let first = packets.firstIndex(where: { $0.pts &+ $0.duration > ticks.lowerBound }),
      let last = packets.lastIndex(where: { $0.pts < ticks.upperBound }), first <= last
    else { return false }
    return !track.coded.isContinuous(in: first..<last + 1)
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
