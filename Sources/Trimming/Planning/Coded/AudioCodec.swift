public import ExactTime
public import MediaFacts

/// What planning needs to know about an audio codec, by FFmpeg's name.
public enum AudioCodec {
  /// The number of packets a decoder must read before its samples are correct.
  public static func preroll(of codec: Codec) -> Int {
    switch codec {
    // An overlap with the previous block.
    case .aac, .aacLATM, .usac, .vorbis, .ac3, .eac3, .wmaV1, .wmaV2, .cook: 1
    // The overlap and the filter bank; the bit reservoir is handled separately.
    case .mp3, .mp2, .mp1, .musepack8: 1
    // Scale factors are coded as differences from those of earlier frames.
    case .musepack7: 32
    // The filter that makes PCM of them.
    case _ where codec.isDSD: 1
    default: 0
    }
  }

  /// The minimum duration of packets that a decoder must read first, since Opus packets can be as short as
  /// 2.5 ms (RFC 7845, 4.6).
  static func lead(of codec: Codec) -> MediaDuration {
    codec == .opus ? MediaDuration(2, 25) : .zero
  }

  /// True for FLAC, ALAC, WavPack, True Audio and Monkey's Audio, by FFmpeg's names: re-encoding
  /// preserves every sample.
  public static func isLossless(_ codec: Codec) -> Bool {
    codec.isOne(of: .flac, .alac, .wavPack, .tta, .ape)
  }

  /// True for codecs without loss that nothing here can copy or encode: they become FLAC rather than a
  /// lossy codec.
  static func becomesFLAC(_ codec: Codec) -> Bool { codec == .ape || codec.isDSD }

  /// True where a packet can be decoded without its neighbors: no overlap, no filter bank, no
  /// prediction from packet to packet.
  public static func standsAlone(_ codec: Codec) -> Bool {
    isLossless(codec) || isUncompressed(codec) || isPacked(codec) || codec.isIMAADPCM
      || codec == .adpcmMS
  }

  /// True where the first packet produces no output: it primes an overlap.
  public static func mutesFirst(_ codec: Codec) -> Bool {
    codec.isOne(of: .vorbis, .wmaV1, .wmaV2)
  }

  /// Whether all packets of a track decode to the same number of samples.
  public static func hasEqualPackets(_ codec: Codec) -> Bool {
    codec.isOne(of: .aac, .ac3, .mp1, .mp2, .mp3)
  }

  /// Whether packets of a track have similar durations: a frame of E-AC-3 may have fewer blocks at the end,
  /// one of DTS fewer samples.
  static func hasSimilarPackets(_ codec: Codec) -> Bool {
    hasEqualPackets(codec) || codec.isOne(of: .eac3, .dts)
  }

  /// True where a decoder can begin only with a packet that the container flags as key.
  public static func beginsAtKey(_ codec: Codec) -> Bool {
    codec.isOne(of: .ac4, .trueHD, .mlp, .mp4ALS, .usac)
  }

  /// The rate at which samples are counted: Opus is always decoded at 48 kHz (RFC 7845, 5.1),
  /// whatever the input rate.
  public static func clockRate(of codec: Codec, stated rate: Int?) -> Int? {
    codec == .opus ? 48000 : rate
  }

  /// The longest gap between uncompressed packets that is filled with silence.
  public static var longestFilledGap: MediaDuration { MediaDuration(10) }

  /// True where a packet's PTS is that of the first access unit that begins in it (ISO/IEC 13818-1, 2.4.3.7),
  /// which need not be its first sample.
  static func statesLaterSample(_ codec: Codec) -> Bool { codec == .pcmDVD }

  /// True for PCM, which can be cut between any two samples.
  public static func isUncompressed(_ codec: Codec) -> Bool { codec.isPCM }

  /// True for PCM whose numbers are levels, of one size in bytes: not for the logarithmic codes of ITU-T
  /// G.711 (μ-law and A-law), nor for packets that hold more than samples.
  public static func isLinear(_ codec: Codec) -> Bool {
    sampleSize(of: codec) != nil && !codec.isOne(of: .pcmALaw, .pcmMuLaw)
  }

  /// True for the PCM of Blu-ray and AVCHD, of DVD-Video, and of AES3 in transport streams (SMPTE ST 302), whose
  /// packets begin with a header of their own, and for PCM whose packets have one channel after the other.
  public static func isPacked(_ codec: Codec) -> Bool {
    codec.isOne(of: .pcmBluRay, .pcmDVD, .s302m)
      || isUncompressed(codec) && codec.isPlanarPCM
  }

  /// True where audio is coded in fixed-size blocks, of which RIFF puts several into a packet.
  public static func hasBlocks(_ codec: Codec) -> Bool {
    codec.isOne(of: .adpcmMS, .adpcmIMAWAV)
  }

  /// True where a packet states its sample count, whatever durations a sample table states.
  public static func statesLengths(_ codec: Codec) -> Bool {
    codec.isOne(of: .flac, .opus, .vorbis)
  }

  /// Bytes of one sample of one channel, by FFmpeg's name of the codec; `nil` where packets hold
  /// more than samples.
  public static func sampleSize(of codec: Codec) -> Int? {
    guard isUncompressed(codec) else { return nil }
    if codec.isOne(of: .pcmALaw, .pcmMuLaw) { return 1 }
    // Floating point scaled to 16 or 24 integer bits, stored in 32 bits.
    if codec.isOne(of: .pcmF16LE, .pcmF24LE) { return 4 }
    let digits = codec.rawValue.drop { !$0.isNumber }.prefix { $0.isNumber }
    guard let bits = Int(digits), bits % 8 == 0, (8...64).contains(bits) else { return nil }
    return bits / 8
  }

  /// True where packet boundaries can be found in AVI and WAV: samples, fixed-size blocks, or frames that
  /// begin with a sync word.
  ///
  /// Blocks of Flash's ADPCM differ in size.
  public static func isSoundOfRIFF(_ codec: Codec) -> Bool {
    isUncompressed(codec) || (codec.isADPCM && codec != .adpcmSWF)
      || codec.isOne(of: .mp3, .mp2, .ac3, .gsmMS)
  }
}

extension AudioCodec {
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
