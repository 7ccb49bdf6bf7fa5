import ExactTime
import MediaFacts

extension OutputContainer {
  /// What the container can express.
  public var rules: ContainerRules {
    switch self {
    case .mp4: .mp4
    case .mov: .mov
    case .m4a: .m4a
    case .threeGP: .threeGP
    case .matroska: .matroska
    case .webm: .webm
    case .mpegts: .mpegts
    case .m2ts: .m2ts
    case .mpegps: .mpegps
    case .avi: .avi
    case .flv: .flv
    case .mp3: .mp3
    case .adts: .adts
    case .wav: .wav
    case .flac: .flac
    case .ogg: .ogg
    case .opus: .opus
    case .amr: .amr
    case .aiff: .aiff
    case .caf: .caf
    case .ac3: .ac3
    case .eac3: .eac3
    case .dts: .dts
    case .mp2: .mp2
    }
  }
}

extension ContainerRules {
  init(
    _ container: OutputContainer, _ endings: [String], _ mediaType: String, codecs: Set<Codec>?,
    _ change: (inout ContainerRules) -> Void = { _ in }
  ) {
    self.container = container
    nameEndings = endings
    self.mediaType = mediaType
    muxer = container.rawValue
    self.codecs = codecs
    change(&self)
  }

  private static let mp4Codecs: Set<Codec> = [
    .h264, .hevc, .av1, .vp9, .mpeg4, .mpeg2Video, .mpeg1Video, .mjpeg, .aac, .mp3,
    .ac3, .eac3, .opus, .flac, .alac, .mp2, .movText, .vorbis, .dts,
    .mp4ALS, .usac,
  ]

  static let mp4 = ContainerRules(.mp4, ["mp4", "m4v", "f4v"], "video/mp4", codecs: mp4Codecs) {
    $0.labels.covers = .box
    $0.isoFamily = .mp4
    $0.labels.textCodec = .movText
    $0.audio.regroupsSamples = true
    $0.audio.clipped = nil
    // FFmpeg does not trim Vorbis packets.
    $0.audio.wholeAtStart = [.vorbis]
    $0.audio.vorbis = .leadPacket
  }

  static let mov = ContainerRules(.mov, ["mov", "qt"], "video/quicktime", codecs: nil) {
    $0.audio.unpackedOrder = "be"
    $0.labels.covers = .box
    $0.isoFamily = .quickTime
    $0.labels.textCodec = .movText
    $0.audio.regroupsSamples = true
    $0.audio.clipped = nil
    // FFmpeg does not trim Vorbis packets.
    $0.audio.wholeAtStart = [.vorbis]
    $0.audio.vorbis = .leadPacket
  }

  static let m4a = ContainerRules(.m4a, ["m4a", "m4b", "m4r"], "audio/mp4", codecs: mp4Codecs) {
    $0.labels.covers = .box
    $0.isoFamily = .m4a
    $0.labels.textCodec = .movText
    $0.audio.regroupsSamples = true
    $0.muxer = "ipod"
    $0.audio.clipped = nil
    // FFmpeg does not trim Vorbis packets.
    $0.audio.wholeAtStart = [.vorbis]
    $0.audio.vorbis = .leadPacket
    $0.audio.endings = ["m4a", "m4b", "m4r"]
  }

  /// 3GPP TS 26.244.
  static let threeGP = ContainerRules(
    .threeGP, ["3gp", "3gpp", "3g2"], "video/3gpp",
    codecs: [.h263, .h264, .hevc, .mpeg4, .aac, .amrNB, .amrWB, .movText]
  ) {
    $0.isoFamily = .threeGP
    $0.labels.textCodec = .movText
    $0.isSuggested = false
    $0.audio.clipped = nil
  }

  static let matroska = ContainerRules(.matroska, ["mkv", "mka"], "video/x-matroska", codecs: nil) {
    $0.audio.unpackedOrder = "le"
    $0.labels.covers = .attachment
    $0.isMatroska = true
    $0.labels.textCodec = .subRip
    $0.labels.holdsAttachments = true
    // Matroska codec mappings, A_PCM/FLOAT/IEEE.
    $0.audio.hasLittleEndianFloatsAlone = true
    $0.pictures.hasTimecodeTag = true
    $0.muxerOptions = ["reserve_index_space": "0"]
    // For ProRes, Matroska's CodecPrivate is the tag.
    $0.pictures.keptTags = [.prores]
    $0.audio.endings = ["mka"]
    $0.audio.clipped = [.opus]
    $0.audio.vorbis = .firstIsMute
    $0.audio.encodesLosslessExactly = true
  }

  static let webm = ContainerRules(
    .webm, ["webm"], "video/webm", codecs: [.vp8, .vp9, .av1, .opus, .vorbis, .webVTT]
  ) {
    $0.isMatroska = true
    $0.labels.textCodec = .webVTT
    $0.pictures.hasTimecodeTag = true
    $0.muxerOptions = ["reserve_index_space": "0"]
    $0.audio.codec = .opus
    $0.audio.clipped = [.opus]
    $0.audio.vorbis = .firstIsMute
  }

  static let mpegts = transportStream(.mpegts, ["ts", "m2t"])

  static let m2ts = transportStream(.m2ts, ["m2ts", "mts"])

  /// In hours: PTS have 33 bits at 90 kHz, which is half an hour more (ISO 13818-1, 2.4.3.7).
  private static let longestClock: Int64 = 26

  private static func transportStream(
    _ container: OutputContainer, _ endings: [String]
  ) -> ContainerRules {
    ContainerRules(
      container, endings, "video/mp2t",
      codecs: [
        .h264, .hevc, .mpeg4, .mpeg2Video, .mpeg1Video, .aac, .aacLATM, .mp3, .mp2, .ac3,
        .eac3, .opus, .dts, .dvbSubtitle, .dvbTeletext,
      ]
    ) {
      $0.muxer = "mpegts"
      // Only Blu-ray's and AVCHD's program map has a stream type for it.
      if container == .m2ts { $0.codecs?.insert(.pcmBluRay) }
      $0.audio.keepsADTSHeaders = true
      $0.times.longestPause = ClockPause.longest
      $0.times.longestHours = longestClock
      $0.times.hasArrivalTimes = container == .m2ts
      // `.ts` holds the same codecs.
      $0.isSuggested = container == .mpegts
      $0.pictures.omitsEqualDTS = true
      $0.pictures.forgetsLastFrame = true
      // FFmpeg recognizes a transport stream only by ten packets in a row.
      $0.limits.leastByteCount = 188 * 16
      // The decoder's buffer fills before its content is due: the clock reference runs 0.7 s behind the DTS
      // (ISO/IEC 13818-1, 2.4.2.3 and 2.7.2), as FFmpeg's tools also write it. Players that seek look for
      // references, and landed a GOP late where these equaled the DTS. Each audio packet has its own PES
      // packet, and so its own timestamp.
      $0.muxerOptions = ["max_delay": "700000", "mpegts_copyts": "1", "pes_payload_size": "0"]
      $0.times.lead = MediaDuration(7, 5)
      $0.pictures.startCodes = .withOwnSets
      $0.audio.endsEncodedWithPacket = true
    }
  }

  /// ISO/IEC 13818-1, 2.5.
  static let mpegps = ContainerRules(
    .mpegps, ["mpg", "mpeg", "vob", "ps", "m2p"], "video/mpeg",
    codecs: [.mpeg2Video, .mpeg1Video, .mp2, .mp3, .ac3, .dts]
  ) {
    $0.muxer = "vob"
    $0.isSuggested = false
    $0.limits.describedInFront = []
    // stream_id (table 2-22), and the DVD-Video substream numbers in private_stream_1.
    $0.limits.mostTracks = [
      [.ac3]: 8, [.dts]: 8, [.mp2, .mp3]: 32, [.mpeg1Video, .mpeg2Video]: 16,
    ]
    $0.audio.codec = .mp2
    $0.times.longestPause = ClockPause.longest
    $0.times.longestHours = longestClock
    $0.pictures.omitsEqualDTS = true
    $0.pictures.forgetsLastFrame = true
    $0.times.lead = MediaDuration(1)
    $0.pictures.startCodes = .withOwnSets
    $0.audio.endsEncodedWithPacket = true
  }

  static let avi = ContainerRules(.avi, ["avi"], "video/x-msvideo", codecs: nil) {
    $0.audio.unpackedOrder = "le"
    $0.pictures.hasFixedFrameRate = true
    $0.pictures.hasTimecodeTag = true
    $0.audio.codec = .mp3
    $0.times.tolerance = MediaDuration(1, 10)
    $0.audio.countsPackets = true
    $0.audio.packetless = ["adpcm_", "gsm_ms"]
    $0.audio.regroupsSamples = true
    $0.pictures.startCodes = .always
    $0.pictures.areNumbered = true
    $0.audio.stampsPackets = false
    $0.audio.endsEncodedWithPacket = true
    $0.isRIFF = true
  }

  /// Video File Format Specification 10.1, annex E.
  static let flv = ContainerRules(
    .flv, ["flv"], "video/x-flv",
    codecs: [
      .h264, .flv1, .vp6f, .vp6a, .flashScreen, .aac, .mp3, .speex, .pcmS16LE, .pcmU8,
      .adpcmSWF, .nellymoser,
    ]
  ) {
    $0.isSuggested = false
    $0.times.decodesFromZero = true
    $0.limits.holdsOneOfEach = true
    $0.audio.holdsSomeRates = true
    // AVCPacketType and AACPacketType 0 (E.4.3.2 and E.4.2.2).
    $0.limits.describedInFront = [.h264, .aac]
    // SoundRate (E.4.2.1).
    for codec in [Codec.pcmS16LE, .pcmU8, .adpcmSWF] {
      $0.audio.rates[codec] = [5512, 11_025, 22_050, 44_100]
    }
    $0.pictures.forgetsLastFrame = true
    $0.audio.endsEncodedWithPacket = true
  }

  static let ogg = ContainerRules(
    .ogg, ["ogg", "oga", "ogv"], "audio/ogg",
    codecs: [.opus, .vorbis, .flac, .theora, .speex]
  ) {
    $0.audio.endings = ["oga"]
    $0.setOgg()
  }

  /// Files of this name hold Opus and nothing else (RFC 7845, 9).
  static let opus = ContainerRules(.opus, ["opus"], "audio/ogg", codecs: [.opus]) {
    $0.audio.endings = ["opus"]
    $0.isSuggested = false
    $0.setOgg()
  }

  private mutating func setOgg() {
    muxer = OutputContainer.ogg.rawValue
    labels.covers = .comment
    pictures.areNumbered = true
    audio.codec = .opus
    audio.isUsual = true
    audio.endsByPosition = true
    times.longestPage = MediaDuration(11, 5)
    // Packet positions derived from lengths are off by the rounding of durations that came from Matroska.
    times.roundedTolerance = MediaDuration(1, 500)
    audio.beginsAtZero = true
    audio.clipped = [.opus]
    audio.vorbis = .leadPacket
    audio.encodesLosslessExactly = true
    audio.leastPackets = 3
  }
}
