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
    if let header = header(of: description, codec: facts.codec) {
      complete(&video, with: header)
      facts.profile = header.profile
      facts.level = header.level
    }
    return video
  }

  private static func header(of entry: ISOSampleEntry, codec: String) -> VideoHeader? {
    let types: [FourCC] = ["avcC", "hvcC", "av1C", "vpcC"]
    for type in types {
      if let bytes = entry.configuration(type) {
        return VideoHeader(codec: codec, configuration: bytes)
      }
    }
    return entry.elementaryStream.flatMap {
      VideoHeader(codec: codec, configuration: $0.decoderConfiguration)
    }
  }

  /// Fills in what the container leaves open.
  private static func complete(_ video: inout VideoFacts, with header: VideoHeader) {
    video.pixelFormat = header.pixelFormat
    video.bitDepth = header.bitDepth
    if let width = header.width, let height = header.height {
      video.width = width
      video.height = height
    }
    video.sampleAspectRatio = video.sampleAspectRatio ?? header.sampleAspectRatio
    video.colorPrimaries = video.colorPrimaries ?? header.primaries.flatMap(CodePoints.primaries)
    video.colorTransfer = video.colorTransfer ?? header.transfer.flatMap(CodePoints.transfer)
    video.colorMatrix = video.colorMatrix ?? header.matrix.flatMap(CodePoints.matrix)
    video.colorRange = video.colorRange ?? header.isFullRange.map { $0 ? "pc" : "tv" }
    video.fieldOrder = video.fieldOrder ?? (header.isProgressive == true ? "progressive" : nil)
    video.nominalFrameRate = header.frameRate
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
    var audio = AudioFacts(
      sampleRate: entry.sampleRate, channels: entry.channels > 0 ? entry.channels : nil)
    if let header = audioHeader(of: description, codec: facts.codec) {
      facts.profile = header.profile
      audio.sampleRate = header.sampleRate ?? audio.sampleRate
      audio.channels = header.channels ?? audio.channels
      audio.channelLayout = header.channelLayout
    } else {
      audio.channelLayout = audio.channels.flatMap(ChannelLayoutName.name)
    }
    return audio
  }

  private static func audioHeader(of entry: ISOSampleEntry, codec: String) -> AudioHeader? {
    let types: [FourCC] = ["dOps", "dac3", "dec3", "dfLa", "alac"]
    let box = types.lazy.compactMap { entry.configuration($0) }.first
    guard let bytes = box ?? entry.elementaryStream?.decoderConfiguration else { return nil }
    return AudioHeader(codec: codec, configuration: bytes)
  }
}
