import ExactTime
import MediaFacts

/// Containers for a single audio track.
extension ContainerRules {
  static let mp3 = ContainerRules(.mp3, ["mp3"], "audio/mpeg", codecs: [.mp3]) {
    $0.coverPlace = .block
    $0.soundEndings = ["mp3"]
    $0.soundCodec = .mp3
    // The first 1104 samples of the encoder's 1152-sample frames are delay (LAME's and the decoder's),
    // leaving 48 samples of the first frame: their duration at 32 kHz, the lowest rate with such frames.
    $0.leastEncodedSound = MediaDuration(48, 32_000)
    $0.statesDelayByPacket = true
    $0.stampsSound = false
    $0.hiddenSound = [.mp3]
    $0.tellingSoundPackets = 7
  }

  static let adts = ContainerRules(.adts, ["aac", "adts"], "audio/aac", codecs: [.aac]) {
    $0.soundEndings = ["aac", "adts"]
    $0.keepsADTSHeaders = true
    $0.stampsSound = false
    $0.endsCodedSoundWithPacket = true
    $0.tellingSoundPackets = 3
  }

  static let wav = ContainerRules(.wav, ["wav"], "audio/wav", codecs: nil) {
    $0.soundEndings = ["wav"]
    $0.soundCodec = .pcmS16LE
    $0.holdsSamplesAlone = true
    $0.packetlessSound = [""]
    $0.stampsSound = false
    $0.isRIFF = true
  }

  static let flac = ContainerRules(.flac, ["flac"], "audio/flac", codecs: [.flac]) {
    $0.coverPlace = .block
    $0.soundEndings = ["flac"]
    $0.soundCodec = .flac
    $0.stampsSound = false
    $0.numbersFrames = true
    $0.codesLosslessExactly = true
  }

  /// RFC 4867, 5.
  static let amr = ContainerRules(.amr, ["amr", "awb"], "audio/amr", codecs: [.amrNB, .amrWB]) {
    $0.isProposed = false
    $0.soundEndings = ["amr", "awb"]
    $0.soundCodec = .amrNB
    $0.partsFrames = true
    $0.stampsSound = false
    $0.endsCodedSoundWithPacket = true
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
      $0.isProposed = false
      $0.coverPlace = covers
      $0.soundEndings = Set(endings)
      $0.soundCodec = codec
      $0.packetlessSound = [""]
      $0.stampsSound = false
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
      $0.isProposed = false
      $0.soundEndings = Set(endings)
      $0.soundCodec = Codec(container.rawValue)
      $0.stampsSound = false
      $0.endsCodedSoundWithPacket = true
      $0.tellingSoundPackets = 7
    }
  }
}
