public import ExactTime

extension SourceFacts.Track {
  /// The distance a packet may always be moved: audio that is early by three times as much goes unnoticed
  /// (ITU-R BT.1359-1), and copying packets is lossless.
  private static let mostDrift = MediaDuration(15, 1000)

  /// How far stated packet times deviate from packets laid end to end, within a given length.
  ///
  /// `nil` where that is too much to copy packets end to end: more than both half a packet and 15 ms; or,
  /// from one packet to the next of a codec with equal packets, more than an eighth of a packet.
  ///
  /// - Parameter lengths: samples per packet as stated by the packets themselves, where the container states
  ///   distances.
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

  /// The track on a sample grid where packets can be counted: millisecond ticks are too coarse.
  public var countedInSamples: CodedTrack {
    guard let rate = SoundCodec.clockRate(of: codec, stated: sampleRate),
      var counted = coded.counted(samplesPerSecond: rate, lengths: sampleCounts)
    else { return coded }
    // The first Opus packet begins one pre-skip before zero (RFC 7845, 5.1), other codecs by Matroska's codec
    // delay (RFC 9559, 5.1.4.1.25): its time is set exactly.
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
