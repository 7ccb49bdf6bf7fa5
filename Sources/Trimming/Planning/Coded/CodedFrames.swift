import ExactTime
import MediaFacts

/// The fixed-length packets that an audio encoder produces.
struct CodedFrames: Hashable, Sendable {
  let sampleRate: Int
  /// Samples per packet.
  let length: Int

  /// Returns `nil` for codecs that can end at any sample, or whose packets vary.
  ///
  /// - Parameter sampleRate: the source's sample rate, in Hz.
  init?(codec: Codec, sampleRate: Int?) {
    guard let sampleRate, sampleRate > 0 else { return nil }
    let coded = AudioCodec.codedRate(of: codec, from: sampleRate)
    switch codec {
    // ISO/IEC 14496-3, 4.5.1.1.
    case .aac: length = 1024
    // ETSI TS 102 366, 4.1.
    case .ac3, .eac3: length = 1536
    // ISO/IEC 11172-3, 2.4.2.1; 13818-3, 2.4.2.1, for half the rates.
    case .mp2: length = 1152
    case .mp3: length = coded < 32_000 ? 576 : 1152
    // 20 ms at 48 kHz, as the encoder uses.
    case .opus: length = 960
    default: return nil
    }
    self.sampleRate = coded
  }

  /// The duration of the packets needed to hold a length of audio.
  func filled(by length: MediaDuration) throws(ExactTimeError) -> MediaDuration {
    let grid = TickGrid(ticksPerSecond: Int64(sampleRate))
    let size = Int64(self.length)
    let samples = try grid.ticks(of: length, rounding: .nearest)
    return try grid.duration(ofTicks: (samples &+ size &- 1) / size &* size)
  }
}
