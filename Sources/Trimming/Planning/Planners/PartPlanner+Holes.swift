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

  /// How many samples a packet holds, where the track is counted in those.
  private func sampleCount(of place: Int, _ track: SourceFacts.Track) -> Int64? {
    guard SoundCodec.isUncompressed(track.codec), track.sampleCounts.indices.contains(place),
      track.sampleCounts[place] > 0, let rate = track.sampleRate, rate > 0,
      track.coded.grid == TickGrid(ticksPerSecond: Int64(rate))
    else { return nil }
    return Int64(track.sampleCounts[place])
  }
}
