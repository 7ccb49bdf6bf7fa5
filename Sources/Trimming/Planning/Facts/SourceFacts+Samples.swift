public import ExactTime

extension SourceFacts.Track {
  /// By how much a packet may be moved, at least: sound that is early by three times as much is not noticed (ITU-R
  /// BT.1359-1), and copies lose nothing.
  private static let mostDrift = MediaDuration(15, 1000)

  /// By how much packets are stated to be from where others put them, end to end, that begin within a length; `nil`
  /// where that is too much for copies that are heard end to end: more than half of a packet, and than 15 ms; or,
  /// from one packet to the next of a codec whose packets are equal, an eighth.
  ///
  /// - Parameter lengths: samples of each packet as it says itself, where the container states distances.
  public func drift(
    in places: Range<Int>, within length: MediaDuration, lengths: [Int32] = []
  ) throws(ExactTimeError) -> MediaDuration? {
    if SoundCodec.hasEqualPackets(codec), !coded.isContinuous(in: places) { return nil }
    guard let rate = SoundCodec.clockRate(of: codec, stated: sampleRate) else { return .zero }
    let drift = try coded.drift(
      in: places, within: length, samplesPerSecond: rate,
      lengths: lengths.isEmpty ? sampleCounts : lengths)
    let half = try coded.grid.duration(ofTicks: (coded.usualDuration(of: places) ?? 0) / 2)
    return drift <= max(Self.mostDrift, half) ? drift : nil
  }

  /// On the grid of samples where packets can be counted: ticks of a millisecond are too coarse.
  public var countedInSamples: CodedTrack {
    guard let rate = SoundCodec.clockRate(of: codec, stated: sampleRate),
      var counted = coded.counted(samplesPerSecond: rate, lengths: sampleCounts)
    else { return coded }
    // The first packet of Opus begins a pre-skip before zero (RFC 7845, 5.1), others Matroska's codec
    // delay (RFC 9559, 5.1.4.1.25): as exactly as that.
    if let preSkip, let first = counted.packets.first?.pts {
      let error = first &+ preSkip
      if error.magnitude <= 48 {
        for place in counted.packets.indices {
          counted.packets[place].pts -= error
          counted.packets[place].dts -= error
        }
      }
    }
    return counted
  }
}
