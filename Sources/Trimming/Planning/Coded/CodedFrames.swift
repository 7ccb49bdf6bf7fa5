import ExactTime

/// Packets of one length that an encoder makes of sound.
struct CodedFrames: Hashable, Sendable {
  let sampleRate: Int
  /// Samples of a packet.
  let length: Int

  /// `nil` for codecs that end with any sample, or whose packets vary.
  ///
  /// - Parameter sampleRate: that of the source, in Hz.
  init?(codec: String, sampleRate: Int?) {
    guard let sampleRate, sampleRate > 0 else { return nil }
    let coded = SoundCodec.codedRate(of: codec, from: sampleRate)
    switch codec {
    // ISO/IEC 14496-3, 4.5.1.1.
    case "aac": length = 1024
    // ETSI TS 102 366, 4.1.
    case "ac3", "eac3": length = 1536
    // ISO/IEC 11172-3, 2.4.2.1; 13818-3, 2.4.2.1, of half the rates.
    case "mp2": length = 1152
    case "mp3": length = coded < 32_000 ? 576 : 1152
    // 20 ms of 48 kHz, as its encoder has it.
    case "opus": length = 960
    default: return nil
    }
    self.sampleRate = coded
  }

  /// How long the packets are that hold so much sound.
  func filled(by length: MediaDuration) throws(ExactTimeError) -> MediaDuration {
    let grid = TickGrid(ticksPerSecond: Int64(sampleRate))
    let size = Int64(self.length)
    let samples = try grid.ticks(of: length, rounding: .nearest)
    return try grid.duration(ofTicks: (samples &+ size &- 1) / size &* size)
  }
}
