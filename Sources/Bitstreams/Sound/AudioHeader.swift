package import MediaFacts

/// The contents of an audio codec's configuration.
package struct AudioHeader: Hashable {
  package var profile: String?
  /// Sample rate of the decoded audio: with spectral band replication, twice the coded one.
  package var sampleRate: Int?
  package var channels: Int?
  /// FFmpeg's layout name: `mono`, `stereo`, `5.1(side)`; `nil` where the layout has no name.
  package var channelLayout: String?
  /// Samples that every packet decodes to, at ``sampleRate``; `nil` where packets differ.
  package var samplesPerPacket: Int?
  /// Samples to drop from the start of the decoded audio, at ``sampleRate``.
  package var preSkip: Int?
  package var bitDepth: Int?
  /// Samples in the whole stream, where the configuration states it.
  package var sampleCount: Int?

  /// - Parameters:
  ///   - codec: FFmpeg's name of the codec.
  ///   - configuration: the configuration stored in the container: AudioSpecificConfig, `dOps` or OpusHead,
  ///     `dac3`, `dec3`, `dmlp`, `dfLa` or STREAMINFO, `alac`, Vorbis' first header; for MPEG audio, DTS and
  ///     AC-3 without a box, a frame.
  package init?(codec: Codec, configuration: [UInt8]) {
    switch codec {
    case .aac, .mp4ALS, .usac: self.init(audioSpecificConfig: configuration)
    case .opus: self.init(opus: configuration)
    case .vorbis: self.init(vorbis: configuration[...])
    case .flac: self.init(flac: configuration)
    case .alac: self.init(alac: configuration)
    case .ac3: self.init(dac3: configuration)
    case .eac3: self.init(dec3: configuration)
    case .trueHD: self.init(dmlp: configuration)
    case .dts: self.init(dtsFrame: configuration)
    case .mp1, .mp2, .mp3: self.init(mpegFrame: configuration)
    default: return nil
    }
  }

  package init() {}

  private init?(mpegFrame bytes: [UInt8]) {
    guard let header = MPEGAudioHeader(bytes[...]) else { return nil }
    self.init()
    sampleRate = header.sampleRate
    channels = header.channels
    channelLayout = header.channels == 1 ? "mono" : "stereo"
    samplesPerPacket = header.sampleCount
  }
}
