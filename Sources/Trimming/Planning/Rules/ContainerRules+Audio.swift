import ExactTime
import MediaFacts

/// Containers for a single audio track.
extension ContainerRules {
  static let mp3 = ContainerRules(.mp3, ["mp3"], "audio/mpeg", codecs: [.mp3]) {
    $0.labels.covers = .block
    $0.audio.endings = ["mp3"]
    $0.audio.codec = .mp3
    // The first 1104 samples of the encoder's 1152-sample frames are delay (LAME's and the decoder's),
    // leaving 48 samples of the first frame: their duration at 32 kHz, the lowest rate with such frames.
    $0.audio.leastEncoded = MediaDuration(48, 32_000)
    $0.audio.statesDelayByPacket = true
    $0.audio.stampsPackets = false
    $0.audio.clipped = [.mp3]
    $0.audio.recognizedPackets = 7
  }

  static let adts = ContainerRules(.adts, ["aac", "adts"], "audio/aac", codecs: [.aac]) {
    $0.audio.endings = ["aac", "adts"]
    $0.audio.keepsADTSHeaders = true
    $0.audio.stampsPackets = false
    $0.audio.endsEncodedWithPacket = true
    $0.audio.recognizedPackets = 3
  }

  static let wav = ContainerRules(.wav, ["wav"], "audio/wav", codecs: nil) {
    $0.audio.endings = ["wav"]
    $0.audio.codec = .pcmS16LE
    $0.audio.holdsSamplesAlone = true
    $0.audio.packetless = [""]
    $0.audio.stampsPackets = false
    $0.isRIFF = true
  }

  static let flac = ContainerRules(.flac, ["flac"], "audio/flac", codecs: [.flac]) {
    $0.labels.covers = .block
    $0.audio.endings = ["flac"]
    $0.audio.codec = .flac
    $0.audio.stampsPackets = false
    $0.audio.numbersFrames = true
    $0.audio.encodesLosslessExactly = true
  }

  /// RFC 4867, 5.
  static let amr = ContainerRules(.amr, ["amr", "awb"], "audio/amr", codecs: [.amrNB, .amrWB]) {
    $0.isSuggested = false
    $0.audio.endings = ["amr", "awb"]
    $0.audio.codec = .amrNB
    $0.audio.partsFrames = true
    $0.audio.stampsPackets = false
    $0.audio.endsEncodedWithPacket = true
  }

  /// Apple's Audio Interchange File Format, and AIFF-C with its encodings.
  static let aiff = samples(
    .aiff, ["aiff", "aif", "aifc"], "audio/aiff", of: bigEndian.union([.pcmS16LE]),
    else: .pcmS16BE, covers: .block)

  /// Apple's Core Audio Format, PCM only: FFmpeg's muxer does not state how much of the last packet is heard.
  static let caf = samples(
    .caf, ["caf"], "audio/x-caf",
    of: bigEndian.union([.pcmS16LE, .pcmS24LE, .pcmS32LE, .pcmF32LE, .pcmF64LE]),
    else: .pcmS16LE)

  /// Linear PCM with its most significant byte first, or with a single byte.
  private static let bigEndian: Set<Codec> = [
    .pcmS8, .pcmS16BE, .pcmS24BE, .pcmS32BE, .pcmF32BE, .pcmF64BE,
  ]

  /// - Parameter codec: what compressed audio is converted to there.
  private static func samples(
    _ container: OutputContainer, _ endings: [String], _ mediaType: String, of codecs: Set<Codec>,
    else codec: Codec, covers: CoverPlace? = nil
  ) -> ContainerRules {
    ContainerRules(container, endings, mediaType, codecs: codecs) {
      $0.isSuggested = false
      $0.labels.covers = covers
      $0.audio.endings = Set(endings)
      $0.audio.codec = codec
      $0.audio.packetless = [""]
      $0.audio.stampsPackets = false
    }
  }

  /// ETSI TS 102 366: consecutive syncframes.
  static let ac3 = frames(.ac3, ["ac3"], "audio/ac3")

  /// ETSI TS 102 366, annex E.
  static let eac3 = frames(.eac3, ["eac3", "ec3"], "audio/eac3")

  /// ETSI TS 102 114.
  static let dts = frames(.dts, ["dts"], "audio/vnd.dts")

  /// ISO/IEC 13818-3.
  static let mp2 = frames(.mp2, ["mp2"], "audio/mpeg")

  /// Raw frames that begin with a sync word, without a container.
  private static func frames(
    _ container: OutputContainer, _ endings: [String], _ mediaType: String
  ) -> ContainerRules {
    ContainerRules(container, endings, mediaType, codecs: [Codec(container.rawValue)]) {
      $0.isSuggested = false
      $0.audio.endings = Set(endings)
      $0.audio.codec = Codec(container.rawValue)
      $0.audio.stampsPackets = false
      $0.audio.endsEncodedWithPacket = true
      $0.audio.recognizedPackets = 7
    }
  }
}
