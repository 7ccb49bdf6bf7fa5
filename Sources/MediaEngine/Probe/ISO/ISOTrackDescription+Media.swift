import ExactTime
import ISOMedia
import MediaFacts

extension ISOTrackDescription {
  /// Size, shape and colour: what the container says goes before what the codec's header says,
  /// as players have it.
  static func video(
    _ entry: ISOSampleEntry.Video, _ description: ISOSampleEntry, _ track: ISOTrack,
    _ facts: inout TrackFacts
  ) -> VideoFacts {
    var video = VideoFacts(width: entry.width, height: entry.height)
    video.sampleAspectRatio = entry.sampleAspectRatio
    video.rotation = track.orientation.degreesClockwise
    video.isMirrored = track.orientation.isMirrored
    if let color = entry.color {
      video.colorPrimaries = CodePoints.primaries(Int(color.primaries))
      video.colorTransfer = CodePoints.transfer(Int(color.transfer))
      video.colorMatrix = CodePoints.matrix(Int(color.matrix))
      video.colorRange = color.isFullRange.map { $0 ? "pc" : "tv" }
    }
    if let fields = entry.fields { video.fieldOrder = fieldOrder(fields) }
    return video
  }

  /// QuickTime File Format, "Field Handling": the order in time and the order in memory.
  private static func fieldOrder(_ fields: ISOSampleEntry.Fields) -> String? {
    guard fields.count == 2 else { return fields.count == 1 ? "progressive" : nil }
    switch fields.order {
    case 1: return "tt"
    case 6: return "bb"
    case 9: return "tb"
    case 14: return "bt"
    default: return nil
    }
  }

  static func audio(
    _ entry: ISOSampleEntry.Audio, _ description: ISOSampleEntry, _ facts: inout TrackFacts
  ) -> AudioFacts {
    AudioFacts(
      sampleRate: entry.sampleRate, channels: entry.channels > 0 ? entry.channels : nil)
  }
}
