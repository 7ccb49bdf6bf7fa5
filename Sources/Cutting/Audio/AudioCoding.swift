import Libav
import MediaFacts
import MediaFiles
import Trimming

/// Which encoder re-encodes audio, and at what rate: roughly the source's, or higher.
struct AudioCoding {
  /// The output codec.
  let codec: Codec
  /// The source codec.
  private let source: Codec
  private let encoder: String
  /// Whether the container can state that an encoder's delay is not heard: in fragments, players play what
  /// an edit hides.
  let hidesStart: Bool

  /// `nil` for codecs without an encoder.
  ///
  /// - Parameter source: the source codec, if different.
  init?(
    codec: Codec, from source: Codec? = nil, for container: OutputContainer,
    isFragmented: Bool = false
  ) {
    switch codec {
    case .aac, .flac, .alac, .wavPack, .tta, .ac3, .eac3, .mp2: encoder = codec.rawValue
    case .mp3: encoder = "libmp3lame"
    case .opus: encoder = "libopus"
    case .vorbis: encoder = "libvorbis"
    // Uncompressed samples are simply written.
    case _ where AudioCodec.isUncompressed(codec): encoder = codec.rawValue
    default: return nil
    }
    self.codec = codec
    self.source = source ?? codec
    hidesStart = !isFragmented && container.rules.hidesDelay(of: codec)
  }

  /// - Parameter codec: the output codec, if it differs from the track's.
  /// - Throws: ``MediaError`` of code `codecMissing` where there is no encoder for it.
  static func required(
    for track: TrackFacts, as codec: Codec?, in plan: CutPlan
  ) throws(MediaError) -> AudioCoding {
    let codec = codec ?? track.codec
    guard
      let coding = AudioCoding(
        codec: codec, from: track.codec, for: plan.container,
        isFragmented: plan.request.isFragmented)
    else {
      throw MediaError(.codecMissing, "there is no encoder for \(codec)")
    }
    return coding
  }

  /// Whether this FFmpeg has an encoder for a codec.
  static func isAvailable(for codec: Codec) -> Bool {
    AudioCoding(codec: codec, for: .matroska).map { Encoder.isAvailable($0.encoder) } ?? false
  }

  /// Whether decoding the output gives the same samples as decoding the source.
  var keepsSamples: Bool {
    guard Self.keepsSamples(source), Self.keepsSamples(codec) else { return false }
    // FLAC and ALAC support up to 24 bits.
    return source == codec || AudioCodec.sampleSize(of: source).map { $0 < 4 } ?? true
  }

  private static func keepsSamples(_ codec: Codec) -> Bool {
    AudioCodec.isLossless(codec) || AudioCodec.isUncompressed(codec)
      || AudioCodec.isPacked(codec)
  }

  /// The target rate: the source's for the same codec; 1.5 times that from one lossy codec to
  /// another; a rate transparent to most listeners if the source is lossless.
  func bitRate(after rate: Int64, channels: Int) -> Int64 {
    if source == codec { return rate }
    if Self.keepsSamples(source) {
      return 112_000 * Int64(max(1, channels))
    }
    return rate / 2 * 3
  }

  /// - Parameters:
  ///   - bitRate: the source's, in the range.
  ///   - channels: the encoded ones.
  func settings(bitRate: Int64, channels: Int, sampleRate: Int) -> AudioEncoder.Settings {
    let coded = AudioCodec.codedRate(of: codec, from: sampleRate)
    var settings = rated(bitRate, max(1, channels), coded)
    if coded != sampleRate { settings.sampleRate = coded }
    // The first kept packet must be decodable without others.
    if codec == .mp3, !hidesStart { settings.options = [("reservoir", "0")] }
    settings.skipsDelay = !hidesStart
    if source != codec { adapt(&settings) }
    return settings
  }

  /// Changes the channels to those that the codec supports.
  private func adapt(_ settings: inout AudioEncoder.Settings) {
    switch codec {
    case .opus:
      settings.namesChannelsByNumber = true
      settings.mostChannels = 8
    case .aac: settings.mostChannels = 8
    case .ac3, .eac3: settings.mostChannels = 6
    case .mp2, .mp3: settings.mostChannels = 2
    default: break
    }
  }

  private func rated(
    _ bitRate: Int64, _ channels: Int, _ sampleRate: Int
  ) -> AudioEncoder.Settings {
    switch codec {
    case _ where AudioCodec.isLossless(codec): return AudioEncoder.Settings(name: encoder)
    case _ where AudioCodec.isUncompressed(codec): return AudioEncoder.Settings(name: encoder)
    case .mp3:
      let rates = sampleRate >= 32000 ? Self.layer3 : Self.layer3LowRates
      return AudioEncoder.Settings(name: encoder, bitRate: Self.atLeast(bitRate, of: rates))
    case .mp2:
      let rates = sampleRate >= 32000 ? Self.layer2 : Self.layer3LowRates
      return AudioEncoder.Settings(name: encoder, bitRate: Self.atLeast(bitRate, of: rates))
    case .ac3:
      return AudioEncoder.Settings(name: encoder, bitRate: Self.atLeast(bitRate, of: Self.ac3))
    case .eac3:
      // A frame of 1536 samples has at most 4096 bytes (ETSI TS 102 366, E.1.3.1.3); at higher
      // rates, encoders use shorter frames.
      let mostEAC3 = 4096 * 8 * Int64(sampleRate) / 1536
      return AudioEncoder.Settings(
        name: encoder, bitRate: min(max(bitRate, 64_000 * Int64(channels)), mostEAC3))
    case .opus:
      let rate = min(max(bitRate * 11 / 10, 64_000 * Int64(channels)), 256_000 * Int64(channels))
      var settings = AudioEncoder.Settings(name: encoder, bitRate: rate)
      // By default libopus couples six and seven channels differently from the mapping that a
      // transport stream implies by the channel count (channel_config_code of its descriptor).
      if (3...8).contains(channels) { settings.options = [("mapping_family", "1")] }
      return settings
    case .vorbis:
      // The lowest quality above the rate, for a stereo pair.
      let rate = bitRate * 2 / Int64(channels)
      let quality = Self.vorbis.firstIndex { $0 * 1000 > rate } ?? 10
      return AudioEncoder.Settings(
        name: encoder, quality: Int32(min(10, quality + 1)) * qualityUnit)
    default:
      let most = 6 * Int64(sampleRate) * Int64(channels)
      return AudioEncoder.Settings(
        name: encoder, bitRate: min(max(bitRate * 11 / 10, 64_000 * Int64(channels)), most))
    }
  }

  /// FF_QP2LAMBDA of libavutil.
  private var qualityUnit: Int32 { 118 }

  private static let layer3: [Int64] = [
    64, 80, 96, 112, 128, 160, 192, 224, 256, 320,
  ]
  private static let layer3LowRates: [Int64] = [64, 80, 96, 112, 128, 144, 160]
  private static let layer2: [Int64] = [96, 112, 128, 160, 192, 224, 256, 320, 384]
  private static let ac3: [Int64] = [
    96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640,
  ]
  /// Approximate rate of each quality for a stereo pair.
  private static let vorbis: [Int64] = [64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 500]

  private static func atLeast(_ bitRate: Int64, of kilobits: [Int64]) -> Int64 {
    (kilobits.first { $0 * 1000 >= bitRate } ?? kilobits[kilobits.count - 1]) * 1000
  }
}
