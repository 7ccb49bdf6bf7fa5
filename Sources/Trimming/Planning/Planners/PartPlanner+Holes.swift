import ExactTime
import MediaFacts

/// Uncompressed sound whose container states a hole as the length of the packet before.
extension PartPlanner {
  /// Whether a cut begins behind the samples of its only packet.
  func liesInHole(_ cut: AudioCut, _ track: SourceFacts.Track) -> Bool {
    guard cut.copied.count == 1, let place = cut.copied.first,
      let count = sampleCount(of: place, track)
    else { return false }
    return cut.hiddenStart >= count
  }

  /// Whether silence is put between packets of a cut, as where samples have no times of their own.
  func fillsHoles(of cut: AudioCut, _ track: SourceFacts.Track) -> Bool {
    guard rules.isISO || rules.isRIFF, SoundCodec.isUncompressed(track.codec),
      let most = try? track.coded.grid.ticks(of: SoundCodec.longestFilledHole, rounding: .down)
    else { return false }
    let packets = track.coded.packets
    return cut.copied.dropLast().contains { place in
      let step = packets[place + 1].pts &- packets[place].pts
      guard step < most, let count = sampleCount(of: place, track) else { return false }
      return step > count
    }
  }

  /// Whether packets of a range are stated to follow each other with holes between them or to overlap,
  /// where the output has no times to say so: those behind would come too early or too late.
  func isBroken(_ track: SourceFacts.Track, in range: MediaTimeRange) -> Bool {
    guard !rules.stampsSound, SoundCodec.hasEqualPackets(track.codec),
      let ticks = try? track.coded.ticks(of: range)
    else { return false }
    let packets = track.coded.packets
    let needed = packets.indices.filter {
      packets[$0].pts < ticks.upperBound
        && packets[$0].pts &+ packets[$0].duration > ticks.lowerBound
    }
    let durations = needed.map { packets[$0].duration }.filter { $0 > 0 }.sorted()
    guard !durations.isEmpty else { return false }
    let usual = durations[durations.count / 2]
    // More than ticks and clocks are rounded by.
    return needed.dropLast().contains {
      (packets[$0 + 1].pts &- packets[$0].pts &- usual).magnitude > max(2, usual / 8).magnitude
    }
  }

  /// Why sound is re-encoded that is broken so; `nil` where it is not.
  func brokenness(_ index: Int, _ range: MediaTimeRange) -> String? {
    guard request.audio != .reencode, !isJoined, !request.isStrict, isSoundAlone,
      isBroken(tracks[index], in: range)
    else { return nil }
    return "holes_or_overlaps"
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
