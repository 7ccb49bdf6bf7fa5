/// What an input format does: the twin of `ContainerRules`, and the only place that knows input formats by name.
package struct SourceRules: Hashable, Sendable {
  private let name: String

  /// - Parameter format: FFmpeg's names of the demuxer (`matroska,webm`), or the name that the facts have.
  package init(_ format: String) {
    let end = format.utf8.firstIndex(of: UInt8(ascii: ",")) ?? format.endIndex
    name = String(format[..<end])
  }

  // Asked for each packet: a set in a property would be made each time.
  private static let unindexed: Set = ["mpegvideo", "h264", "hevc", "m4v", "ivf", "nut"]
  private static let shortPictures: Set = ["flv", "ivf", "avi", "mxf", "apng"]
  private static let shortSound: Set = [
    "wav", "w64", "caf", "aiff", "au", "tta", "wv", "amr", "avi", "flv", "mpc8",
  ]
}

extension SourceRules {
  /// The names of QuickTime and MP4 in the facts.
  package static func isoFormat(isQuickTime: Bool) -> String { isQuickTime ? "mov" : "mp4" }

  /// The short stable name in the facts for FFmpeg's names of a demuxer.
  package static func format(_ names: String, isWebM: Bool) -> String {
    let rules = SourceRules(names)
    if rules.isMatroska { return isWebM ? "webm" : rules.name }
    // FFmpeg's demuxer reads both.
    return rules.isISO ? isoFormat(isQuickTime: false) : rules.name
  }

  /// The media type for browsers.
  ///
  /// - Parameter kind: `video` or `audio`.
  package func mediaType(_ kind: String) -> String {
    switch name {
    // Browsers read QuickTime files as the MP4 files that most of them nearly are.
    case "mp4", "mov": "\(kind)/mp4"
    case "matroska": "video/x-matroska"
    case "webm": "\(kind)/webm"
    case "mpegts": "video/mp2t"
    case "avi": "video/x-msvideo"
    case "mp3": "audio/mpeg"
    case "aac", "adts": "audio/aac"
    case "wav": "audio/wav"
    case "flac": "audio/flac"
    case "ogg": "\(kind)/ogg"
    default: "application/octet-stream"
    }
  }
}

// Families, for what reads one of them by itself.
extension SourceRules {
  package var isISO: Bool { name == "mp4" || name == "mov" }
  package var isQuickTime: Bool { name == "mov" }
  package var isMatroska: Bool { name == "matroska" || name == "webm" }
  package var isOgg: Bool { name == "ogg" }
  package var isFLV: Bool { name == "flv" }
  package var isAVI: Bool { name == "avi" }
  package var isASF: Bool { name == "asf" }
  package var isMXF: Bool { name == "mxf" }
  package var isCAF: Bool { name == "caf" }
  package var isTransportStream: Bool { name == "mpegts" }
  package var isProgramStream: Bool { name == "mpeg" }
  /// MPEG-2 systems (ISO/IEC 13818-1).
  package var isMPEGSystems: Bool { isTransportStream || isProgramStream }
  /// FLAC without another container.
  package var isFLAC: Bool { name == "flac" }
  /// Frames of MPEG audio without a container.
  package var isMPEGAudio: Bool { name == "mp3" }
  package var isMusepack: Bool { name == "mpc" || name == "mpc8" }
  package var isWavPack: Bool { name == "wv" }
}

// Times.
extension SourceRules {
  /// Whether the clock may be reset within the file.
  package var mayResetClock: Bool { isMPEGSystems || isOgg }

  /// Whether concatenated segments may overlap by audio packets.
  package var mayOverlap: Bool { isMPEGSystems }

  /// Whether it stores decoding times only.
  package var storesOnlyDTS: Bool { isAVI || isASF }

  /// Whether pictures may lack a PTS that others show to be there.
  package var mayOmitPTS: Bool { isMPEGSystems || name == "matroska" }

  /// Whether empty chunks stand for repeated pictures.
  package func countsChunks(of codec: Codec) -> Bool { isAVI || isOgg && codec == .theora }

  /// Whether FFmpeg computes the duration itself, because no field states it; IVF states a frame count, which
  /// FFmpeg mistakes for ticks; NUT's index ends with the PTS of the last frame, not its end.
  package var statesNoDuration: Bool {
    isMPEGSystems || Self.unindexed.contains(name)
  }

  /// Whether FFmpeg assumes a frame rate where headers of the pictures state none.
  package var assumesFrameRate: Bool { name == "h264" || name == "hevc" }

  /// Whether a frame of audio is as long as it states itself, not as FFmpeg's demuxer says.
  package var countsOwnFrames: Bool { name == "mp3" || name == "aac" }
}

// Packets and tracks.
extension SourceRules {
  /// Whether it is audio without a container.
  package var isBareSound: Bool {
    switch name {
    case "aac", "ac3", "eac3", "dts", "mp3", "truehd", "mlp": true
    default: false
    }
  }

  /// Whether it is video without a container.
  package var isBarePictures: Bool {
    name == "h264" || name == "hevc" || name == "m4v" || name == "mpegvideo"
  }

  /// Whether size and aspect ratio are stated in-band only, not by the container.
  package var statesInBandOnly: Bool { isBarePictures || isMPEGSystems || isFLV }

  /// Whether FFmpeg passes on the container's track number.
  package var numbersTracks: Bool { isMPEGSystems || isISO }

  /// Whether packets are found by byte offset rather than by time.
  package var seeksByByte: Bool { isMPEGSystems }

  /// Whether FFmpeg marks video packets as corrupt for one reason only: the file ends before all bytes that
  /// the container states.
  package var marksShortPictures: Bool {
    isISO || Self.shortPictures.contains(name)
  }

  /// The same for audio packets: the file ends before all requested bytes.
  package var marksShortSound: Bool {
    isISO || Self.shortSound.contains(name)
  }

  /// Whether FFmpeg returns nothing of a frame that the end of the file cuts short.
  package var dropsUnfinished: Bool { name == "wv" || name == "mlp" || name == "truehd" }

  /// The codec of a stream without a container.
  package var bareCodec: Codec { Codec(name) }
}

extension ContainerFacts {
  package var rules: SourceRules { SourceRules(format) }
}
