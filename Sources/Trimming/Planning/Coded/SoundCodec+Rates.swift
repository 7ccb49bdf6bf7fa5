public import MediaFacts

extension SoundCodec {
  /// The sample rate for encoding: the source's where the codec supports it, otherwise the next higher
  /// supported one, or 48 kHz.
  ///
  /// - Parameter sampleRate: the source's, in Hz.
  public static func codedRate(of codec: Codec, from sampleRate: Int) -> Int {
    guard let rates = rates[codec], !rates.contains(sampleRate) else { return sampleRate }
    return rates.first { $0 > sampleRate } ?? 48_000
  }

  /// The supported rates in Hz of codecs that do not allow every rate.
  private static let rates: [Codec: [Int]] = [
    // Decoders output 48 kHz, whatever the input rate (RFC 7845, 5.1).
    .opus: [48_000],
    // ISO/IEC 11172-3 and 13818-3, 2.4.2.3; the lowest three are known as MPEG-2.5.
    .mp3: [8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000],
    .mp2: [16_000, 22_050, 24_000, 32_000, 44_100, 48_000],
    // ISO/IEC 14496-3, 1.6.3.4.
    .aac: [
      7350, 8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 64_000, 88_200,
      96_000,
    ],
    // ETSI TS 102 366, 4.4.1.3.
    .ac3: [32_000, 44_100, 48_000],
    .eac3: [32_000, 44_100, 48_000],
  ]
}
