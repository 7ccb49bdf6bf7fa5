import Bitstreams
import ExactTime
package import Libav
package import MediaFacts

/// Turns a stream as FFmpeg describes it into facts.
package enum PacketTracks {
  package static func facts(of track: LibavTrack, format: String, isEstimated: Bool) -> TrackFacts {
    var facts = TrackFacts(
      id: identifier(of: track, format: format), index: track.index, kind: kind(of: track),
      codec: track.codec)
    facts.codecTag = tagText(track.codecTag)
    facts.profile = track.profile
    if track.codec.isOne(of: .aac, .mp4ALS, .usac), track.profile == nil {
      facts.profile = AudioHeader(codec: track.codec, configuration: track.extradata)?.profile
    }
    facts.level = track.level.flatMap { levelText($0, codec: track.codec) }
    facts.dispositions = track.dispositions
    facts.isEncrypted = track.isEncrypted
    facts.grid = track.grid
    facts.bitRate = track.bitRate
    for tag in track.tags {
      // Matroska writes tag names in capitals.
      switch tag.key == "TIMECODE" ? "timecode" : tag.key {
      case "language": facts.language = tag.value == "und" ? nil : tag.value
      case "title": facts.title = tag.value
      case "timecode":
        facts.timecode = tag.value
        facts.tags.append(Tag(key: tag.key, value: tag.value))
      default: facts.tags.append(Tag(key: tag.key, value: tag.value))
      }
    }
    if let ticks = track.durationTicks, let length = try? track.grid?.duration(ofTicks: ticks),
      !SourceRules(format).statesNoDuration
    {
      facts.durations.track = DurationFact(
        length: length, source: isEstimated ? .estimate : .trackHeader, trackID: facts.id)
    }
    if facts.kind == .video { facts.video = video(of: track) }
    if facts.kind == .audio { facts.audio = audio(of: track) }
    return facts
  }

  private static func identifier(of track: LibavTrack, format: String) -> Int {
    // Only some demuxers pass on the container's track number; zero and duplicates are ignored.
    SourceRules(format).numbersTracks && track.id > 0 ? track.id : track.index + 1
  }

  private static func kind(of track: LibavTrack) -> TrackKind {
    switch track.kind {
    case .video: .video
    case .audio: .audio
    case .subtitle: .subtitle
    case .attachment: .attachment
    case .data: track.codec == .tmcd ? .timecode : .data
    }
  }

  private static func tagText(_ tag: UInt32) -> String? {
    let bytes = (0..<4).map { UInt8(truncatingIfNeeded: tag >> ($0 * 8)) }
    guard bytes.allSatisfy({ (0x20..<0x7F).contains($0) }) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Formats a level: H.264 states tenths (A.3.1), HEVC thirtieths (A.4), AV1 an index (A.3),
  /// MPEG-2 a code (table 8-3), MPEG-4 a number.
  private static func levelText(_ level: Int, codec: Codec) -> String? {
    switch codec {
    case .h264: level > 0 ? "\(level / 10).\(level % 10)" : nil
    case .hevc: level > 0 ? "\(level / 30).\(level % 30 / 3)" : nil
    case .av1: "\(2 + level / 4).\(level % 4)"
    case .mpeg2Video, .mpeg4: level >= 0 ? "\(level)" : nil
    default: nil
    }
  }

  private static func video(of track: LibavTrack) -> VideoFacts {
    var video = VideoFacts(width: track.width, height: track.height)
    video.sampleAspectRatio = track.sampleAspectRatio
    video.rotation = track.rotation
    video.isMirrored = track.isMirrored
    video.pixelFormat = track.pixelFormat
    video.bitDepth = track.bitDepth
    video.colorPrimaries = track.colorPrimaries
    video.colorTransfer = track.colorTransfer
    video.colorMatrix = track.colorMatrix
    video.colorRange = track.colorRange
    video.fieldOrder = track.fieldOrder
    let light = PictureLight.facts(of: track)
    video.hdr = light.isEmpty ? nil : light
    // Where FFmpeg does not know two frames, it reports the ticks per second as the frame rate.
    let ticks = track.grid.flatMap { try? Rational.one.divided(by: $0.secondsPerTick) }
    let real = track.realFrameRate == ticks ? nil : track.realFrameRate
    video.nominalFrameRate = real ?? track.averageFrameRate
    return video
  }

  package static func audio(of track: LibavTrack) -> AudioFacts {
    var audio = AudioFacts(
      sampleRate: track.sampleRate, channels: track.channels,
      // FFmpeg's text for an unknown layout.
      channelLayout: track.channelLayout.flatMap { $0.hasSuffix(" channels") ? nil : $0 })
    audio.sampleFormat = track.sampleFormat
    return audio
  }
}
