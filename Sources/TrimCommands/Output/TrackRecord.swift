import CommandLineKit
import ExactTime
import MediaFacts

/// The JSON of one track.
struct TrackRecord {
  var track: TrackFacts
  var listsKeyframes: Bool
  var listsFrames = false

  var value: JSONValue {
    var members = JSONValue.members([
      "id": .integer(track.id),
      "index": .integer(track.index),
      "type": .string(track.kind.rawValue),
      "codec": .string(track.codec.rawValue),
      "codec_tag": .optional(track.codecTag),
      "profile": .optional(track.profile),
      "level": .optional(track.level),
      "language": .optional(track.language),
      "title": .optional(track.title),
      "dispositions": .array(track.dispositions.map(JSONValue.string)),
      "cover_art": .bool(track.isCoverArt),
      "encrypted": .bool(track.isEncrypted),
      "time_base": .ratio(track.grid?.secondsPerTick),
      "durations": .object(DurationRecord.members(track.durations)),
      "samples": .optional(track.sampleCount),
      "frames": .optional(track.frameCount),
      "bit_rate": .optional(track.bitRate),
      "timecode": .optional(track.timecode),
      "video": track.video.map(Self.video) ?? .null,
      "audio": track.audio.map(Self.audio) ?? .null,
      "edits": .array(track.edits.map(Self.edit)),
      "gops": track.gops.map(Self.gops) ?? .null,
      "tags": FactsRecord.tags(track.tags),
    ])
    if listsKeyframes {
      members += JSONValue.members([
        "keyframes": .array(
          track.keyframes.map { Self.keyframe($0, isCounted: track.frameCount != nil) })
      ])
    }
    if listsFrames {
      members += JSONValue.members(["frame_list": .array(track.shownFrames.map(Self.frame))])
    }
    return .object(members)
  }

  private static func frame(_ frame: ShownFrame) -> JSONValue {
    .object(["time": .time(frame.time), "duration": .time(frame.duration)])
  }

  private static func hdr(_ hdr: HDRFacts) -> JSONValue {
    .object([
      "mastering_display": hdr.masteringDisplay.map { display in
        .object([
          "red": point(display.red), "green": point(display.green), "blue": point(display.blue),
          "white": point(display.white),
          "min_luminance": .ratio(display.minimumLuminance),
          "max_luminance": .ratio(display.maximumLuminance),
        ])
      } ?? .null,
      "content_light": hdr.contentLight.map { light in
        .object([
          "max_cll": .integer(light.maximum), "max_fall": .integer(light.maximumFrameAverage),
        ])
      } ?? .null,
      "hdr10_plus": .bool(hdr.hasHDR10Plus),
      "dolby_vision": hdr.dolbyVision.map { vision in
        .object([
          "profile": .optional(vision.profile), "level": .optional(vision.level),
          "compatibility": .optional(vision.compatibility),
          "enhancement_layer": .optional(vision.hasEnhancementLayer),
        ])
      } ?? .null,
    ])
  }

  private static func point(_ point: HDRFacts.Chromaticity?) -> JSONValue {
    point.map { .array([.ratio($0.x), .ratio($0.y)]) } ?? .null
  }

  private static func video(_ video: VideoFacts) -> JSONValue {
    .object([
      "width": .integer(video.width),
      "height": .integer(video.height),
      "sample_aspect_ratio": .ratio(video.sampleAspectRatio),
      "rotation": .integer(video.rotation),
      "mirrored": .bool(video.isMirrored),
      "pixel_format": .optional(video.pixelFormat),
      "bit_depth": .optional(video.bitDepth),
      "color_primaries": .optional(video.colorPrimaries),
      "color_transfer": .optional(video.colorTransfer),
      "color_matrix": .optional(video.colorMatrix),
      "color_range": .optional(video.colorRange),
      "field_order": .optional(video.fieldOrder),
      "frame_rate": .object([
        "nominal": .ratio(video.nominalFrameRate),
        "average": .ratio(video.averageFrameRate),
        "constant": .optional(video.isConstantFrameRate),
      ]),
      "hdr": video.hdr.map(hdr) ?? .null,
    ])
  }

  private static func audio(_ audio: AudioFacts) -> JSONValue {
    .object([
      "sample_rate": .optional(audio.sampleRate),
      "channels": .optional(audio.channels),
      "channel_layout": .optional(audio.channelLayout),
      "sample_format": .optional(audio.sampleFormat),
      "priming": .optional(audio.priming),
      "padding": .optional(audio.padding),
    ])
  }

  private static func edit(_ edit: EditFacts) -> JSONValue {
    .object([
      "length": .time(edit.length), "media_start": .time(edit.mediaStart),
      "rate": .ratio(edit.rate),
    ])
  }

  private static func gops(_ gops: GOPFacts) -> JSONValue {
    .object([
      "count": .integer(gops.count),
      "closed": .integer(gops.closedCount),
      "open": .integer(gops.openCount),
      "shortest_frames": .integer(gops.shortestFrames),
      "longest_frames": .integer(gops.longestFrames),
      "longest": .time(gops.longestLength),
    ])
  }

  /// - Parameter isCounted: whether the frames around it were read.
  private static func keyframe(_ keyframe: KeyframeFacts, isCounted: Bool) -> JSONValue {
    .object([
      "frame": .optional(keyframe.frame),
      "time": .time(keyframe.time),
      "access": .string(keyframe.access.rawValue),
      "leading_frames": .optional(isCounted ? keyframe.leadingFrames : nil),
      "clean": isCounted ? .bool(keyframe.isClean) : .null,
      "byte_offset": .optional(keyframe.byteOffset),
    ])
  }
}
