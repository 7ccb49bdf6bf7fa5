import ExactTime
import MediaFacts

/// Audio whose packets do not follow each other end to end.
extension PartPlanner {
  /// Whether a cut begins after the samples of its only packet.
  func liesInGap(_ cut: AudioCut, _ track: SourceFacts.Track) -> Bool {
    guard cut.copied.count == 1, let place = cut.copied.first,
      let count = sampleCount(of: place, track)
    else { return false }
    return cut.hiddenStart >= count
  }

  /// Whether silence is inserted between packets of a cut, as where samples have no timestamps.
  func fillsGaps(of cut: AudioCut, _ track: SourceFacts.Track) -> Bool {
    guard rules.isISO || !rules.stampsSound, SoundCodec.isUncompressed(track.codec) else {
      return false
    }
    let most =
      rules.isISO
      ? try? track.coded.grid.ticks(of: SoundCodec.longestFilledGap, rounding: .down) : nil
    let packets = track.coded.packets
    return cut.copied.dropLast().contains { place in
      let step = packets[place + 1].pts &- packets[place].pts
      guard step < most ?? .max, let count = sampleCount(of: place, track) else { return false }
      return step > count
    }
  }

  /// Whether packets in a range have gaps or overlaps according to their timestamps, where the output has no
  /// timestamps to express them: later packets would come too early or too late.
  func isInterrupted(
    _ index: Int, _ track: SourceFacts.Track, in range: MediaTimeRange
  ) throws(ExactTimeError) -> Bool {
    let isKnown = SoundCodec.hasEqualPackets(track.codec) || SoundCodec.tellsLengths(track.codec)
    let isCounted = !rules.stampsSound && isKnown
    // From Ogg to Ogg, an interruption is a missing page, which counts as damage.
    let page = facts.format == rules.container.rawValue ? nil : rules.longestPage
    guard let length = isCounted ? range.length : page else { return false }
    let (packets, ticks) = (track.coded.packets, try track.coded.ticks(of: range))
    guard let first = packets.firstIndex(where: { $0.pts &+ $0.duration > ticks.lowerBound }),
      let last = packets.lastIndex(where: { $0.pts < ticks.upperBound }), first <= last
    else { return false }
    // Browsers that record MP4 timestamp packets as they arrive: only the packets' own lengths are exact.
    let lengths = packetLengths(index)
    return try track.drift(in: first..<last + 1, within: length, lengths: lengths) == nil
  }

  /// Whether a copied packet's timestamp is not after that of the packet before: only Matroska can express
  /// that.
  func stepsBack(
    _ track: SourceFacts.Track, in range: MediaTimeRange
  ) throws(ExactTimeError) -> Bool {
    guard !rules.isMatroska else { return false }
    let places = try AudioPlanner(track.coded, precision: .sample).cut(range).copied
    return places.dropLast().contains {
      track.coded.packets[$0 + 1].pts <= track.coded.packets[$0].pts
    }
  }

  /// The number of samples in a packet, where the track's time base is its sample rate.
  private func sampleCount(of place: Int, _ track: SourceFacts.Track) -> Int64? {
    guard SoundCodec.isUncompressed(track.codec), track.sampleCounts.indices.contains(place),
      track.sampleCounts[place] > 0, let rate = track.sampleRate, rate > 0,
      track.coded.grid == TickGrid(ticksPerSecond: Int64(rate))
    else { return nil }
    return Int64(track.sampleCounts[place])
  }
}
